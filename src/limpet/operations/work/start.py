"""Starts workflows: those with steps, and names that only bring rules."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable, Mapping

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.approval import Obtain, Word
from limpet.operations.project import Project, clean
from limpet.operations.work.choices import Chosen, choose
from limpet.operations.work.gate.agreement import begin_agreement
from limpet.operations.work.stop import LEFT, STOP, step_under_way
from limpet.work.pipeline import moves
from limpet.work.pipeline.fitness import check_fitness, known_facts, questions
from limpet.work.pipeline.move import Move
from limpet.work.pipeline.workflow import Workflow, read_workflow
from limpet.work.pipeline.workflow_files import (
    ALIASES,
    FIRST,
    find_workflow_file,
    name_of,
    names_and_aliases,
    workflow_names,
)
from limpet.work.project import NAME, Session, with_changes

Facts = Mapping[str, bool | float]

START = "limpet work start"
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
    obtain: Obtain | None = None,
    conversation: str | None = None,
) -> Chosen:
    """Start the workflow ``name``, or continue it where it is under way; a conversation takes its rules only.

    ``called``: the project's name.
    ``afresh``: begin at the first step again.
    ``facts``: known facts of the work, by name.
    ``confidence``: of the agent that proposes the workflow, 0 to 1.
    ``obtain``: gets a person's word, None where nobody can be asked.

    Raises LimpetError for a workflow that needs a person's word and one that does not fit, for one with steps in a
    conversation only, for a name without steps that would replace a pipeline under way, and for a coding agent that
    would begin afresh in mid-way without a person's word.
    """
    workflow = read_workflow(project.workspace, name)
    if workflow is None:
        return _take_rules(project, clean(project, name), conversation)
    if conversation is not None:
        raise LimpetError(f"{workflow.name} {HAS_STEPS}", "", f"Run: {START} {workflow.name}")
    _check(project, workflow, facts or {}, confidence, obtain or _nobody)
    step = step_under_way(project) if afresh and project.caller.surroundings.host else None
    if step:
        (obtain or _nobody)(f"Leave {project.in_force.workflow} at {step.agent}, and begin {workflow.name} afresh")
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


def offered_workflows(workspace: Workspace) -> tuple[Offered, ...]:
    """Return what can be started: the one for a single developer, then the others from the smallest on."""
    found = [_offer(workspace, name) for name in workflow_names(workspace)]
    return tuple(sorted(found, key=lambda one: (one.name != FIRST, one.steps)))


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
    """Return whether the session's agents are those of another workflow, which was left."""
    agents = session.get("agents")
    if session.get("workflow") or not agents:
        return False
    left = session.get(LEFT)
    return left != workflow.name if left else any(step.agent not in agents for step in workflow.steps)


def _take_rules(project: Project, name: str, conversation: str | None) -> Chosen:
    """Follow a workflow without steps. Raise LimpetError where the name, most likely mistyped, would replace a
    pipeline under way."""
    unknown = f"Unknown workflow: {name}{nearest(name, names_and_aliases(project.workspace))}"
    if conversation is None and step_under_way(project):
        current = project.in_force.workflow
        hint = f"Workflow {current} is active. To leave it and keep its state, run: {STOP}"
        raise LimpetError(unknown, "", hint)
    return choose(project, "workflow", name, conversation).replace(warning=f"{unknown}; it has rules only")


def _new_run() -> str:
    """Return an id that no run had before: eight letters and digits."""
    return base64.b32encode(secrets.token_bytes(5)).decode("ascii").lower()


def _check(
    project: Project, workflow: Workflow, given: Facts, confidence: float | None, obtain: Callable[[str], object]
) -> None:
    facts = known_facts(project.session, given)
    check_fitness(workflow, facts, given, confidence)
    if workflow.confirmation and project.in_force.workflow != workflow.name:
        unknown, known = questions(workflow, facts), ", ".join(f"{name} {value:g}" for name, value in given.items())
        asked = f"; nobody said whether, and it must not be: {'; '.join(unknown)}" if unknown else ""
        obtain(f"Start {workflow.name}{asked}" + (f"; said by who starts it: {known}" if known else ""))


def _nobody(says: str) -> Word:
    raise LimpetError(f"A person's word is needed: {says}")
