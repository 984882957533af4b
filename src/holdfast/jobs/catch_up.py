"""The job that captures conversations which ended unnoticed, when another one starts."""

from __future__ import annotations

from typing import Any

from holdfast.ground.workspace import Workspace
from holdfast.operations.memory.catch_up import catch_up


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Capture all but the conversation that starts; return how many ``conversations`` were captured.

    ``orders``: ``now`` in seconds since 1970, and perhaps ``session``, the conversation that starts.
    """
    return {"conversations": catch_up(workspace, float(orders["now"]), str(orders.get("session") or ""))}
