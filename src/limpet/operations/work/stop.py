"""Ends what is under way: workflow, agent, task, story in hand, mode and lock, of the project and of the caller's own
conversation, or of one conversation. Separate from ``start``, because it ends more than workflows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.operations.approval import Obtain
from limpet.operations.conversations import find_conversation
from limpet.operations.project import Project
from limpet.operations.work.following import story_of
from limpet.operations.work.lock import Capture, leave
from limpet.work.in_force import CONVERSATION_KEYS, NOBODY
from limpet.work.lock.instruction_file import remove_blocks
from limpet.work.lock.lock import is_locked
from limpet.work.pipeline.move import Move
from limpet.work.pipeline.view import current_step, task_title
from limpet.work.pipeline.workflow import Step
from limpet.work.project import NAME
from limpet.work.session import change_session, read_state
from limpet.work.stories.queue import is_under_way
from limpet.work.stories.store import put_back, read_story

STOP, LEFT = "limpet work stop", "left_workflow"
# What is ended, by its key in the project's session, and what people call it; the permission mode is the person's.
ENDED = {"workflow": "workflow", "current_agent": "active agent", "task": "task", "mode": "pipeline mode"}
NOTHING = "Nothing is under way."


class Stopped(Value):
    """What was ended.

    ``changes``: the keys of the session that were cleared.
    ``place``: the file or the conversation that held them.
    ``lines``: what was ended and how to go on, for people.
    """

    changes: dict[str, None]
    place: str
    lines: tuple[str, ...]


def stop(project: Project, obtain: Obtain, capture: Capture | None = None) -> Stopped:
    """End everything that is under way for the project and for the caller's own conversation; what a workflow reached
    is kept, until another one begins.

    ``capture``: as ``lock.leave`` takes it. Raises LimpetError, with nothing changed, also for a coding agent that
    leaves a workflow half-way without a person's word.
    """
    session, step, own = project.session, step_under_way(project), project.conversation
    if step and project.caller.surroundings.host:
        obtain(f"Stop {project.in_force.workflow} at {step.agent}, before its gate")
    changes = {key: None for key in ENDED if session.get(key)}
    left = {LEFT: session.get("workflow")} if session.get("workflow") and session.get("agents") else {}
    if changes:
        told = {key: task_title(session[key]) for key in changes}
        project.commit(lambda _: Move({**changes, **left}, "work.stopped", told))
    lines = [*_told(session, step), *_put_back(project, session.get("task"))]
    lines += _end_own(project, project.caller.conversation, own)
    if is_locked(session):
        lines += leave(project, capture).lines
    lines += _without_blocks(project.workspace.root)
    return Stopped(changes=changes, place=NAME, lines=tuple(lines) or (NOTHING,))


def stop_conversation(project: Project, conversation: str) -> Stopped:
    """End what one conversation chose for itself; the project's stays. Raises LimpetError for an unknown one."""
    name = find_conversation(project.workspace, conversation)
    state = read_state(project.workspace, name)
    changes = {key: None for key in ENDED if _is_set(state, key)}
    lines = tuple(_end_own(project, name, state))
    return Stopped(changes=changes, place=f"session {name}", lines=lines or (NOTHING,))


def step_under_way(project: Project) -> Step | None:
    """Return the current step of the pipeline, None where none is under way."""
    under_way = project.workflow if project.session.get("agents") else None
    return current_step(project.session, under_way) if under_way else None


def _told(state: Mapping[str, Any], step: Step | None) -> Iterator[str]:
    for key, name in ENDED.items():
        if state.get(key):
            was, at = task_title(state[key]), f", at {step.agent}" if step and key == "workflow" else ""
            on = f"; to go on, run: limpet work start {was}" if key == "workflow" else ""
            yield f"{name}: none (was {was}{at}{on})"


def _end_own(project: Project, conversation: str, state: Mapping[str, Any]) -> Iterator[str]:
    """Clear what the conversation of this state chose for itself, and yield a line for each."""
    own = {key: state[CONVERSATION_KEYS[key]] for key in ENDED if _is_set(state, key)}
    if not own:
        return
    try:
        change_session(project.workspace, conversation, dict.fromkeys(map(CONVERSATION_KEYS.__getitem__, own)))
    except OSError as error:
        raise LimpetError(str(error), f"session {conversation}", "Try again.") from None
    yield from (f"{line[:-1]}, in session {conversation})" for line in _told(own, None))
    yield from _put_back(project, own.get("task"))


def _without_blocks(root: str) -> Iterator[str]:
    try:
        for path in remove_blocks(root):
            yield f"{os.path.relpath(path, os.path.realpath(root))}: the block about the lock is removed"
    except LimpetError as error:
        yield str(error)


def _is_set(state: Mapping[str, Any], key: str) -> bool:
    return state.get(CONVERSATION_KEYS[key]) not in (None, "", NOBODY)


def _put_back(project: Project, task: object) -> Iterator[str]:
    """Set the task's story back to draft, where it is in progress, and yield what was done."""
    name = story_of(task)
    try:
        story = read_story(project.workspace, name) if name else None
        if story is None or not is_under_way(story):
            return
        put_back(project.workspace, story.id, project.actor)
    except LimpetError as error:
        yield f"story {name} is left as it is: {error}"
        return
    project.refresh()
    yield f"story {story.id}: draft; to go on, run: limpet story start {story.id}"
