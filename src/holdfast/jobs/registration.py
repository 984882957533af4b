"""The job that has the host tell of the events that the project's rules need."""

from __future__ import annotations

from typing import Any

from holdfast.ground.workspace import Workspace
from holdfast.hosts.completion import complete_hooks


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Add the missing hooks; return their events as ``added``. ``orders``: ``host``."""
    return {"added": list(complete_hooks(workspace, str(orders["host"])))}
