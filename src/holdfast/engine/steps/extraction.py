"""Has a model say what a conversation taught, where the user chose one: nobody waits for it (decision 50)."""

from __future__ import annotations

from holdfast.engine.steps.capture import captures, orders_of
from holdfast.engine.worker import start_job

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext


def start(context: EventContext) -> EventContext:
    """Start the job and go."""
    if context.mirror.settings["memory"]["capture_model"] and captures(context):
        start_job(context.workspace, "extract", orders_of(context))
    return context
