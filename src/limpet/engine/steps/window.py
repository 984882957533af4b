"""Measures how full the window is when the event comes, by the best figure there is (decision 3): the status line's,
the payload's or the transcript's."""

from __future__ import annotations

from limpet.context.usage import GROWTH, MARK, MODEL, UsageFigures, bracket_of, plain_model
from limpet.context.usage import measure as measure_usage
from limpet.engine.branches import leave_branches, note_prompt
from limpet.engine.event_context import CONTINUES, EventContext
from limpet.engine.recovery import last_score
from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import safe_name
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_text
from limpet.transcripts.registry import usage_of
from limpet.transcripts.tail import Reading, size_of
from limpet.work.session import EPOCH, FAILED, PROMPTS, read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.context.usage import WindowUsage
    from limpet.ground.event import Event
    from limpet.ground.workspace import Workspace

# What of an epoch says nothing of what was sent in it.
LASTING = ("began", PROMPTS, FAILED)


def measure_window(context: EventContext) -> EventContext:
    """Count the prompt, and those in a row in CRITICAL, and measure; a compaction that the transcript alone tells of is
    found here."""
    reading = read_transcript(context)
    context = leave_branches(settle_epoch(_forget(context), reading.boundary))
    context = context.with_session(prompt_count=context.session["prompt_count"] + 1)
    context = context.replace(session=note_prompt(context.session, context.event))
    usage = _measure(context, gather_figures(context, reading))
    is_critical = bracket_of(usage.remaining, context.mirror.settings["context"]) == "CRITICAL"
    context = context.with_session(critical_streak=context.session["critical_streak"] + 1 if is_critical else 0)
    return context.replace(usage=usage, model=model_of(context, reading))


def measure_window_at_start(context: EventContext) -> EventContext:
    """Nothing is used yet but where an older conversation goes on."""
    figures = gather_figures(context, read_transcript(context))
    if context.event.source not in CONTINUES:
        figures = figures.replace(status_used=None, payload_used=None, transcript_used=None, begun=True)
    usage = _measure(context, figures)
    return context.replace(
        usage=usage, model=context.event.model or context.client.model() or context.session.get("model") or ""
    )


def read_transcript(context: EventContext) -> Reading:
    """The transcript's last usage after the last compaction we know of; all unknown where none can be read."""
    usage = usage_of(context.event.host)
    return usage.read_usage(context.event.transcript, since=context.session["void_before"]) if usage else Reading()


def gather_figures(context: EventContext, reading: Reading) -> UsageFigures:
    session = context.session
    status = _status(context)
    prompts = session["prompt_count"] - int(session[EPOCH].get("began", 0))
    model, last = model_of(context, reading), session["usage"] or {}
    has_grown = last.get("told_by") == GROWTH and model == session.get("model")
    return UsageFigures(
        status_used=status.get("used"),
        status_window=status.get("window") or reading.window,
        status_size=status.get("transcript_size") or 0,
        grown_window=last["window"] if has_grown else 0,
        payload_used=context.event.context_tokens,
        transcript_used=reading.used,
        transcript_at=reading.at or 0,
        void_before=session["void_before"],
        model=model,
        prompts=prompts,
        begun=prompts <= 1 or reading.size > 0,
    )


def model_of(context: EventContext, reading: Reading) -> str:
    """The model of the newest answer; where the client told of it with its mark of a large window, as it told."""
    told = context.event.model or str(context.session.get("model") or "")
    answered = reading.model or told
    return told if told.endswith(MARK) and plain_model(told) in plain_model(answered) else answered


def after_compaction(event: Event, workspace: Workspace) -> Event:
    """Return the event, which can bring a block, as the start that follows a compaction elsewhere, where the client
    told of one and tells no more of it."""
    is_made = _is_awaited(read_state(workspace, event.session).get("marker"))
    return event.replace(kind="session_start", source="compact") if is_made else event


