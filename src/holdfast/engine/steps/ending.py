"""A conversation ends: what it leaves is captured by a second process, because the host gives a second and a half."""

from __future__ import annotations

from holdfast.engine.event_context import Outcome, Turn
from holdfast.engine.steps.capturing import captures, what_to_capture
from holdfast.engine.worker import start_job
from holdfast.ground.clock import iso


def answer(turn: Turn) -> Outcome:
    """Note the end and start the capture."""
    session = {**turn.session, "ended": iso(turn.clock.now())}
    if captures(turn):
        start_job(turn.workspace, "capture", what_to_capture(turn))
    return Outcome(session=session)
