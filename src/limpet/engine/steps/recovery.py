"""What a full window calls for: the continuation file is written (decision 6), and where the user switched that on a
fresh conversation is started to go on from this one (decision 8)."""

from __future__ import annotations

from limpet.context.brackets import bracket_of
from limpet.engine.block.recovery import has_continuation, may_spawn, reasons_to_leave, says_it_starts
from limpet.engine.steps.epoch import CONTINUES
from limpet.ground.clock import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.context.values import Request
    from limpet.engine.event_context import EventContext

# Characters of the prompt that choose the memories in the file.
SEARCHED_CHARACTERS = 2000


def write_when_critical(context: EventContext) -> EventContext:
    """Have the file written by a second process, where there is an occasion that was not one at the last prompt."""
    assert context.request is not None
    occasion = _occasion(context.request)
    if context.is_kept and occasion and context.session.get("continued") != occasion:
        from limpet.engine.steps.capture import orders_of
        from limpet.engine.worker import start_job

        text = context.event.prompt[:SEARCHED_CHARACTERS]
        start_job(context.workspace, "continuation", orders_of(context) | {"text": text})
    return context.with_session(continued=occasion)


def write_when_resumed(context: EventContext) -> EventContext:
    """Have the file written where a conversation goes on in CRITICAL, before the block points to it; one that is there
    is brought up to date meanwhile."""
    assert context.usage is not None
    bracket = bracket_of(context.usage.remaining, context.mirror.settings["context"])
    if bracket == "CRITICAL" and context.event.source in CONTINUES and context.is_kept:
        from limpet.engine.steps.capture import orders_of
        from limpet.engine.worker import run_job, start_job

        if has_continuation(context):
            start_job(context.workspace, "continuation", orders_of(context))
        else:
            run_job(context.workspace, "continuation", orders_of(context), context.patience("capture_deadline"))
    return context


def spawn_when_due(context: EventContext) -> EventContext:
    """Start one, and mark that it was begun: at most once a conversation, never by one that was spawned itself, and
    never in silence: the block of this very prompt says so."""
    begun = context.session.get("spawn_begun") or context.session.get("spawned")
    reasons = reasons_to_leave(context) if may_spawn(context) and not begun else ()
    if not reasons or context.request is None or not any(map(says_it_starts, context.request.notes)):
        return context
    from limpet.engine.worker import start_module

    start_module(context.workspace, "limpet.hosts.spawn", context.workspace.home, context.event.session, *reasons)
    return context.with_session(spawn_begun=iso(context.clock.now()))


def _occasion(request: Request) -> str:
    """Return what the file is written for, "" where none is needed: CRITICAL, with this task and handoff."""
    if request.window.bracket != "CRITICAL":
        return ""
    task, handoff = request.work.task, request.work.handoff
    return f"{task.title if task else ''} {handoff.source if handoff else ''}."
