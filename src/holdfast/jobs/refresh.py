"""The job that brings up to date what a conversation starts from."""

from __future__ import annotations

from typing import Any

from holdfast.ground.workspace import Workspace
from holdfast.operations.refresh import refresh_all


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """``orders``: ``now``. The answer: how many memories ``changed``, and how many were ``removed``."""
    done = refresh_all(workspace, float(orders["now"]))
    return {"changed": done.changed, "removed": done.removed}