def begin_epoch(context: EventContext) -> EventContext:
    """After a compaction with a note of what was lost."""
    source = context.event.source
    if source == "compact":
        lost = context.session.get("uncaptured")
        if isinstance(lost, str) and lost:
            context = context.noted(lost)
        return confirm_compaction(context.replace(told=_told(context)))
    if source in CONTINUES:
        return leave_branches(context)
    return context.with_session(**{EPOCH: {"began": context.session["prompt_count"]}}, void_before=0, marker=None)


def mark_compaction(context: EventContext) -> EventContext:
    """Set the marker of a compaction that is about to be made; only a confirmed one counts, or the one before where
    nothing confirms any."""
    if not context.client.confirms and _is_awaited(context.session["marker"]):
        context = _confirm(context)
    return context.with_session(
        marker={
            "at": iso(context.clock.now()),
            "trigger": context.event.source,
            "size": size_of(context.event.transcript),
            "confirmed": False,
            "unseen": _is_told(context.session["marker"]),
        },
        score_before_compaction=last_score(context),
    )


def confirm_compaction(context: EventContext) -> EventContext:
    """Confirm the compaction, unless another event did so already: hosts differ in which comes first, its end or the
    session start that follows it."""
    marker = context.session["marker"]
    return context if isinstance(marker, dict) and marker.get("confirmed") else _confirm(context)


def settle_epoch(context: EventContext, boundary: int | None) -> EventContext:
    """At the next prompt a boundary in the transcript that no event told of is a compaction too. Where an event told of
    it, its boundary is seen here for the first time and set behind us, so that it counts once; a marker that no
    compaction followed is void, unless nothing would tell of one."""
    marker = context.session["marker"]
    if boundary is None and not context.client.confirms and _is_awaited(marker):
        return _confirm(context).with_session(marker=None)
    if boundary is None:
        return _void(context, marker) if marker else context
    return (context if _is_told(marker) else _confirm(context)).with_session(void_before=boundary + 1, marker=None)


def _forget(context: EventContext) -> EventContext:
    """Where what a prompt was answered leaves the window with its turn, nothing of it counts as sent."""
    if context.client.keeps:
        return context
    lasting = {name: value for name, value in context.session[EPOCH].items() if name in LASTING}
    return context.with_session(**{EPOCH: lasting})


def _measure(context: EventContext, figures: UsageFigures) -> WindowUsage:
    """The client's settings are read only where they may say more than the model's name, and it counts."""
    settings = context.mirror.settings["context"]
    usage = measure_usage(figures, settings)
    if usage.told_by != MODEL or usage.remaining >= settings["brackets"]["FRESH"]:
        return usage
    return measure_usage(figures.replace(set_window=context.client.window(figures.model)), settings)


def _status(context: EventContext) -> dict[str, Any]:
    text = read_text(context.workspace.cached("status", f"{safe_name(context.event.session)}.json"), STATE_BYTES)
    return {
        name: value
        for name, value in read_object(text).items()
        if isinstance(value, int) and not isinstance(value, bool) and value > 0
    }


def _told(context: EventContext) -> tuple[str, ...]:
    kept = context.session.get("kept")
    if not kept:
        return ()
    from limpet.engine.messages import describe_kept

    return describe_kept(kept)


def _confirm(context: EventContext) -> EventContext:
    session = context.session
    return context.with_session(
        compactions=session["compactions"] + 1,
        critical_streak=0,
        marker={"at": iso(context.clock.now()), "confirmed": True},
        void_before=size_of(context.event.transcript),
        **{EPOCH: {"began": session["prompt_count"]}},
    )


def _void(context: EventContext, marker: object) -> EventContext:
    gone = () if _is_told(marker) else ("continuation",)
    kept = {name: value for name, value in context.session.items() if name not in gone}
    return context.replace(session={**kept, "marker": None})


def _is_awaited(marker: object) -> bool:
    return isinstance(marker, dict) and not marker.get("confirmed")


def _is_told(marker: object) -> bool:
    """Whether an event told of a compaction whose boundary is ``unseen`` yet, even if another one was begun since."""
    return isinstance(marker, dict) and bool(marker.get("confirmed") or marker.get("unseen"))
