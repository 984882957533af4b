"""When knowledge is captured, and what the second process that does it must know."""

from __future__ import annotations

from holdfast.engine.choose import active_agent
from holdfast.engine.turn import PREVIEW
from holdfast.engine.worker import run_job
from holdfast.transcripts.tail import size_of
from holdfast.work.session import TRIAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.engine.turn import Turn


def capture_before_compaction(turn: Turn) -> str:
    """Keep what the compaction would lose, within ``hosts.capture_deadline_ms``; the note to show where that failed."""
    if not captures(turn):
        return ""
    patience = turn.mirror.settings["hosts"]["capture_deadline_ms"] / 1000
    answer = run_job(turn.workspace, "capture", what_to_capture(turn), patience)
    return "" if answer is not None else "what the conversation taught may not have been kept before the compaction"


def captures(turn: Turn) -> bool:
    """Whether there is a real conversation to capture from, and the settings want it."""
    event = turn.event
    real = event.session and event.host != PREVIEW and not event.session.startswith(TRIAL)
    return bool(real and size_of(event.transcript) and turn.mirror.settings["memory"]["capture"])


def what_to_capture(turn: Turn) -> dict[str, Any]:
    """The job's orders."""
    event = turn.event
    return {
        "session": event.session,
        "host": event.host,
        "transcript": event.transcript,
        "agent": active_agent(turn),
        "now": turn.clock.now(),
    }
