"""The capture of conversations that ended unnoticed, such as by a client that was killed, when the next one starts."""

from __future__ import annotations

import os
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.workspace import Workspace
from limpet.operations.conversations import note_title, read_states
from limpet.operations.memory.conversations.capture import capture, captured_title, captured_until
from limpet.operations.memory.conversations.conversation import Conversation
from limpet.operations.memory.conversations.privacy import is_kept_out
from limpet.operations.work.status import active_agent
from limpet.transcripts.registry import TRANSCRIPTS
from limpet.transcripts.tail import size_of

# Seconds without a new line after which a transcript counts as ended.
QUIET = 600.0
# Conversations that one start catches up with: the second process has other jobs to do.
MOST = 10


def catch_up(workspace: Workspace, now: float, starting: str = "") -> int:
    """Capture at most the ``MOST`` newest of them; return how many were captured. ``starting`` is the id of the
    conversation that starts, which is left alone."""
    ended = [state for state in read_states(workspace) if state["id"] != starting and _has_ended(workspace, state, now)]
    ended.sort(key=lambda state: str(state.get("last_activity")), reverse=True)
    return sum(_capture(workspace, state, now) for state in ended[:MOST])


def _capture(workspace: Workspace, state: dict[str, Any], now: float) -> bool:
    session, agent = state["id"], active_agent(workspace, state["id"])
    ended = Conversation(session=session, now=now, host=state["host"], transcript=state["transcript"], agent=agent)
    try:
        capture(workspace, ended)
        note_title(workspace, session, captured_title(workspace, session))
    except LimpetError:  # another capture of it is at work, or a memory cannot be written
        return False
    return True


def _has_ended(workspace: Workspace, state: dict[str, Any], now: float) -> bool:
    """Return whether the transcript is quiet, and has grown since it was captured."""
    try:
        written = os.stat(str(state.get("transcript"))).st_mtime
    except (OSError, ValueError):
        return False
    return now - written > QUIET and _has_grown(workspace, state)


def _has_grown(workspace: Workspace, state: dict[str, Any]) -> bool:
    path = state.get("transcript")
    if not isinstance(path, str) or state.get("host") not in TRANSCRIPTS:
        return False
    return size_of(path) > captured_until(workspace, state["id"], path) and not is_kept_out(
        state["id"], state["host"], path
    )
