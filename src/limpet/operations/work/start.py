"""Starts workflows, those with steps and names that only bring rules, and stops what is under way."""

from __future__ import annotations

import base64
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.approval import Obtain, refuse_word
from limpet.operations.binding import release
from limpet.operations.commit import commit, refresh
from limpet.operations.conversations import find_conversation
from limpet.operations.project import Project, clean
from limpet.operations.work.checks import begin_agreement
from limpet.operations.work.lock import Capture, leave
from limpet.operations.work.moves import ChosenWork, choose_work
from limpet.work.in_force import CONVERSATION_KEYS, NOBODY
from limpet.work.lock import is_locked, remove_blocks
from limpet.work.pipeline import moves
from limpet.work.pipeline.deviation import check_fitness, known_facts, questions
from limpet.work.pipeline.state import COMPLETED, PENDING, SKIPPED, Move, state_of, status_of, story_of, task_title
from limpet.work.pipeline.workflow import (
    ALIASES,
    FIRST,
    Workflow,
    WorkflowStep,
    find_workflow_file,
    name_of,
    names_and_aliases,
    read_workflow,
    workflow_names,
)
from limpet.work.project import NAME, Session, with_changes
from limpet.work.session import change_session, read_state
from limpet.work.stories.queue import is_under_way
from limpet.work.stories.store import DRAFT, read_story, set_story_fields

Facts = Mapping[str, bool | float]

START = "limpet work start"
HAS_STEPS = "has steps, which belong to the project; a single conversation cannot run them"
STOP, LEFT = "limpet work stop", "left_workflow"
# What is ended, by its key in the project's session, and what people call it; the permission mode is the person's.
ENDED = {"workflow": "workflow", "current_agent": "active agent", "task": "task", "mode": "pipeline mode"}
NOTHING = "Nothing is under way."


class Offered(Value):
    """A workflow that can be started; ``steps``: their number, 0 for a file that cannot be read; ``description``: for
    whom or what it is, or why it cannot be read."""

    name: str
    steps: int
    description: str


def start_work(
    project: Project,
    name: str,
    *,
    called: str = "",
    afresh: bool = False,
    facts: Facts | None = None,
    confidence: float | None = None,
    obtain: Obtain | None = None,
    conversation: str | None = None,
) -> ChosenWork:
    """Start the workflow, or continue it where it is under way; a conversation takes its rules only. ``afresh``: begin
    at the first step again; ``confidence``: of the agent that proposes the workflow, 0 to 1; ``obtain``: None where
    nobody can be asked. Raises LimpetError for a workflow that needs a person's word and one that does not fit, for one
    with steps in a conversation only, for a name without steps that would replace a pipeline under way, and for a
    coding agent that would begin afresh in mid-way without a person's word."""
    workflow = read_workflow(project.workspace, name)
    if workflow is None:
        return _take_rules(project, clean(project, name), conversation)
    if conversation is not None:
        raise LimpetError(f"{workflow.name} {HAS_STEPS}", "", f"Run: {START} {workflow.name}")
    asked = _check(project, workflow, facts or {}, confidence, obtain or refuse_word)
    step = project.step_under_way if afresh and project.caller.surroundings.host else None
    if step:
        (obtain or refuse_word)(f"Leave {project.in_force.workflow} at {step.agent}, and begin {workflow.name} afresh")
    elif not asked and project.in_force.workflow != workflow.name:
        release(project, obtain, f"Start {workflow.name}, with the agents of its steps")
    title = clean(project, called)
    run = base64.b32encode(secrets.token_bytes(5)).decode("ascii").lower()  # no run had it before

    def begin(session: Session) -> Move:
        move = moves.start_run(session, workflow, run, title, afresh or _left_another(session, workflow))
        left = {LEFT: None} if session.get(LEFT) else {}
        begun = {}
        if not (move.data.get("resumed") and session.get("agreement")):
            begun = begin_agreement(project, with_changes(session, move.changes), workflow)
        return move.replace(changes={**move.changes, **left, **begun})

    made = commit(project, begin)
    note = made.message if made.data.get("resumed") else ""
    return ChosenWork(changes={"workflow": workflow.name}, place=NAME, note=note)


def offered_workflows(workspace: Workspace) -> tuple[Offered, ...]:
    """The one for a single developer, then the others from the smallest on."""
    found = [_offer(workspace, name) for name in workflow_names(workspace)]
    return tuple(sorted(found, key=lambda one: (one.name != FIRST, one.steps)))


class Stopped(Value):
    """``changes``: the keys of the session that were cleared; ``place``: the file or the conversation that held them;
    ``lines``: what was ended and how to go on, for people."""

    changes: dict[str, None]
    place: str
    lines: tuple[str, ...]


