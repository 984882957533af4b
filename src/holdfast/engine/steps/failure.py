"""A tool failed: the error is handed to a second process, which keeps it and makes a gotcha of one that comes again."""

from __future__ import annotations

from holdfast.engine.event_context import PREVIEW, Outcome, Turn
from holdfast.engine.worker import start_job
from holdfast.work.session import TRIAL

LONGEST = 4000
PATHS = ("file_path", "path", "notebook_path")


def answer(turn: Turn) -> Outcome:
    """Start the job; the conversation's state stays as it is."""
    event = turn.event
    real = event.host != PREVIEW and not event.session.startswith(TRIAL)
    if real and event.error and turn.mirror.settings["memory"]["capture"]:
        start_job(turn.workspace, "failure", _what_failed(turn))
    return Outcome(session=turn.session)


def _what_failed(turn: Turn) -> dict[str, object]:
    event = turn.event
    given = event.tool_input or {}
    return {
        "session": event.session,
        "agent": turn.in_force.agent,
        "tool": " ".join(part for part in (event.tool, given.get("command")) if isinstance(part, str))[:LONGEST],
        "tool_use_id": event.tool_use_id,
        "error": event.error[:LONGEST],
        "paths": [value for name in PATHS if isinstance(value := given.get(name), str)],
        "now": turn.clock.now(),
    }
