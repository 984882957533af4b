"""The job that reads the task which a conversation chose for itself (``*develop``) with what its story says."""

from __future__ import annotations

from typing import Any

from holdfast.ground.workspace import Workspace
from holdfast.operations.work.view import view_own_task


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Return the ``task`` as the conversation's state keeps it, and ``problems``. ``orders``: ``task``, its name."""
    task, problems = view_own_task(workspace, str(orders["task"]))
    return {"task": task, "problems": problems}
