"""Conversations whose end nobody told (a client that was killed): what they taught is captured when the next one
starts."""

from __future__ import annotations

import os
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.operations.conversations import read_states
from holdfast.operations.memory.capture import capture, captured_until
from holdfast.operations.memory.conversation import Conversation
from holdfast.operations.work.status import active_agent
from holdfast.transcripts.registry import TRANSCRIPTS
from holdfast.transcripts.tail import size_of

# Seconds without a new line after which a transcript counts as left.
QUIET = 600.0
MOST = 10


def catch_up(workspace: Workspace, now: float, starting: str = "") -> int:
    """Return how many conversations were caught up with, at most the ``MOST`` newest; ``starting`` is the id of one
    that goes on."""
    left = [state for state in read_states(workspace) if state["id"] != starting and _is_left(workspace, state, now)]
    left.sort(key=lambda state: str(state.get("last_activity")), reverse=True)
    return sum(_capture(workspace, state, now) for state in left[:MOST])


def finish(workspace: Workspace, session: str, now: float) -> None:
    """Capture what one conversation still holds, its digest too, before its session memories are filed."""
    for state in read_states(workspace):
        if state["id"] == session and _says_more(workspace, state):
            _capture(workspace, state, now)


def _capture(workspace: Workspace, state: dict[str, Any], now: float) -> bool:
    session, agent = state["id"], active_agent(workspace, state["id"])
    left = Conversation(session=session, now=now, host=state["host"], transcript=state["transcript"], agent=agent)
    try:
        capture(workspace, left)
    except HoldfastError:  # another capture of it is at work, or a memory cannot be written
        return False
    return True


def _is_left(workspace: Workspace, state: dict[str, Any], now: float) -> bool:
    """Return whether its transcript is quiet, and says more than was captured."""
    try:
        written = os.stat(str(state.get("transcript"))).st_mtime
    except (OSError, ValueError):
        return False
    return now - written > QUIET and _says_more(workspace, state)


def _says_more(workspace: Workspace, state: dict[str, Any]) -> bool:
    path = state.get("transcript")
    if not isinstance(path, str) or state.get("host") not in TRANSCRIPTS:
        return False
    return size_of(path) > captured_until(workspace, state["id"], path)
