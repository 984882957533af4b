"""The registration of our hooks in the client's settings: what is wrong with it is told, or refused."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext


def notice(context: EventContext) -> EventContext:
    """Tell the person what is newly wrong."""
    found = context.client.faults(context.workspace, False) if context.is_sent else ""
    return context.replied(f"Limpet: {found}") if found else context


def refuse(context: EventContext) -> EventContext:
    """Refuse settings that were just changed, of which the client shows nothing, to an agent's conversation."""
    found = context.client.faults(context.workspace, True) if context.is_sent else ""
    if not found:
        return context
    from limpet.engine.steps.guard import binds

    return context.replied(verdict="deny", reason=found) if binds(context.event, context.workspace) else context
