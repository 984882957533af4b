"""The one path that every event takes: its steps, each tried twice where it fails, and a reply in any case."""

from __future__ import annotations

import os

from limpet.engine.event_context import NO_CLIENT, NOWHERE, Client, EventContext
from limpet.engine.events import EVENTS, walk_of
from limpet.ground.event import SCRIPT, SYSTEM, TYPED, Event, Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.events import Step
    from limpet.ground.clock import Clock
    from limpet.ground.workspace import Workspace

LATE = "out of time"
# Events of a turn under way: what fails at one is recorded, and not said in the conversation.
QUIET = ("tool_before", "stop", "config_changed")


def handle(event: Event, workspace: Workspace | None, clock: Clock, client: Client = NO_CLIENT) -> Reply:
    """The client's own prompts, events nobody answers and second firings get an empty reply. The person is heard
    without a project too."""
    if event.announced and event.kind != "tool_before":  # which may be refused
        from limpet.work.untyped import note_untyped

        note_untyped(event.announced)
    if event.origin == SYSTEM:
        return Reply()
    if not client.confirms and workspace and event.kind in ("session_start", "tool_after"):
        from limpet.engine.steps.window import after_compaction

        event = after_compaction(event, workspace)
    context = EventContext(event=event, workspace=workspace or NOWHERE, clock=clock, client=client, began=clock.timer())
    if event.entry and workspace and not workspace.stranger:
        context = _as_configured(context.with_mirror())
    walk = walk_of(event.kind, workspace)
    for step in walk.before:
        context = _take(step, context)
        if context.done:
            return context.reply

    def hold(before: EventContext) -> EventContext:
        from limpet.engine.steps.session import hold_state

        return hold_state(before, walk.held)

    return _take(hold, context).reply if walk.held else context.reply


def late_reply(event: Event, client: Client = NO_CLIENT) -> Reply:
    if client.call is not None:
        from limpet.engine.steps.guard import late_answer

        return late_answer(client.call, client.can_ask)
    return Reply() if event.origin == SYSTEM or event.kind not in EVENTS else _failed(event.kind, LATE)


def _as_configured(context: EventContext) -> EventContext:
    """A person may type through a program, where the settings say so."""
    event = context.event
    is_typed = event.origin == SCRIPT and event.entry in context.mirror.settings["hosts"]["attended"]
    return context.replace(event=event.replace(origin=TYPED)) if is_typed else context


def _take(step: Step, context: EventContext) -> EventContext:
    try:
        return step(context)
    except Exception as error:
        return _take_again(step, context, error)


def _take_again(step: Step, context: EventContext, error: Exception) -> EventContext:
    """Try a step that failed once more without what is kept in the cache; where that fails too, a block says so."""
    workspace = context.workspace
    # Somebody deleted the project while the event was answered: no write may make it anew.
    if not workspace.stranger and not os.path.isdir(workspace.data):
        return context.replace(done=True)
    from limpet.engine.record import record_crash
    from limpet.ground.config.mirror import drop_mirror
    from limpet.rules.plan.store import drop_plan

    record_crash(workspace, context.event, error, context.clock)
    # What was kept in the cache may be spoilt: once more without it, unless a command may have acted already.
    drop_plan(workspace)
    drop_mirror(workspace)
    if not context.may_act:
        try:
            return step(context)
        except Exception:
            pass
    return context.replied(done=True, block=_failed(context.event.kind, type(error).__name__).block)


def _failed(kind: str, what: str) -> Reply:
    if kind in QUIET:
        return Reply()
    from limpet.context.fitting import render_failure

    return Reply(block=render_failure(what))
