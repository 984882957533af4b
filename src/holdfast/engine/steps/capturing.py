"""When knowledge is captured, and what the second process that does it must know."""

from __future__ import annotations

from holdfast.engine.event_context import PREVIEW
from holdfast.engine.worker import run_jobs
from holdfast.transcripts.tail import size_of
from holdfast.work.session import TRIAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.engine.event_context import Turn


# What each job keeps, and what is said where it was not done in time.
KEEPS = {"continuation": "where the work stood", "capture": "what the conversation taught"}
LOST = "{} may not have been kept before the compaction"


def keep_before_compaction(turn: Turn) -> dict[str, Any]:
    """Keep what the compaction would lose, within ``hosts.capture_deadline_ms``: the fields of the conversation's state
    that tell afterwards how to go on, and what could not be kept."""
    if not is_real(turn):
        return {}
    patience = turn.mirror.settings["hosts"]["capture_deadline_ms"] / 1000
    jobs = tuple(KEEPS) if captures(turn) else ("continuation",)
    answers = run_jobs(turn.workspace, jobs, what_to_capture(turn), patience)
    lines = (answers[0] or {}).get("lines")
    late = " and ".join(KEEPS[job] for job, answer in zip(jobs, answers, strict=True) if answer is None)
    return {"continuation": lines if isinstance(lines, list) else [], "uncaptured": LOST.format(late) if late else ""}


def captures(turn: Turn) -> bool:
    """Whether there is a conversation to capture from, and the settings want it."""
    return is_real(turn) and bool(size_of(turn.event.transcript) and turn.mirror.settings["memory"]["capture"])


def is_real(turn: Turn) -> bool:
    """Whether it is a conversation that a host told of, no preview and no trial."""
    event = turn.event
    return bool(event.session) and event.host != PREVIEW and not event.session.startswith(TRIAL)


def what_to_capture(turn: Turn) -> dict[str, Any]:
    """The job's orders."""
    event = turn.event
    return {
        "session": event.session,
        "host": event.host,
        "transcript": event.transcript,
        "agent": turn.in_force.agent,
        "now": turn.clock.now(),
    }
