"""Starts and leaves workflows: those with steps, and names that only bring rules."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.schema import nearest
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.project import Project, clean
from holdfast.operations.work.agreement import begin_agreement
from holdfast.operations.work.choices import Chosen, choose
from holdfast.operations.work.pipeline import NeedsAgreement
from holdfast.work.pipeline import moves
from holdfast.work.pipeline.fitness import check_fitness, known_facts, questions
from holdfast.work.pipeline.move import Move
from holdfast.work.pipeline.view import current_step
from holdfast.work.pipeline.workflow import Step, Workflow, read_workflow
from holdfast.work.pipeline.workflow_files import (
    ALIASES,
    FIRST,
    find_workflow_file,
    name_of,
    names_and_aliases,
    workflow_names,
)
from holdfast.work.project import NAME, Session, with_changes

Facts = Mapping[str, bool | float]

START, LEFT = "holdfast work start", "left_workflow"
HAS_STEPS = "has steps, which belong to the project; a single conversation cannot run them"


class Offered(Value):
    """A workflow that can be started.

    ``steps``: their number, 0 for a file that cannot be read.
    ``description``: for whom or what it is, or why it cannot be read.
    """

    name: str
    steps: int
    description: str


def start(
    project: Project,
    name: str,
    *,
    called: str = "",
    afresh: bool = False,
    facts: Facts | None = None,
    confidence: float | None = None,
    agreed: bool = False,
    conversation: str | None = None,
) -> Chosen:
    """Start the workflow ``name``, or continue it where it is under way; a conversation takes its rules only.

    ``called``: the project's name.
    ``afresh``: begin at the first step again.
    ``facts``: known facts of the work, by name.
    ``confidence``: of the agent that proposes the workflow, 0 to 1.
    ``agreed``: whether the user has agreed.

    Raises NeedsAgreement for a workflow that asks for it, HoldfastError for one that does not fit, for one with steps
    in a conversation only, and for a name without steps that would replace a pipeline under way.
    """
    workflow = read_workflow(project.workspace, name)
    if workflow is None:
        return _take_rules(project, clean(project, name), conversation)
    if conversation is not None:
        raise HoldfastError(f"{workflow.name} {HAS_STEPS}", "", f"Run: {START} {workflow.name}")
    _check(project, workflow, facts or {}, confidence, agreed)
    title, run = clean(project, called), _new_run()

    def begin(session: Session) -> Move:
        move = moves.start(session, workflow, run, title, afresh or _left_another(session, workflow))
        left = {LEFT: None} if session.get(LEFT) else {}
        begun = (
            {} if move.data.get("resumed") else begin_agreement(project, with_changes(session, move.changes), workflow)
        )
        return move.replace(changes={**move.changes, **left, **begun})

    made = project.commit(begin)
    note = made.message if made.data.get("resumed") else ""
    return Chosen(changes={"workflow": workflow.name}, place=NAME, note=note)


def leave_workflow(project: Project, conversation: str | None = None) -> Chosen:
    """Leave the workflow under way, and the agent and mode that its step brought; its progress is kept, until another
    one begins. Raise HoldfastError."""
    if conversation is not None:
        return choose(project, "workflow", None, conversation)
    session, name = project.session, project.in_force.workflow
    step = _step(project)
    # What the current step set goes with it; a person's own choice stays.
    brought = {"current_agent": step.agent, "mode": step.mode} if step else {}
    changes = {"workflow": None, **{key: None for key, value in brought.items() if session.get(key) == value}}
    left = {LEFT: name} if name and session.get("agents") else {}
    project.commit(lambda _: Move({**changes, **left}))
    return Chosen(changes=changes, place=NAME)


def offered_workflows(workspace: Workspace) -> tuple[Offered, ...]:
    """Return what can be started: the one for a single developer, then the others from the smallest on."""
    found = [_offer(workspace, name) for name in workflow_names(workspace)]
    return tuple(sorted(found, key=lambda one: (one.name != FIRST, one.steps)))


def _offer(workspace: Workspace, name: str) -> Offered:
    try:
        workflow = read_workflow(workspace, name)
    except HoldfastError as error:
        return Offered(name=name, steps=0, description=str(error))
    assert workflow is not None
    also = [alias for alias in ALIASES if alias != name and _stands_for(workspace, alias) == name]
    description = f"{workflow.description} (also {', '.join(also)})" if also else workflow.description
    return Offered(name=name, steps=len(workflow.steps), description=description)


def _stands_for(workspace: Workspace, alias: str) -> str:
    found = find_workflow_file(workspace, alias)
    return name_of(found[0]) if found else ""


def _left_another(session: Session, workflow: Workflow) -> bool:
    """Return whether the session's agents are those of another workflow, which was left."""
    agents = session.get("agents")
    if session.get("workflow") or not agents:
        return False
    left = session.get(LEFT)
    return left != workflow.name if left else any(step.agent not in agents for step in workflow.steps)


def _take_rules(project: Project, name: str, conversation: str | None) -> Chosen:
    """Follow a workflow without steps. Raise HoldfastError where the name, most likely mistyped, would replace a
    pipeline under way."""
    unknown = f"Unknown workflow: {name}{nearest(name, names_and_aliases(project.workspace))}"
    if conversation is None and _step(project):
        current = project.in_force.workflow
        hint = f"Workflow {current} is active. To leave it and keep its state, run: holdfast work start --clear"
        raise HoldfastError(unknown, "", hint)
    return choose(project, "workflow", name, conversation).replace(warning=f"{unknown}; it has rules only")


def _step(project: Project) -> Step | None:
    """Return the current step of the pipeline, None where none is under way."""
    under_way = project.workflow if project.session.get("agents") else None
    return current_step(project.session, under_way) if under_way else None


def _new_run() -> str:
    """Return an id that no run had before: eight letters and digits."""
    return base64.b32encode(secrets.token_bytes(5)).decode("ascii").lower()


def _check(project: Project, workflow: Workflow, facts: Facts, confidence: float | None, agreed: bool) -> None:
    check_fitness(workflow, known_facts(project.session, facts), facts, confidence)
    under_way = project.in_force.workflow == workflow.name
    if workflow.confirmation and not (agreed or under_way):
        lines = (f"{workflow.name} does not fit where", *(f"  {one}" for one in questions(workflow)))
        raise NeedsAgreement(f"{workflow.name} needs the user's approval", lines)
