"""The job that has a model say what a conversation taught, where the user chose one."""

from __future__ import annotations

import os
from typing import Any

from limpet.ground.workspace import Workspace
from limpet.hosts.asking import ask_model
from limpet.operations.memory.conversations.conversation import conversation_of
from limpet.operations.memory.conversations.extraction import extract


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Extract from a conversation; return the number of memories by what became of them.

    ``orders``: those of ``capture``. Raise LimpetError while another extraction of the conversation is at work.
    """
    host = str(orders["host"])
    asked = extract(
        workspace,
        conversation_of(orders),
        lambda model, prompt, seconds: ask_model(workspace, host, model, prompt, seconds, os.environ),
    )
    return dict(asked)
