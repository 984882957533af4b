"""The gate of the current step: what it needs, and the approvals that it waits for."""

from __future__ import annotations

from typing import Any

from limpet.operations.approval import Obtain
from limpet.operations.project import Project
from limpet.operations.work.gate.approvals import approve, find_unapproved
from limpet.operations.work.gate.facts import facts_of, seals_of
from limpet.operations.work.pipeline import require_workflow
from limpet.work.pipeline.move import Move
from limpet.work.pipeline.overview import overview
from limpet.work.pipeline.view import current_step, require_step


def show_gates(project: Project) -> dict[str, Any]:
    """Return every gate so far by its agent, the current step's among them; ``score`` is None before the first one.

    Raises LimpetError where no workflow is under way, or the working tree cannot be read.
    """
    session, workflow = project.session, require_workflow(project)
    step = current_step(session, workflow)
    facts = facts_of(project, step.agent) if step else seals_of(project.workspace)
    return dict(overview(session, workflow, project.limits, "", facts)["gates"])


def approve_waiting(project: Project, obtain: Obtain) -> tuple[Move, ...]:
    """Record a person's approval of all that the current step waits for. Raise LimpetError without a workflow, and
    where they did not give it."""
    step, seals = require_step(project.session, require_workflow(project)), seals_of(project.workspace)
    return approve(project, obtain, find_unapproved(project, step, seals), seals)
