"""When each conversation of the project was last heard of, which says whose session memories may be filed."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Any

from holdfast.ground.files import read_text
from holdfast.ground.jsontext import loads
from holdfast.ground.workspace import Workspace


def last_activity(workspace: Workspace) -> dict[str, float]:
    """Conversation -> its last event, in seconds since 1970; states that cannot be read are left out."""
    folder = workspace.path("sessions")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    states = (_state(os.path.join(folder, name)) for name in names if name.endswith(".json"))
    return {str(state["id"]): _seconds(state.get("last_activity")) for state in states if state.get("id")}


def _state(path: str) -> dict[str, Any]:
    try:
        found = loads(read_text(path) or "")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _seconds(moment: object) -> float:
    try:
        found = datetime.fromisoformat(str(moment))
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return 0.0
