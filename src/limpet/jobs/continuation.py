"""The job that writes a conversation's continuation: before a compaction, on entering CRITICAL and at an exit."""

from __future__ import annotations

from typing import Any

from limpet.ground.workspace import Workspace
from limpet.operations.memory.conversations.conversation import conversation_of
from limpet.operations.work.continuation import keep_continuation


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Write the file; return its ``path`` from the project's root, ``lines`` for the block after a compaction, and the
    number of ``memories`` that it quotes.

    ``orders``: ``session`` and ``now``, and where they are known ``host``, ``transcript``, ``agent`` and ``text``, the
    prompt that was just typed.
    """
    kept = keep_continuation(workspace, conversation_of(orders), str(orders.get("text") or ""))
    return {"path": kept.path, "lines": list(kept.lines), "memories": kept.memories}
