"""The job that captures conversations which ended unnoticed, when another one starts, and makes past ones
searchable."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.workspace import Workspace
from limpet.operations.memory.conversations.capture import catch_up
from limpet.operations.memory.conversations.sessions import index_sessions
from limpet.operations.project import open_unasked


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Capture all but the conversation that starts; return how many ``conversations`` were captured.

    ``orders``: ``now`` in seconds since 1970, and perhaps ``session``, the conversation that starts.
    """
    captured = catch_up(workspace, float(orders["now"]), str(orders.get("session") or ""))
    with suppress(LimpetError):  # another process is at it, or capture is switched off
        index_sessions(open_unasked(workspace))
    return {"conversations": captured}
