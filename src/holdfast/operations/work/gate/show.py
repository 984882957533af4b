"""The gate of the current step: what it needs, and the approvals that it waits for."""

from __future__ import annotations

from typing import Any

from holdfast.operations.approval import Obtain
from holdfast.operations.project import Project
from holdfast.operations.work.gate.approvals import approve, find_unapproved
from holdfast.operations.work.gate.facts import facts_of, seals_of
from holdfast.operations.work.pipeline import require_workflow
from holdfast.work.pipeline.move import Move
from holdfast.work.pipeline.overview import overview
from holdfast.work.pipeline.view import current_step, require_step


def show_gates(project: Project) -> dict[str, Any]:
    """Return every gate so far by its agent, the current step's among them; ``score`` is None before the first one.

    Raises HoldfastError where no workflow is under way, or the working tree cannot be read.
    """
    session, workflow = project.session, require_workflow(project)
    step = current_step(session, workflow)
    facts = facts_of(project, step.agent) if step else seals_of(project.workspace)
    return dict(overview(session, workflow, project.limits, "", facts)["gates"])


def approve_waiting(project: Project, obtain: Obtain) -> tuple[Move, ...]:
    """Record a person's approval of all that the current step waits for. Raise HoldfastError without a workflow, and
    where they did not give it."""
    step, seals = require_step(project.session, require_workflow(project)), seals_of(project.workspace)
    return approve(project, obtain, find_unapproved(project, step, seals), seals)
