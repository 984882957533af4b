"""The daily maintenance of memories: tiers, filing, archive, what was forgotten long ago."""

from __future__ import annotations

from typing import Any

from holdfast.engine.conversations import last_activity
from holdfast.engine.jobs.library import open_library
from holdfast.ground.workspace import Workspace
from holdfast.memory.access import PERSON


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """How many actions were taken."""
    library = open_library(workspace, orders, PERSON, "upkeep")
    done = library.clean(last_active=last_activity(workspace))
    library.refresh()
    return {"actions": len(done.done)}
