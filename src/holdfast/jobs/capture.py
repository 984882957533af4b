"""The capture of a conversation from the hook."""

from __future__ import annotations

from typing import Any

from holdfast.ground.workspace import Workspace
from holdfast.operations.memory.capture import capture
from holdfast.operations.memory.conversation import Conversation


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Capture the conversation of the orders ``session``, ``host``, ``transcript``, ``agent`` and ``now``.

    The answer counts memories by what became of them. Raises HoldfastError while another capture of the conversation
    is at work.
    """
    conversation = Conversation(
        session=str(orders["session"]),
        now=float(orders["now"]),
        host=str(orders["host"]),
        transcript=str(orders["transcript"]),
        agent=str(orders.get("agent") or ""),
    )
    return dict(capture(workspace, conversation))
