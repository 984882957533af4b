"""The conversation's state: locked and read before the steps that need it, saved after them, with a record of what was
done."""

from __future__ import annotations

import os

from limpet.engine.events import take_steps
from limpet.engine.record import record_event
from limpet.ground.digest import digest
from limpet.work.session import claim, complete, is_future, new_session, read_session, session_lock, write_session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.ground.workspace import Workspace
    from limpet.work.session import Session

UNTRUSTED = "untrusted project: its rules, memories and settings are not read (the user decides: `limpet trust`)"
IN_VAIN = "untrusted project: star-commands do nothing here (the user decides: `limpet trust`)"
UNTRUSTED_MESSAGE = (
    "Limpet: this project is not trusted, so its rules, memories and settings are not used. "
    "{}To review and trust it, run `limpet trust` there."
)
UNSAVED = "cannot save the conversation's state: rules may be sent twice"


def hold(context: EventContext, steps: tuple[str, ...]) -> EventContext:
    """Take the steps with the state locked, save it, and reply with the block and the message that they made.

    The reply stays as it is when another firing of the same event was first, and when the project's folder went
    meanwhile.
    """
    context = context.with_mirror()
    event, workspace = context.event, context.workspace
    with session_lock(workspace, event.session, context.patience("lock_patience")) as held:
        before = _begin(context)
        if before is None:
            return context.replace(done=True)
        keeps = held and bool(event.session) and not is_future(before.session)
        notes = () if keeps or not event.session else (UNSAVED,)
        before = before.replace(notes=(*before.notes, *notes, *_notes_of_trust(before)))
        after = take_steps(before, steps)
        if not workspace.stranger and not os.path.isdir(workspace.home):
            return context.replace(done=True)
        if keeps and not _save(workspace, after.session) and not context.may_act:
            after = take_steps(before.replace(notes=(*before.notes, UNSAVED)), steps)
    record_event(after)
    return after.replied(_message(after), done=True, block=after.result.block if after.result else "")


def begin_unheard(context: EventContext) -> EventContext:
    """Do with the first prompt what belongs to a start, where the host does not tell of one."""
    if context.client.starts or not context.fresh:
        return context
    from limpet.engine.steps import leftovers, takeover, upkeep

    event = context.event
    context = upkeep.make_bundles(leftovers.remove(context.replace(event=event.replace(source="startup"))))
    return takeover.tell_what_was_left(upkeep.refresh_memories(context)).replace(event=event)


def _begin(context: EventContext) -> EventContext | None:
    """Return the context with the conversation's state, on which the event has its claim; None where it was claimed:
    hosts may run one another's hooks, and the same event counts once (decision 12)."""
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
    return context.replace(session=claimed, fresh=found is None, notes=(*context.notes, *((note,) if note else ())))


def _notes_of_trust(context: EventContext) -> tuple[str, ...]:
    """Return what the block says of a stranger's project: once that it is one, and what was typed in vain."""
    if not context.workspace.stranger:
        return ()
    if context.may_act:
        return (IN_VAIN,)
    return (UNTRUSTED,) if context.fresh or context.event.kind == "session_start" else ()


def _save(workspace: Workspace, session: Session) -> bool:
    try:
        write_session(workspace, session)
    except OSError:
        return False
    return True


def _message(context: EventContext) -> str:
    """Return what the person is shown of the event; most show nothing, and none of a subagent's."""
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
    """Return what the person is told of a project that they do not trust, with nothing that it says itself."""
    from limpet.ground.trust.consent import LAPSED, find_lapsed
    from limpet.ground.workspace import workspace_at

    lapsed = find_lapsed(workspace_at(workspace.stranger))
    return UNTRUSTED_MESSAGE.format(f"{LAPSED[lapsed[1]].format(lapsed[0].at[:10])}. " if lapsed else "")
