"""The job that brings the memories' index and the mirror up to date, when a conversation starts."""

from __future__ import annotations

from typing import Any

from holdfast.ground.workspace import Workspace
from holdfast.operations.refresh import refresh_all


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Return how many memories were ``changed`` and ``removed``. ``orders``: ``now`` in seconds since 1970."""
    done = refresh_all(workspace, float(orders["now"]))
    return {"changed": done.changed, "removed": done.removed}
