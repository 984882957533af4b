"""The index brought up to date with the files."""

from __future__ import annotations

from typing import Any

from holdfast.ground.settings import load_settings
from holdfast.ground.workspace import Workspace
from holdfast.memory.index import refresh


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """How many entries were read again."""
    settings, _ = load_settings(workspace)
    done = refresh(workspace.shared, settings["memory"], float(orders["now"]))
    return {"changed": done.changed, "removed": done.removed}
