"""A person goes back in the conversation and types something else: what came with the prompts on the branch that they
left counts as not sent, from the event after the next line in the transcript on."""

from __future__ import annotations

from limpet.transcripts.registry import branched_of
from limpet.transcripts.tail import size_of
from limpet.work.session import EPOCH, PROMPTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.ground.event import Event
    from limpet.work.session import Session

# Prompts of an epoch whose lines are known: whoever goes back further has all of it sent again.
MOST_PROMPTS = 50


def leave_branches(context: EventContext) -> EventContext:
    return context.replace(session=leave_branch(context.session, context.event))


def leave_branch(session: Session, event: Event) -> Session:
    """The newest prompt's line, which is not there yet when it comes, is found now: with the next prompt or never."""
    epoch = session[EPOCH]
    prompts: list[list[int]] = epoch.get(PROMPTS, [])
    transcript = branched_of(event.host) if prompts else None
    if transcript is None:
        return session
    (number, since), earlier = prompts[-1], prompts[:-1]
    found = transcript.find_branching(event.transcript, since, [at for _, at in earlier])
    if found is None:
        return {**session, EPOCH: {**epoch, PROMPTS: earlier}} if event.kind == "prompt" else session
    left = [one for one, at in earlier if at in found.left]
    known = [pair for pair in earlier if pair[0] not in left]
    epoch = {**epoch, PROMPTS: [*known, [number, found.at]]}
    if not left:
        return {**session, EPOCH: epoch}
    from limpet.context.repetition import without_sent
    from limpet.engine.block.told import OPENED, WAITING, WISH_TOKENS

    first = 0 if found.anew or (not known and len(earlier) == MOST_PROMPTS - 1) else left[0]
    if first <= int(epoch.get("began", 0)) + 1:  # with what opened it
        epoch = {name: value for name, value in epoch.items() if name not in (OPENED, WAITING, WISH_TOKENS)}
    return {**session, EPOCH: without_sent(epoch, first, number), "asked": []}


def note_prompt(session: Session, event: Event) -> Session:
    """Where the transcript ends now the prompt's line will begin, or later."""
    if branched_of(event.host) is None:
        return session
    prompts = [*session[EPOCH].get(PROMPTS, []), [session["prompt_count"], size_of(event.transcript)]]
    return {**session, EPOCH: {**session[EPOCH], PROMPTS: prompts[-MOST_PROMPTS:]}}
