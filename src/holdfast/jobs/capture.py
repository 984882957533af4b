"""The job that captures what a conversation taught."""

from __future__ import annotations

from typing import Any

from holdfast.ground.workspace import Workspace
from holdfast.operations.memory.conversations.capture import capture
from holdfast.operations.memory.conversations.conversation import Conversation


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Capture a conversation; return the number of memories by what became of them.

    ``orders``: the fields of ``Conversation``: ``session``, ``host``, ``transcript``, ``now`` and perhaps ``agent``.
    Raises HoldfastError while another capture of the conversation is at work.
    """
    conversation = Conversation(
        session=str(orders["session"]),
        now=float(orders["now"]),
        host=str(orders["host"]),
        transcript=str(orders["transcript"]),
        agent=str(orders.get("agent") or ""),
    )
    return dict(capture(workspace, conversation))
