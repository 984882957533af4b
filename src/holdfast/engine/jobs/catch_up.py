"""Conversations whose end nobody told (a client that was killed): what they taught is captured when the next one
starts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from holdfast.engine.jobs import capture
from holdfast.ground.errors import HoldfastError
from holdfast.ground.files import read_text
from holdfast.ground.jsontext import loads
from holdfast.ground.workspace import Workspace

# Seconds without a new line after which a transcript counts as left.
QUIET = 600.0
MOST = 10


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """How many conversations were caught up with, at most the ``MOST`` newest."""
    left = [state for state in _states(workspace) if _is_left(workspace, state, orders)]
    left.sort(key=lambda state: str(state.get("last_activity")), reverse=True)
    done = 0
    for state in left[:MOST]:
        with suppress(HoldfastError):  # another capture of it is at work, or a memory cannot be written
            capture.run(workspace, _orders(state, orders))
            done += 1
    return {"conversations": done}


def _states(workspace: Workspace) -> Iterator[dict[str, Any]]:
    folder = workspace.path("sessions")
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        with suppress(ValueError):
            found = loads(read_text(os.path.join(folder, name)) or "") if name.endswith(".json") else None
            if isinstance(found, dict) and isinstance(found.get("id"), str):
                yield found


def _is_left(workspace: Workspace, state: dict[str, Any], orders: dict[str, Any]) -> bool:
    """Whether its transcript says more than was captured, and is quiet."""
    path, session = state.get("transcript"), state["id"]
    if session == orders.get("session") or not isinstance(path, str) or state.get("host") not in capture.TRANSCRIPTS:
        return False
    try:
        about = os.stat(path)
    except OSError:
        return False
    quiet = float(orders["now"]) - about.st_mtime > QUIET
    return quiet and about.st_size > capture.captured_until(workspace, session, path)


def _orders(state: dict[str, Any], orders: dict[str, Any]) -> dict[str, Any]:
    agent = state.get("active_agent")
    return {
        "session": state["id"],
        "host": state["host"],
        "transcript": state["transcript"],
        "agent": agent if isinstance(agent, str) and agent != "none" else "",
        "now": orders["now"],
    }
