"""The task that a conversation chose for itself, kept in step with its story, which only a second process can read."""

from __future__ import annotations

from holdfast.engine.event_context import PREVIEW
from holdfast.engine.worker import run_job
from holdfast.ground.storage.files import stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext


def with_own_task(context: EventContext, name: str) -> EventContext:
    """Return the context with this task and what its story says; with the name alone where there is no story, or no
    time to read it."""
    if context.event.host == PREVIEW:
        return context.with_session(task=name)
    patience = context.clock.left(context.mirror.settings["hosts"]["command_deadline_ms"] / 1000)
    answer = run_job(context.workspace, "task", {"task": name}, patience) or {}
    task = answer.get("task")
    return context.with_session(task=task if isinstance(task, dict) and task.get("file") else name)


def with_fresh_task(context: EventContext) -> EventContext:
    """Return the context with its own task read again, if the story's file is another one than then."""
    task = context.session.get("task")
    path = task.get("file") if isinstance(task, dict) else None
    if not isinstance(path, str) or not isinstance(task, dict):
        return context
    mark = stamp(path)
    if mark is not None and task.get("stamp") == [*mark]:
        return context
    return with_own_task(context, str(task.get("id") or task.get("title") or ""))
