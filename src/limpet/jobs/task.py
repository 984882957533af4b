"""The job that reads the task which a conversation chose for itself (``*develop``) with what its story says."""

from __future__ import annotations

from typing import Any

from limpet.ground.workspace import Workspace
from limpet.operations.project import open_unasked
from limpet.operations.work.view import view_own_task
from limpet.work.stories.store import nearest_story


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Return the ``task`` as the conversation's state keeps it, ``problems``, and where it is no story the ``nearest``
    one, "" for none. ``orders``: ``task``, its name."""
    name = str(orders["task"])
    task, problems = view_own_task(open_unasked(workspace), name)
    near = {} if task.get("file") else {"nearest": nearest_story(workspace, name)}
    return {"task": task, "problems": problems, **near}
