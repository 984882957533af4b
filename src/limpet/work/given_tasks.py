"""The tasks that subagents were just given: the call that starts one has its words, and the event of its start has not.
They lie in the worktree's state for the moment between the two, in which no state of the conversation is locked."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.workspace import Workspace

# Arguments of the clients' tools that hold the task, and the type of the subagent.
TASKS, TYPES = ("prompt", "message", "task", "request", "objective", "query"), ("subagent_type", "agent_type", "agent")
# Seconds in which a subagent starts, tasks that wait for one, and characters of a task.
SOON, MOST, LONGEST = 60.0, 16, 4000


def note_task(workspace: Workspace, given: Mapping[str, object], now: float) -> None:
    """``given``: the arguments of the call. Raise OSError."""
    task = _first(given, TASKS)
    if not task:
        return
    from limpet.ground.formats.json_text import dumps
    from limpet.ground.storage.files import write_atomic

    waiting = [*_waiting(workspace, now), [now, _first(given, TYPES), task[:LONGEST]]]
    write_atomic(_path(workspace), dumps({"tasks": waiting[-MOST:]}), follow=False)


def take_task(workspace: Workspace, agent_type: str, now: float) -> str:
    """Return the oldest that waits for a subagent of this type, of any where none is told; "" for none."""
    if not os.path.isfile(_path(workspace)):
        return ""
    waiting = _waiting(workspace, now)
    fitting = [one for one in waiting if one[1] == agent_type] or [one for one in waiting if not one[1]]
    if not fitting:
        return ""
    from limpet.ground.formats.json_text import dumps
    from limpet.ground.storage.files import write_atomic

    left = [one for one in waiting if one is not fitting[0]]
    try:
        write_atomic(_path(workspace), dumps({"tasks": left}), follow=False)
    except OSError:  # the next one of its type is told of it too
        return fitting[0][2]
    return fitting[0][2]


def _waiting(workspace: Workspace, now: float) -> list[tuple[float, str, str]]:
    from limpet.ground.formats.json_text import read_object

    found = read_object(read_text(_path(workspace), STATE_BYTES)).get("tasks")
    tasks = [one for one in found if isinstance(one, list) and len(one) == 3] if isinstance(found, list) else []
    return [
        (at, str(type), str(task)) for at, type, task in tasks if isinstance(at, (int, float)) and 0 <= now - at <= SOON
    ]


def _first(given: Mapping[str, object], names: tuple[str, ...]) -> str:
    return next((value for name in names if isinstance(value := given.get(name), str) and value.strip()), "")


def _path(workspace: Workspace) -> str:
    return workspace.kept("given-tasks.json")
