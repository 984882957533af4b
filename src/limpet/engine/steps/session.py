"""The conversation's state: locked and read before the steps that need it and saved after them, with a record of what
was done; and the steps that say what of an event it keeps."""

from __future__ import annotations

import os

from limpet.context.usage import WindowUsage, bracket_of
from limpet.engine.block.told import ids_shown, opened
from limpet.engine.record import record_event
from limpet.engine.recovery import note_taken_over, tell_what_was_left
from limpet.ground.clock import iso
from limpet.ground.config.defaults import ALL_RULES_BYTES
from limpet.ground.digest import digest
from limpet.ground.event import SCRIPT, TYPED, UNKNOWN
from limpet.ground.storage.files import read_text
from limpet.ground.text.tokens import typical_tokens
from limpet.ground.workspace import is_bound
from limpet.work.session import (
    EPOCH,
    NESTED,
    UNATTENDED,
    claim,
    complete,
    is_future,
    new_session,
    read_session,
    session_lock,
    write_session,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.engine.events import Step
    from limpet.ground.event import Event
    from limpet.ground.workspace import Workspace
    from limpet.work.session import Session

UNTRUSTED = "untrusted project: its rules, memories and settings are not read (the user decides: `limpet trust`)"
NO_RULES = "no .limpet here, as on a branch without it: the project's rules are missing, memories, agent and mode go on"
IN_VAIN = "untrusted project: *commands and /limpet do nothing here (the user decides: `limpet trust`)"
UNTRUSTED_MESSAGE = (
    "Limpet: this project is not trusted, so its rules, memories and settings are not used. "
    "{}To review and trust it, run `limpet trust` there."
)
UNSAVED = "cannot save the conversation's state: rules may be sent twice"
# Ids that a conversation knows: of memories that it was shown, and of candidates that it was asked for.
MOST_SHOWN, MOST_ASKED = 500, 200


def hold_state(context: EventContext, steps: tuple[Step, ...]) -> EventContext:
    """Take the steps with the state locked, save it, and reply with the block and the message that they made. The reply
    stays as it is when another firing of the same event was first, and when the project's folder went meanwhile."""
    context = context.with_mirror()
    event, workspace = context.event, context.workspace
    with session_lock(workspace, event.session, context.lock_patience) as is_locked:
        before = _begin(context)
        if before is None:
            return context.replace(done=True)
        is_saved = is_locked and bool(event.session) and not is_future(before.session)
        if event.session and not is_saved:
            before = before.noted(UNSAVED)
        before = before.noted(*_notes_of_trust(before))
        after = _take_all(steps, before)
        if not workspace.stranger and not os.path.isdir(workspace.data):
            return context.replace(done=True)
        if is_saved and not _save(workspace, after.session) and not context.may_act:
            after = _take_all(steps, before.noted(UNSAVED))
    record_event(after)
    return after.replied(_message(after), done=True, block=after.result.block if after.result else "")


def carry_on(context: EventContext) -> EventContext:
    """What was set in the window before goes on."""
    if not context.event.follows:
        return context
    from limpet.engine.succession import carry_on

    return carry_on(context)


def tell_role(context: EventContext) -> EventContext:
    before = context.session.get("role")
    if before is None or before == context.in_force.agent:
        return context
    from limpet.engine.succession import tell_role

    return tell_role(context)


def begin_unheard(context: EventContext) -> EventContext:
    """Where the host does not tell of a start."""
    if context.client.starts or not context.fresh:
        return context
    from limpet.engine.steps import start

    event = context.event
    context = start.make_bundles(start.remove_old_files(context.replace(event=event.replace(source="startup"))))
    return tell_what_was_left(start.refresh_memories(start.probe_shells(context))).replace(event=event)


def note_start(context: EventContext) -> EventContext:
    request, result, usage = context.request, context.result, context.usage
    assert request is not None and result is not None and usage is not None
    kept = _without(context.session, "ended", "uncaptured", "continuation", "kept")
    return context.replace(session=kept).with_session(
        **{EPOCH: result.epoch or request.epoch},
        model=context.model or None,
        last_activity=iso(context.clock.now()),
        transcript=context.event.transcript,
        usage=_usage(usage),
        bracket=bracket_of(usage.remaining, request.settings),
    )


def note_prompt(context: EventContext) -> EventContext:
    if "taking_over" in context.session and not context.is_unattended:
        context = note_taken_over(context)
    request, result, usage = context.request, context.result, context.usage
    assert request is not None and result is not None and usage is not None
    session, history = context.session, context.session["history"]
    opening = ["opening"] if session["prompt_count"] > 1 else []
    typed = [*history.get("star_commands", []), *(one.name for one in request.typed)]
    return context.replace(session=_without(session, "reload", "ended", "continuation", *opening)).with_session(
        last_activity=iso(context.clock.now()),
        transcript=context.event.transcript,
        usage=_usage(usage),
        model=context.model,
        bracket=request.window.bracket,
        role=context.in_force.agent,
        role_at=iso(context.clock.now()),
        **{EPOCH: result.epoch},
        last={"tokens": typical_tokens(result.tokens, request.settings["reserve"]), "layers": result.timings},
        history={
            **history,
            "star_commands": list(dict.fromkeys(typed)),
            "domains_last": [rules.name for rules in request.rules.domains],
        },
    )


def note_end(context: EventContext) -> EventContext:
    return context.with_session(ended=iso(context.clock.now()))


def note_recalled(context: EventContext) -> EventContext:
    """Keep which memories this conversation was shown, and of those before its first prompt what the person is told."""
    assert context.result is not None
    known = context.session.get("recalled") or []
    new = tuple(key for key in ids_shown(context.result) if key not in known)
    assert context.request is not None
    epoch = opened(context.session[EPOCH], context.result, context.request.epoch)
    after = context.replace(recalled=new).with_session(**{EPOCH: epoch}, recalled=[*known, *new][-MOST_SHOWN:])
    if context.session["prompt_count"] or not new:
        return after
    from limpet.engine.messages import note_opening

    return note_opening(after)


def note_shown(context: EventContext, ids: tuple[str, ...]) -> EventContext:
    """Memories shown to a subagent count as shown in its log alone."""
    if context.event.agent_id:
        return context.replace(recalled=ids)
    known = context.session.get("recalled") or []
    new = tuple(key for key in ids if key not in known)
    return context.replace(recalled=new).with_session(recalled=[*known, *new][-MOST_SHOWN:])


def note_asked(context: EventContext) -> EventContext:
    """Keep those that stand in the block."""
    request, result = context.request, context.result
    if request is None or result is None or not request.candidates:
        return context
    shown = next((len(one.lines) for one in result.choices if one.piece.tag == "candidates"), 0)
    ids = tuple(key for key, _ in request.candidates[:shown])
    known = context.session.get("asked") or []
    return context.with_session(asked=list(dict.fromkeys((*known, *ids)))[-MOST_ASKED:]) if ids else context


def _take_all(steps: tuple[Step, ...], context: EventContext) -> EventContext:
    for step in steps:
        context = step(context)
    return context


def _begin(context: EventContext) -> EventContext | None:
    """None for a claimed event: hosts may run one another's hooks, and the same one counts once (decision 12)."""
    event, now = context.event, context.clock.now()
    found, note = read_session(context.workspace, event.session) if event.session else (None, "")
    make = new_session(event.session, event.host, event.cwd, now)
    session = make if found is None else complete(found, event.session, event.host, event.cwd, now)
    if event.prompt_id and event.kind == "prompt":
        # A prompt typed while the agent works is folded into its turn and shares its id: the text tells them apart.
        claimed = claim(session, f"prompt {event.prompt_id} {digest(event.prompt)}", now, lasting=True)
    else:
        from limpet.transcripts.tail import size_of

        what = f"{event.source} {event.agent_id} {event.tool_use_id} {digest(event.prompt)}"
        claimed = claim(session, f"{event.kind} {what} {size_of(event.transcript)}", now, lasting=False)
    if claimed is None:
        return None
    if event.kind == "prompt" and event.origin not in (TYPED, UNKNOWN) and context.is_sent:
        from limpet.work.untyped import note_untyped

        note_untyped((event.prompt,), event.session)
    context = context.replace(session=_with_attendance(claimed, event), fresh=found is None)
    return context.noted(note) if note else context


def _with_attendance(session: Session, event: Event) -> Session:
    """A client that an agent started is known when its conversation begins; every other by each prompt."""
    if event.origin == SCRIPT:
        return {**session, UNATTENDED: event.entry or NESTED}
    is_heard = event.kind == "session_start" or (event.kind == "prompt" and session.get(UNATTENDED) != NESTED)
    return _without(session, UNATTENDED) if is_heard and event.origin == TYPED else session


def _notes_of_trust(context: EventContext) -> tuple[str, ...]:
    if not context.workspace.stranger:
        return (NO_RULES,) if context.fresh and _lacks_rules(context.workspace) else ()
    if context.may_act:
        return (IN_VAIN,)
    if is_bound(context.workspace):
        from limpet.ground.trust.allowance import is_first_asked

        if is_first_asked(context.workspace.state, context.event.session, UNTRUSTED):
            return (UNTRUSTED,)
    return (UNTRUSTED,) if context.fresh or context.event.kind == "session_start" else ()


def _lacks_rules(workspace: Workspace) -> bool:
    """The branch has no ``.limpet``, and the user knows rules of the project."""
    return not os.path.isdir(workspace.home) and len(read_text(workspace.kept("rules"), ALL_RULES_BYTES) or "{}") > 2


def _save(workspace: Workspace, session: Session) -> bool:
    try:
        write_session(workspace, session)
    except OSError:
        return False
    return True


def _message(context: EventContext) -> str:
    """Most events show nothing, and none of a subagent's."""
    if context.event.agent_id:
        return ""
    if {UNTRUSTED, IN_VAIN} & {*context.notes}:
        return _why_untrusted(context.workspace)
    said = context.recalled or context.typed or context.told or "*" in context.event.prompt
    is_due = said or (context.is_first_prompt and not context.workspace.stranger)
    if not (is_due and context.is_sent and context.mirror.settings["hosts"]["visible"]):
        return ""
    from limpet.engine.messages import write_message

    return write_message(context)


def _why_untrusted(workspace: Workspace) -> str:
    """With nothing that the project says itself."""
    from limpet.ground.trust.consent import LAPSED, find_lapsed
    from limpet.ground.workspace import workspace_at

    lapsed = find_lapsed(workspace_at(workspace.stranger))
    return UNTRUSTED_MESSAGE.format(f"{LAPSED[lapsed[1]].format(lapsed[0].at[:10])}. " if lapsed else "")


def _usage(usage: WindowUsage) -> dict[str, object]:
    return {name: getattr(usage, name) for name in usage.fields}


def _without(session: Session, *names: str) -> Session:
    return {name: value for name, value in session.items() if name not in names}
