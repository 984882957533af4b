"""The gate of the current step: what it needs, and its rounds of correction."""

from __future__ import annotations

from typing import Any

from holdfast.operations.approval import Obtain
from holdfast.operations.project import Project, clean
from holdfast.operations.work.facts import facts_of, seals_of
from holdfast.operations.work.pipeline import agent_at, move, require_workflow
from holdfast.work.pipeline.gate import reopen
from holdfast.work.pipeline.move import Move
from holdfast.work.pipeline.overview import overview
from holdfast.work.pipeline.view import current_step
from holdfast.work.project import Session


def show_gates(project: Project) -> dict[str, Any]:
    """Return every gate so far by its agent, the current step's among them; ``score`` is None before the first one.

    Raises HoldfastError where no workflow is under way, or the working tree cannot be read.
    """
    session, workflow = project.session, require_workflow(project)
    step = current_step(session, workflow)
    facts = facts_of(project, step.agent) if step else seals_of(project.workspace)
    return dict(overview(session, workflow, project.limits, "", facts)["gates"])


def reopen_gate(project: Project, obtain: Obtain, agent: str, reason: str) -> Move:
    """Reset the agent's rounds of correction, on a person's word. Raise HoldfastError where it has some left."""
    name, why = agent_at(project, agent), clean(project, reason)

    def decide(session: Session) -> Move:
        return reopen(session, require_workflow(project), name, project.limits, why)

    decide(project.session)
    obtain(f"Give {name} new rounds of correction at its gate ({why})")
    return move(project, decide)
