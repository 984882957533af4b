"""The job that logs a failed call of a tool."""

from __future__ import annotations

from typing import Any

from limpet.ground.workspace import Workspace
from limpet.operations.memory.conversations.conversation import conversation_of
from limpet.operations.memory.gotchas import log_failure


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Log the failure; return the number of ``gotchas`` that are new or confirmed.

    ``orders``: ``error``, ``tool``, ``tool_use_id`` and ``paths`` (see ``keep_failure``); of the conversation
    ``session``, ``now`` and perhaps ``agent``.
    """
    error, tool, call = (str(orders[name]) for name in ("error", "tool", "tool_use_id"))
    paths = tuple(map(str, orders["paths"]))
    return {"gotchas": log_failure(workspace, conversation_of(orders), error, tool, call, paths)}
