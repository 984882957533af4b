"""Reads the pipeline's state from the session: the current step, and the record of each agent and its gate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.work.pipeline.move import Session
from limpet.work.pipeline.workflow import Step, Workflow

PENDING, IN_PROGRESS, COMPLETED = "pending", "in_progress", "completed"
SKIPPED, REVALIDATE = "skipped", "needs_revalidation"
FINISHED = (COMPLETED, SKIPPED)


def current_step(session: Session, workflow: Workflow) -> Step | None:
    """Return the step in progress, else the first unfinished one; None when all are finished."""
    running = (step for step in workflow.steps if status_of(session, step.agent) == IN_PROGRESS)
    return next(running, None) or next_step(session, workflow)


def require_step(session: Session, workflow: Workflow) -> Step:
    """Return the current step. Raise LimpetError where all are finished."""
    step = current_step(session, workflow)
    if step is None:
        hint = "To start another, run: limpet work start WORKFLOW"
        raise LimpetError("The pipeline is complete", workflow.name, hint)
    return step


def next_step(session: Session, workflow: Workflow, after: str = "") -> Step | None:
    """Return the first unfinished step but that of the agent ``after``."""
    steps = (step for step in workflow.steps if step.agent != after)
    return next((step for step in steps if status_of(session, step.agent) not in FINISHED), None)


def record_of(session: Session, agent: str) -> Mapping[str, Any]:
    """Return the session's record of an agent, empty for an unknown one."""
    agents = session.get("agents")
    record = agents.get(agent) if isinstance(agents, dict) else None
    return record if isinstance(record, dict) else {}


def status_of(session: Session, agent: str) -> str:
    """Return the agent's status, ``pending`` where the session has none."""
    return str(record_of(session, agent).get("status") or PENDING)


def score_of(session: Session, agent: str) -> float | None:
    """Return its last score in percent."""
    score = record_of(session, agent).get("score")
    return score if isinstance(score, (int, float)) else None


def gate_of(session: Session, agent: str) -> Mapping[str, Any]:
    """Return the session's record of an agent's gate, empty where there is none."""
    gates = session.get("gates")
    gate = gates.get(agent) if isinstance(gates, dict) else None
    return gate if isinstance(gate, dict) else {}


def runs_of(session: Session, agent: str) -> list[dict[str, Any]]:
    """Return the commands run for its gate in this round, as the session has them: nothing says yet that they count."""
    runs = gate_of(session, agent).get("evidence")
    return [run for run in runs if isinstance(run, dict)] if isinstance(runs, list) else []


def step_domains(session: Session, workflow: Workflow) -> tuple[str, ...]:
    """Return the rule domains that the current step brings."""
    step = current_step(session, workflow)
    return step.domains if step else ()


def state_of(session: Session) -> str:
    """Return the project's state, "" before any work; ``clarity`` is plan."""
    project = session.get("project")
    state = str(project.get("state") or "") if isinstance(project, dict) else ""
    return "plan" if state == "clarity" else state


def task_title(task: object) -> str:
    """Return the title of a task, which is text or a mapping; "" for none."""
    return str(task.get("title") or task.get("id") or "") if isinstance(task, dict) else str(task or "")
