"""A conversation starts where rules need more than prompts: a second process sees to it that the host tells of it, from
the next conversation on."""

from __future__ import annotations

from holdfast.engine.steps.upkeep import BEGINNINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext


def complete(context: EventContext) -> EventContext:
    """Have missing hooks added; most projects have no such rules, and nothing is started."""
    assert context.plan is not None
    matcher = context.plan.matcher
    if context.is_sent and context.event.source in BEGINNINGS and "checked" in matcher:
        from holdfast.engine.worker import start_job

        start_job(context.workspace, "registration", {"host": context.event.host, "session": context.event.session})
    return context
