"""The gate of the current step: what it needs."""

from __future__ import annotations

from typing import Any

from holdfast.operations.project import Project
from holdfast.operations.work.facts import facts_of, seals_of
from holdfast.operations.work.pipeline import require_workflow
from holdfast.work.pipeline.overview import overview
from holdfast.work.pipeline.view import current_step


def show_gates(project: Project) -> dict[str, Any]:
    """Return every gate so far by its agent, the current step's among them; ``score`` is None before the first one.

    Raises HoldfastError where no workflow is under way, or the working tree cannot be read.
    """
    session, workflow = project.session, require_workflow(project)
    step = current_step(session, workflow)
    facts = facts_of(project, step.agent) if step else seals_of(project.workspace)
    return dict(overview(session, workflow, project.limits, "", facts)["gates"])
