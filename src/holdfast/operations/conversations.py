"""What the conversations' states say of them all: which were there, when each was last heard of, and which are over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from holdfast.ground.timestamps import seconds_of
from holdfast.ground.workspace import Workspace
from holdfast.work.session import read_state_file


def read_states(workspace: Workspace) -> Iterator[dict[str, Any]]:
    """The state of each conversation of the project; what cannot be read, and what names none, is left out."""
    folder = workspace.path("sessions")
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        state = read_state_file(os.path.join(folder, name)) if name.endswith(".json") else {}
        if isinstance(state.get("id"), str):
            yield state


def last_activity(workspace: Workspace) -> dict[str, float]:
    """Conversation -> its last event, in seconds since 1970."""
    return {state["id"]: seconds_of(state.get("last_activity")) for state in read_states(workspace)}


def ended_conversations(workspace: Workspace) -> frozenset[str]:
    """Those whose end the host told of, and that were not taken up again."""
    return frozenset(state["id"] for state in read_states(workspace) if state.get("ended"))
