"""A turn is over: a second process looks through what was said in it, so that the next prompt can ask for what is to be
written down; where a person wants that, the agent is asked at once."""

from __future__ import annotations

from limpet.engine.block.candidates import find_own
from limpet.engine.steps.candidates import note_ids
from limpet.engine.steps.capture import captures, orders_of
from limpet.engine.worker import start_job
from limpet.transcripts.tail import size_of
from limpet.work.session import read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.work.session import Session

# Bytes by which the transcript has to grow, and the member of the state with its size at the last time.
GROWN, HEARD = 2000, "heard"


def look(context: EventContext) -> EventContext:
    """End the walk unless there is something to do: then the state is locked and written."""
    context = context.with_mirror()
    state = read_state(context.workspace, context.event.session)
    is_wanted = captures(context) and context.mirror.settings["memory"]["candidates"]["told"]
    is_due = bool(state and is_wanted) and (_has_grown(context, state) or _may_ask(context))
    return context if is_due else context.replace(done=True)


def capture(context: EventContext) -> EventContext:
    """Start the capture of the turn, and note how far it goes."""
    if not _has_grown(context, context.session):
        return context
    start_job(context.workspace, "capture", {**orders_of(context), "turn": True})
    return context.with_session(**{HEARD: size_of(context.event.transcript)})


def ask(context: EventContext) -> EventContext:
    """Have the agent go on with what the conversation left open, once an epoch."""
    lines = find_own(context, least=1) if _may_ask(context) else ()
    if not lines:
        return context
    asked = note_ids(context, tuple(key for key, _ in lines), own=True)
    return asked.replied(unfinished="\n".join(line for _, line in lines))


def _has_grown(context: EventContext, state: Session) -> bool:
    heard = state.get(HEARD)
    since = heard if isinstance(heard, int) else 0
    size = size_of(context.event.transcript)
    return size - since > GROWN or size < since


def _may_ask(context: EventContext) -> bool:
    event, settings = context.event, context.mirror.settings["memory"]["candidates"]
    return settings["at_stop"] and not (event.continuing or event.headless or context.reply.unfinished)
