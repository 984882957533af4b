"""The job that logs a failed call of a tool."""

from __future__ import annotations

from typing import Any

from holdfast.ground.workspace import Workspace
from holdfast.operations.memory.conversations.conversation import Conversation
from holdfast.operations.memory.conversations.tool_failures import keep_failure


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Log the failure; return the number of ``gotchas`` that are new or confirmed.

    ``orders``: ``error``, ``tool``, ``tool_use_id`` and ``paths`` (see ``keep_failure``); of the conversation
    ``session``, ``now`` and perhaps ``agent``.
    """
    conversation = Conversation(
        session=str(orders["session"]), now=float(orders["now"]), agent=str(orders.get("agent") or "")
    )
    error, tool, call = (str(orders[name]) for name in ("error", "tool", "tool_use_id"))
    return {"gotchas": keep_failure(workspace, conversation, error, tool, call, tuple(map(str, orders["paths"])))}
