"""The conversation that a job's orders name."""

from __future__ import annotations

from typing import Any

from holdfast.operations.memory.conversations.conversation import Conversation


def conversation_of(orders: dict[str, Any]) -> Conversation:
    """Return the conversation of orders with ``session`` and ``now``, and where they are known ``host``, ``transcript``
    and ``agent``."""
    told = {name: str(orders.get(name) or "") for name in ("host", "transcript", "agent")}
    return Conversation(session=str(orders["session"]), now=float(orders["now"]), **told)
