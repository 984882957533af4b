"""The task that a conversation chose for itself, kept in step with its story, which only a second process can read."""

from __future__ import annotations

from holdfast.engine.commands.opening import safe_words
from holdfast.engine.event_context import PREVIEW
from holdfast.engine.worker import run_job
from holdfast.ground.storage.files import stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.engine.event_context import EventContext

    Answer = tuple[EventContext, tuple[str, ...]]


def develop(context: EventContext, typed: str) -> Answer:
    """Return the context with this story as its task, or why there is none to take up."""
    name = safe_words(context, typed)
    answer = _read(context, name)
    task, problems = answer.get("task"), answer.get("problems")
    if isinstance(problems, list) and problems:
        return context, (f"Nothing was changed: {problems[0]}",)
    if isinstance(task, dict) and not task.get("file"):
        near = answer.get("nearest")
        meant = f"the nearest is {near}" if near else "there are no stories"
        return context, (f"Nothing was changed: no story {name}; {meant} (holdfast story list).",)
    return _with(context, name, task), (f"Task of this conversation: {name}.",)


def with_own_task(context: EventContext, name: str) -> EventContext:
    """Return the context with this task and what its story says; with the name alone where there is no story, or no
    time to read it."""
    return _with(context, name, _read(context, name).get("task"))


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


def _read(context: EventContext, name: str) -> dict[str, Any]:
    """Return what the job says of the story, nothing in a preview, and where there was no time."""
    if context.event.host == PREVIEW:
        return {}
    return run_job(context.workspace, "task", {"task": name}, context.patience("command_deadline")) or {}


def _with(context: EventContext, name: str, task: object) -> EventContext:
    return context.with_session(task=task if isinstance(task, dict) and task.get("file") else name)
