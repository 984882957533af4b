"""The task that a conversation chose for itself, kept in step with its story, which only a second process can read."""

from __future__ import annotations

from holdfast.engine.event_context import PREVIEW
from holdfast.engine.worker import run_job
from holdfast.ground.storage.files import stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import Turn


def with_own_task(turn: Turn, name: str) -> Turn:
    """The turn with this task, and what its story says; the name alone where there is none, or no time to read it."""
    if turn.event.host == PREVIEW:
        return _with(turn, name)
    patience = turn.mirror.settings["hosts"]["command_deadline_ms"] / 1000
    answer = run_job(turn.workspace, "task", {"task": name}, patience) or {}
    task = answer.get("task")
    return _with(turn, task if isinstance(task, dict) and task.get("file") else name)


def with_fresh_task(turn: Turn) -> Turn:
    """The turn with its own task read again, if the story's file is another one than then."""
    task = turn.session.get("task")
    path = task.get("file") if isinstance(task, dict) else None
    if not isinstance(path, str) or not isinstance(task, dict):
        return turn
    mark = stamp(path)
    if mark is not None and task.get("stamp") == [*mark]:
        return turn
    return with_own_task(turn, str(task.get("id") or task.get("title") or ""))


def _with(turn: Turn, task: object) -> Turn:
    return turn.replace(session={**turn.session, "task": task})
