"""All conversations by their states: which were there, when each was last heard of, and which are over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast.ground.timestamps import seconds_of
from holdfast.ground.workspace import Workspace
from holdfast.work.session import read_state_file, session_paths


def read_states(workspace: Workspace) -> Iterator[dict[str, Any]]:
    """The state of each conversation of the project; what cannot be read, and what names none, is left out."""
    for path in session_paths(workspace):
        state = read_state_file(path)
        if isinstance(state.get("id"), str):
            yield state


def last_activity(workspace: Workspace) -> dict[str, float]:
    """Conversation -> its last event, in seconds since 1970."""
    return {state["id"]: seconds_of(state.get("last_activity")) for state in read_states(workspace)}


def ended_conversations(workspace: Workspace) -> frozenset[str]:
    """Those whose end the host told of, and that were not taken up again."""
    return frozenset(state["id"] for state in read_states(workspace) if state.get("ended"))
