"""Measures how full the window is when the event comes, by the best figure there is (decision 3)."""

from __future__ import annotations

from holdfast.context.brackets import bracket_of
from holdfast.context.usage import measure as measure_usage
from holdfast.engine.block.figures import gather_figures, model_of, read_transcript
from holdfast.engine.steps.epoch import CONTINUES, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext


def measure(context: EventContext) -> EventContext:
    """Count the prompt, and those in a row in CRITICAL, and measure; a compaction that the transcript alone tells of is
    found here."""
    reading = read_transcript(context)
    context = settle(context, reading.boundary)
    context = context.with_session(prompt_count=context.session["prompt_count"] + 1)
    usage = measure_usage(gather_figures(context, reading), context.mirror.settings["context"])
    is_critical = bracket_of(usage.remaining, context.mirror.settings["context"]) == "CRITICAL"
    context = context.with_session(critical_streak=context.session["critical_streak"] + 1 if is_critical else 0)
    return context.replace(usage=usage, model=model_of(context, reading))


def measure_at_start(context: EventContext) -> EventContext:
    """Measure where an older conversation goes on; elsewhere nothing is used yet."""
    figures = gather_figures(context, read_transcript(context))
    if context.event.source not in CONTINUES:
        figures = figures.replace(status_used=None, payload_used=None, transcript_used=None, begun=True)
    usage = measure_usage(figures, context.mirror.settings["context"])
    return context.replace(usage=usage, model=context.event.model or context.session.get("model") or "")
