"""The registration of our hooks in the client's settings: what is wrong with it is told, and where rules need more
events than prompts, a second process sees to it that the host tells of them from the next conversation on."""

from __future__ import annotations

from holdfast.engine.steps.epoch import BEGINNINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext


def notice(context: EventContext) -> EventContext:
    """Tell the person what is newly wrong."""
    found = context.client.faults(context.workspace, False) if context.is_sent else ""
    return context.replied(f"Holdfast: {found}") if found else context


def refuse(context: EventContext) -> EventContext:
    """Refuse settings that were just changed, of which the client shows nothing, to an agent's conversation."""
    found = context.client.faults(context.workspace, True) if context.is_sent else ""
    if not found:
        return context
    from holdfast.engine.steps.guard import binds

    return context.replied(verdict="deny", reason=found) if binds(context.event, context.workspace) else context


def complete(context: EventContext) -> EventContext:
    """Have missing hooks added; most projects have no rules that need them, and nothing is started."""
    assert context.plan is not None
    if context.is_sent and context.event.source in BEGINNINGS and "checked" in context.plan.matcher:
        from holdfast.engine.worker import start_job

        start_job(context.workspace, "registration", {"host": context.event.host, "session": context.event.session})
    return context
