"""Conversations whose end nobody told (a client that was killed): what they taught is captured when the next one
starts."""

from __future__ import annotations

import os
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.operations.conversations import read_states
from holdfast.operations.memory import capture
from holdfast.operations.work_status import active_agent
from holdfast.transcripts.registry import TRANSCRIPTS
from holdfast.transcripts.tail import size_of

# Seconds without a new line after which a transcript counts as left.
QUIET = 600.0
MOST = 10


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """How many conversations were caught up with, at most the ``MOST`` newest."""
    left = [state for state in read_states(workspace) if _is_left(workspace, state, orders)]
    left.sort(key=lambda state: str(state.get("last_activity")), reverse=True)
    return {"conversations": sum(_capture(workspace, state, orders) for state in left[:MOST])}


def finish(workspace: Workspace, session: str, now: float) -> None:
    """Capture what one conversation still holds, its digest too, before its session memories are filed."""
    for state in read_states(workspace):
        if state["id"] == session and _says_more(workspace, state):
            _capture(workspace, state, {"now": now})


def _capture(workspace: Workspace, state: dict[str, Any], orders: dict[str, Any]) -> bool:
    try:
        capture.run(workspace, _orders(workspace, state, orders))
    except HoldfastError:  # another capture of it is at work, or a memory cannot be written
        return False
    return True


def _is_left(workspace: Workspace, state: dict[str, Any], orders: dict[str, Any]) -> bool:
    """Whether its transcript says more than was captured, and is quiet."""
    quiet = float(orders["now"]) - _last_written(state) > QUIET
    return quiet and state["id"] != orders.get("session") and _says_more(workspace, state)


def _says_more(workspace: Workspace, state: dict[str, Any]) -> bool:
    path = state.get("transcript")
    if not isinstance(path, str) or state.get("host") not in TRANSCRIPTS:
        return False
    return size_of(path) > capture.captured_until(workspace, state["id"], path)


def _last_written(state: dict[str, Any]) -> float:
    try:
        return os.stat(str(state.get("transcript"))).st_mtime
    except (OSError, ValueError):
        return float("inf")


def _orders(workspace: Workspace, state: dict[str, Any], orders: dict[str, Any]) -> dict[str, Any]:
    return {
        "session": state["id"],
        "host": state["host"],
        "transcript": state["transcript"],
        "agent": active_agent(workspace, state["id"]),
        "now": orders["now"],
    }
