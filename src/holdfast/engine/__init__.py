"""The one path that every event takes: state in, the event's steps, state out, and a record of what was done."""

from __future__ import annotations

import os

from holdfast.context.block import render_failure
from holdfast.engine.event_context import PREVIEW, EventContext
from holdfast.engine.events import EVENTS, STRANGERS_EVENTS, take_steps
from holdfast.engine.record import record_crash, record_event
from holdfast.ground.config.mirror import drop_mirror, read_mirror
from holdfast.ground.digest import digest
from holdfast.ground.event import Event, Reply
from holdfast.ground.storage.user_folders import approvals_folder
from holdfast.rules.plan.store import drop_plan, names_files
from holdfast.work.private import any_private, has_mark, may_switch
from holdfast.work.session import (
    TRIAL,
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
    from holdfast.engine.privacy import Passage
    from holdfast.ground.clock import Clock
    from holdfast.ground.config.mirror import Mirror
    from holdfast.ground.workspace import Workspace
    from holdfast.work.session import Session

LATE = "out of time"
# Events of a turn under way: what fails at one is recorded, and not said in the conversation.
QUIET = ("tool_before", "stop")
UNTRUSTED = "untrusted project: its rules, memories and settings are not read (the user decides: `holdfast trust`)"
IN_VAIN = "untrusted project: star-commands do nothing here (the user decides: `holdfast trust`)"
UNTRUSTED_MESSAGE = (
    "Holdfast: this project is not trusted, so its rules, memories and settings are not used. "
    "{}To review and trust it, run `holdfast trust` there."
)
UNSAVED = "cannot save the conversation's state: rules may be sent twice"


def late_reply(event: Event) -> Reply:
    """Return the reply that stands in for one that did not come in time."""
    is_told = event.kind in EVENTS and event.kind not in QUIET and not event.synthetic
    return Reply(block=render_failure(LATE)) if is_told else Reply()


def handle(event: Event, workspace: Workspace | None, clock: Clock) -> Reply:
    """Return the reply to an event; synthetic prompts, events nobody answers and second firings get an empty one. Where
    there is no project, the person may still make the conversation private."""
    if event.synthetic:
        return Reply()
    answered = EVENTS if workspace and not workspace.stranger else STRANGERS_EVENTS
    reply = _answer_twice(event, workspace, clock) if event.kind in answered else Reply()
    is_sent = event.host != PREVIEW and not event.session.startswith(TRIAL)
    if not (is_sent and (os.path.isdir(approvals_folder()) or event.prompt.startswith("*yes"))):
        return reply
    from holdfast.engine.approvals import tell

    try:
        told = tell(event, clock.now())
    except Exception:  # the answer is worth more
        return reply
    return reply.replace(message=_join(told, reply.message))


def _answer_twice(event: Event, workspace: Workspace | None, clock: Clock) -> Reply:
    """Return the reply; where something failed, that of a second try without what is kept in the cache."""
    if workspace is None:
        passage = _pass_privacy(event, None, clock)
        return (passage and passage.reply) or Reply()
    try:
        return _handle(event, workspace, clock)
    except Exception as error:
        if _is_gone(workspace):
            return Reply()
        record_crash(workspace, event, error, clock)
        failure = type(error).__name__
    # What was kept in the cache may be spoilt: once more without it, unless a command may have acted already.
    drop_plan(workspace)
    drop_mirror(workspace)
    failed = Reply() if event.kind in QUIET else Reply(block=render_failure(failure))
    if _may_act(event):
        return failed
    try:
        return _handle(event, workspace, clock)
    except Exception:
        return failed


def _handle(event: Event, workspace: Workspace, clock: Clock) -> Reply:
    began = clock.timer()
    message, private = "", False
    passage = _pass_privacy(event, workspace, clock)
    if passage:
        if passage.reply is not None:
            return passage.reply
        message, private = passage.message, passage.private
    if event.kind == "tool_before" and not names_files(workspace):
        return Reply()
    mirror = read_mirror(workspace, clock.left())
    if event.kind == "tool_before" and not _concerns_files(event, workspace, mirror):
        return Reply()
    if event.kind == "stop":
        from holdfast.engine.stopping import answer_stop

        return Reply() if private else answer_stop(event, workspace, clock, mirror)
    patience = clock.left(mirror.settings["hosts"]["lock_patience_ms"] / 1000)
    with session_lock(workspace, event.session, patience) as held:
        after = _answer(event, workspace, clock, mirror, held, private)
    if after is None:
        return Reply()
    record_event(after, began)
    block = after.result.block if after.result else ""
    return Reply(block=block, message=_join(message, _message(after)))


def _pass_privacy(event: Event, workspace: Workspace | None, clock: Clock) -> Passage | None:
    """Return what privacy makes of an event, None where it cannot concern it."""
    is_fork = event.source == "fork" and any_private()
    if not (is_fork or has_mark(event.session) or may_switch(event.prompt)):
        return None
    from holdfast.engine.privacy import pass_privacy

    return pass_privacy(event, workspace, clock)


def _concerns_files(event: Event, workspace: Workspace, mirror: Mirror) -> bool:
    """Return whether a tool's file calls rules; most do not, and then nothing is locked or written."""
    from holdfast.engine.files import may_call

    return may_call(event, workspace, mirror)


def _message(context: EventContext) -> str:
    """Return what the person is shown of the event; most show nothing, and none of a subagent's."""
    if context.event.agent_id:
        return ""
    if {UNTRUSTED, IN_VAIN} & {*context.notes}:
        return _why_untrusted(context.workspace)
    is_due = context.recalled or context.typed or context.told or "*" in context.event.prompt
    if not (is_due and context.is_sent and context.mirror.settings["hosts"]["visible"]):
        return ""
    from holdfast.engine.messages import write_message

    return write_message(context)


def _why_untrusted(workspace: Workspace) -> str:
    """Return what the person is told of a project that they do not trust, with nothing that it says itself."""
    from holdfast.ground.trust.consent import LAPSED, find_lapsed
    from holdfast.ground.workspace import workspace_at

    lapsed = find_lapsed(workspace_at(workspace.stranger))
    return UNTRUSTED_MESSAGE.format(f"{LAPSED[lapsed[1]].format(lapsed[0].at[:10])}. " if lapsed else "")


def _join(*messages: str) -> str:
    return "\n".join(message for message in messages if message)


def _answer(
    event: Event, workspace: Workspace, clock: Clock, mirror: Mirror, held: bool, private: bool
) -> EventContext | None:
    """Return the context after the event's steps, its state saved.

    None when another firing of the same event was first, and when the project's folder went meanwhile.
    """
    session, notes, fresh = _session(event, workspace, clock)
    claimed = _claim(event, session, clock.now())
    if claimed is None:
        return None
    keeps = held and bool(event.session) and not is_future(claimed)
    notes += () if keeps or not event.session else (UNSAVED,)
    notes += _notes_of_trust(event, workspace, fresh)
    before = EventContext(
        event=event,
        workspace=workspace,
        clock=clock,
        mirror=mirror,
        session=claimed,
        fresh=fresh,
        notes=notes,
        private=private,
    )
    after = take_steps(before)
    if _is_gone(workspace):
        return None
    if keeps and not _save(workspace, after.session) and not _may_act(event):
        after = take_steps(before.replace(notes=(*notes, UNSAVED)))
    return after


def _session(event: Event, workspace: Workspace, clock: Clock) -> tuple[Session, tuple[str, ...], bool]:
    now = clock.now()
    found, note = read_session(workspace, event.session) if event.session else (None, "")
    notes = (note,) if note else ()
    if found is None:
        return new_session(event.session, event.host, event.cwd, now), notes, True
    return complete(found, event.session, event.host, event.cwd, now), notes, False


def _claim(event: Event, session: Session, now: float) -> Session | None:
    """Return the state with the event's claim on it, None where it was claimed: hosts may run one another's hooks, and
    the same event counts once (decision 12)."""
    if event.prompt_id and event.kind == "prompt":
        # A prompt typed while the agent works is folded into its turn and shares its id: the text tells them apart.
        return claim(session, f"prompt {event.prompt_id} {digest(event.prompt)}", now, lasting=True)
    from holdfast.transcripts.tail import size_of

    what = f"{event.source} {event.agent_id} {event.tool_use_id} {digest(event.prompt)}"
    key = f"{event.kind} {what} {size_of(event.transcript)}"
    return claim(session, key, now, lasting=False)


def _is_gone(workspace: Workspace) -> bool:
    """Return whether somebody took ``.holdfast`` away while the event was answered: no write may make it anew."""
    return not workspace.stranger and not os.path.isdir(workspace.home)


def _notes_of_trust(event: Event, workspace: Workspace, fresh: bool) -> tuple[str, ...]:
    """Return what the block says of a stranger's project: once that it is one, and what was typed in vain."""
    if not workspace.stranger:
        return ()
    if _may_act(event):
        return (IN_VAIN,)
    return (UNTRUSTED,) if fresh or event.kind == "session_start" else ()


def _save(workspace: Workspace, session: Session) -> bool:
    try:
        write_session(workspace, session)
    except OSError:
        return False
    return True


def _may_act(event: Event) -> bool:
    """Return whether a command may be in the prompt that must not act twice. A lock does not count: it is taken or
    lifted once however often it is asked for."""
    return "*" in event.prompt
