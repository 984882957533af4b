"""The work that a conversation chose for itself: a task, kept in step with its story, which only a second process can
read; and a workflow that brings rules. One with steps is the project's, and only a command begins it."""

from __future__ import annotations

from limpet.engine.block.choose import brought_by
from limpet.engine.commands.opening import safe_words
from limpet.engine.event_context import PREVIEW
from limpet.engine.worker import run_job
from limpet.ground.storage.files import stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.event_context import EventContext

    Answer = tuple[EventContext, tuple[str, ...]]


def take_up(context: EventContext, typed: str) -> Answer:
    """Return the context with this story as its task, or why there is none to take up."""
    name = safe_words(context, typed)
    answer = _read(context, name)
    task, problems = answer.get("task"), answer.get("problems")
    if isinstance(problems, list) and problems:
        return context, (f"Nothing was changed: {problems[0]}",)
    if isinstance(task, dict) and not task.get("file"):
        near = answer.get("nearest")
        meant = f"the nearest is {near}" if near else "there are no stories"
        return context, (f"Nothing was changed: no story {name}; {meant} (limpet story list).",)
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


def start_workflow(context: EventContext, typed: str) -> Answer:
    """Return the context with the workflow whose rules the conversation takes, or why it cannot, and what to do."""
    from limpet.work.pipeline.workflow_files import find_workflow_file, name_of, plain_name

    name = safe_words(context, typed)
    file = find_workflow_file(context.workspace, name)
    if file:
        known = name_of(file[0])
        if plain_name(context.in_force.workflow) == known:
            return context, (f"Workflow {known} is already active.",)
        whole = f"Nothing was changed: {known} has steps, so it would change the project's pipeline."
        return context, (whole, f"To start it for the project, run `limpet work start {known}`.")
    assert context.plan is not None
    if brought_by(name, context.plan):
        return context.with_session(workflow=name), (f"Workflow of this conversation: {name}; it has rules only.",)
    return context, (f"Unknown workflow {name}{_nearest(context, name)}. Run `limpet work start`.",)


def _read(context: EventContext, name: str) -> dict[str, Any]:
    """Return what the job says of the story, nothing in a preview, and where there was no time."""
    if context.event.host == PREVIEW:
        return {}
    return run_job(context.workspace, "task", {"task": name}, context.patience("command_deadline")) or {}


def _with(context: EventContext, name: str, task: object) -> EventContext:
    return context.with_session(task=task if isinstance(task, dict) and task.get("file") else name)


def _nearest(context: EventContext, name: str) -> str:
    from limpet.ground.formats.schema import nearest
    from limpet.work.pipeline.workflow_files import names_and_aliases

    return nearest(name, names_and_aliases(context.workspace))
