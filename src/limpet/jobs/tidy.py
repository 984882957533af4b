"""The job that removes the drafts of killed writers."""

from __future__ import annotations

from typing import Any

from limpet.ground.workspace import Workspace
from limpet.hosts.doctor.traces import remove_old_drafts


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Remove them; return their number as ``drafts``. ``orders``: ``now`` in seconds since 1970."""
    return {"drafts": len(remove_old_drafts(workspace, float(orders["now"])))}