def end_work(project: Project, obtain: Obtain, capture: Capture | None = None) -> Stopped:
    """What a workflow reached is kept, until another one begins. ``capture``: as ``lock.leave`` takes it. Raises
    LimpetError also for a coding agent that leaves a workflow half-way without a person's word."""
    session, step, own = project.session, project.step_under_way, project.conversation
    if step and project.caller.surroundings.host:
        obtain(f"Stop {project.in_force.workflow} at {step.agent}, before its gate")
    else:
        release(project, obtain, "Stop all work", project.caller.conversation)
    changes = {key: None for key in ENDED if session.get(key)}
    left = {LEFT: session.get("workflow")} if session.get("workflow") and session.get("agents") else {}
    if changes:
        told = {key: task_title(session[key]) for key in changes}
        commit(project, lambda _: Move({**changes, **left}, "work.stopped", told))
    lines = [*_told(session, step), *_put_back(project, session.get("task"))]
    lines += _end_own(project, project.caller.conversation, own)
    if is_locked(session):
        lines += leave(project, capture, obtain).lines
    lines += _without_blocks(project.workspace.root)
    return Stopped(changes=changes, place=NAME, lines=tuple(lines) or (NOTHING,))


def stop_conversation(project: Project, conversation: str, obtain: Obtain | None = None) -> Stopped:
    """The project's stays. Raises LimpetError for an unknown one."""
    name = find_conversation(project.workspace, conversation)
    release(project, obtain, f"Stop the work of conversation {name}", name)
    state = read_state(project.workspace, name)
    changes = {key: None for key in ENDED if _is_set(state, key)}
    lines = tuple(_end_own(project, name, state))
    return Stopped(changes=changes, place=f"session {name}", lines=lines or (NOTHING,))


def _offer(workspace: Workspace, name: str) -> Offered:
    try:
        workflow = read_workflow(workspace, name)
    except LimpetError as error:
        return Offered(name=name, steps=0, description=str(error))
    assert workflow is not None
    also = [alias for alias in ALIASES if alias != name and _stands_for(workspace, alias) == name]
    description = f"{workflow.description} (also {', '.join(also)})" if also else workflow.description
    return Offered(name=name, steps=len(workflow.steps), description=description)


def _stands_for(workspace: Workspace, alias: str) -> str:
    found = find_workflow_file(workspace, alias)
    return name_of(found[0]) if found else ""


def _left_another(session: Session, workflow: Workflow) -> bool:
    agents = session.get("agents")
    if session.get("workflow") or not agents:
        return False
    if left := session.get(LEFT):
        return bool(left != workflow.name)
    steps = {step.agent for step in workflow.steps}  # nobody says whose they are, as in a session of chati.dev
    return any(agent not in steps and status_of(session, agent) not in (PENDING, SKIPPED) for agent in agents)


def _take_rules(project: Project, name: str, conversation: str | None) -> ChosenWork:
    """Raise LimpetError where the name, most likely mistyped, would replace a pipeline under way."""
    unknown = f"Unknown workflow: {name}{nearest(name, names_and_aliases(project.workspace))}"
    if conversation is None and project.step_under_way:
        current = project.in_force.workflow
        hint = f"Workflow {current} is active. To leave it and keep its state, run: {STOP}"
        raise LimpetError(unknown, "", hint)
    return choose_work(project, "workflow", name, conversation).replace(warning=f"{unknown}; it has rules only")


def _check(
    project: Project, workflow: Workflow, given: Facts, confidence: float | None, obtain: Callable[[str], object]
) -> bool:
    """Return whether a person was asked."""
    facts = known_facts(project.session, given)
    check_fitness(workflow, facts, given, confidence)
    is_asked = bool(workflow.confirmation) and project.in_force.workflow != workflow.name
    if is_asked:
        unknown, known = questions(workflow, facts), ", ".join(f"{name} {value:g}" for name, value in given.items())
        asked = f"; nobody said whether, and it must not be: {'; '.join(unknown)}" if unknown else ""
        obtain(f"Start {workflow.name}{asked}" + (f"; said by who starts it: {known}" if known else ""))
    return is_asked


def _told(state: Mapping[str, Any], step: WorkflowStep | None) -> Iterator[str]:
    for key, name in ENDED.items():
        if state.get(key):
            was, at = task_title(state[key]), f", at {step.agent}" if step and key == "workflow" else ""
            is_open = key == "workflow" and state_of(state) != COMPLETED
            on = f"; to go on, run: limpet work start {was}" if is_open else ""
            yield f"{name}: none (was {was}{at}{on})"


def _end_own(project: Project, conversation: str, state: Mapping[str, Any]) -> Iterator[str]:
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
    name = story_of(task)
    try:
        story = read_story(project.workspace, name) if name else None
        if story is None or not is_under_way(story.status):
            return
        set_story_fields(project.workspace, story.id, {"status": DRAFT}, project.actor)
    except LimpetError as error:
        yield f"story {name} is left as it is: {error}"
        return
    refresh(project)
    yield f"story {story.id}: draft; to go on, run: limpet work story start {story.id}"
