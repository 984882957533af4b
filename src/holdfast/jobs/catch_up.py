"""The capture of conversations that were left, when another one starts."""

from __future__ import annotations

from typing import Any

from holdfast.ground.workspace import Workspace
from holdfast.operations.memory.catch_up import catch_up


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Catch up at the moment ``now`` with all but the conversation ``session``; the answer counts ``conversations``."""
    return {"conversations": catch_up(workspace, float(orders["now"]), str(orders.get("session") or ""))}
