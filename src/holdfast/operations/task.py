"""A conversation's own task with what its story says: for ``*develop``, which names a story that the project's session
does not."""

from __future__ import annotations

from typing import Any

from holdfast.ground.storage.files import stamp
from holdfast.ground.workspace import Workspace
from holdfast.operations.work_view import view_task
from holdfast.work.stories.store import story_file


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """``task``: as the state keeps it, with the story's ``file`` and its ``stamp``, by which a change is seen; and the
    ``problems`` in reading it."""
    problems: list[str] = []
    name = str(orders["task"])
    path = story_file(workspace, name)
    mark = stamp(path) if path else None
    task = view_task(workspace, {"id": name, "title": name} if mark else name, problems) or {}
    source = {"file": path, "stamp": list(mark)} if mark else {}
    return {"task": {**task, **source}, "problems": problems}
