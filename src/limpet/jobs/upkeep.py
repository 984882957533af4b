"""The job of the daily maintenance: of memories, of the caches of projects that are gone, and of old archives."""

from __future__ import annotations

from typing import Any

from limpet.ground.storage.project_caches import remove_gone_caches
from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import WHOLE_STORE
from limpet.operations.caller import Caller
from limpet.operations.memory.upkeep import keep_up, keep_up_personal
from limpet.operations.project import open_as
from limpet.operations.removal import remove_archives_past
from limpet.operations.surroundings import Surroundings


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Do the maintenance; return the number of ``actions``.

    ``orders``: ``now`` in seconds since 1970, and perhaps ``session``, the conversation that starts.
    """
    around = Surroundings(conversation=str(orders.get("session") or ""))
    caller = Caller(reader=WHOLE_STORE, now=float(orders["now"]), surroundings=around, by="upkeep")
    project = open_as(workspace, caller)
    remove_gone_caches(project.settings["retention"]["days"], caller.now)
    remove_archives_past(caller.now)
    keep_up_personal(caller)
    return {"actions": len(keep_up(project).done)}
