"""What a conversation starts from, brought up to date: the memories' index with their files, and the state of the specs
with the sources that they describe, which no stamp of the mirror's tells of."""

from __future__ import annotations

import os
from typing import Any

from holdfast.ground.config.mirror import SPECS
from holdfast.ground.config.settings import load_settings
from holdfast.ground.workspace import Workspace
from holdfast.memory.index.sync import refresh
from holdfast.memory.model.layout import memories
from holdfast.operations.mirror import refresh as refresh_mirror


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """How many entries were read again."""
    if os.path.isfile(workspace.path(SPECS)):
        refresh_mirror(workspace)
    if not os.path.isdir(memories(workspace.shared)):
        return {"changed": 0, "removed": 0}
    settings, _ = load_settings(workspace)
    done = refresh(workspace.shared, settings["memory"], float(orders["now"]))
    return {"changed": done.changed, "removed": done.removed}
