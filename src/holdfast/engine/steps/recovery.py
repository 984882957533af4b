"""A fresh conversation is started to go on from this one, where the user switched that on (decision 8)."""

from __future__ import annotations

from holdfast.engine.block.recovery import may_spawn, reasons_to_leave, says_it_starts
from holdfast.ground.clock import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext


def spawn_when_due(context: EventContext) -> EventContext:
    """Start one, and mark that it was begun: at most once a conversation, never by one that was spawned itself, and
    never in silence: the block of this very prompt says so."""
    begun = context.session.get("spawn_begun") or context.session.get("spawned")
    reasons = reasons_to_leave(context) if may_spawn(context) and not begun else ()
    if not reasons or context.request is None or not any(map(says_it_starts, context.request.notes)):
        return context
    from holdfast.engine.worker import start_module

    start_module(context.workspace, "holdfast.hosts.spawn", context.workspace.home, context.event.session, *reasons)
    return context.with_session(spawn_begun=iso(context.clock.now()))
