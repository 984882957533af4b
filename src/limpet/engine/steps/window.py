"""Measures how full the window is when the event comes, by the best figure there is (decision 3): the status line's,
the payload's or the transcript's."""

from __future__ import annotations

from limpet.context.brackets import bracket_of
from limpet.context.usage import Figures
from limpet.context.usage import measure as measure_usage
from limpet.engine.steps.epoch import CONTINUES, settle
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_text
from limpet.ground.storage.names import safe_name
from limpet.transcripts.reading import Reading
from limpet.transcripts.registry import usage_of
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.event_context import EventContext


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


def read_transcript(context: EventContext) -> Reading:
    """Return the transcript's last usage after the last compaction we know of; all unknown where none can be read."""
    usage = usage_of(context.event.host)
    return usage.read_usage(context.event.transcript, since=context.session["void_before"]) if usage else Reading()


def gather_figures(context: EventContext, reading: Reading) -> Figures:
    """Return all that is known about how full the window is."""
    session = context.session
    status = _status(context)
    prompts = session["prompt_count"] - int(session[EPOCH].get("began", 0))
    return Figures(
        status_used=status.get("used"),
        status_window=status.get("window") or reading.window,
        status_size=status.get("transcript_size") or 0,
        payload_used=context.event.context_tokens,
        transcript_used=reading.used,
        transcript_at=reading.at or 0,
        void_before=session["void_before"],
        model=model_of(context, reading),
        prompts=prompts,
        begun=prompts <= 1 or reading.size > 0,
    )


def model_of(context: EventContext, reading: Reading) -> str:
    """Return the model of the newest answer; where the client told of it with its mark of a large window, as it
    told."""
    told = context.event.model or str(context.session.get("model") or "")
    answered = reading.model or told
    return told if told.endswith("[1m]") and told.removesuffix("[1m]") in answered else answered


def _status(context: EventContext) -> dict[str, Any]:
    text = read_text(context.workspace.cached("status", f"{safe_name(context.event.session)}.json"), STATE_BYTES)
    return {
        name: value
        for name, value in read_object(text).items()
        if isinstance(value, int) and not isinstance(value, bool) and value > 0
    }
