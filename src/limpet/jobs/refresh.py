"""The job that brings the memories' indexes and the mirror up to date, when a conversation starts."""

from __future__ import annotations

from typing import Any

from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import WHOLE_STORE
from limpet.operations.caller import Caller
from limpet.operations.memory.upkeep import refresh_personal
from limpet.operations.refresh import refresh_all


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Return how many memories were ``changed`` and ``removed``, and how many are ``unread`` because its time was over:
    the next one continues them. ``orders``: ``now`` in seconds since 1970."""
    now = float(orders["now"])
    done = refresh_all(workspace, now)
    refresh_personal(Caller(reader=WHOLE_STORE, now=now, by="refresh"))
    return {"changed": done.changed, "removed": done.removed, "unread": done.unread}
