"""The project as its files say it is, each read once: what mirror, status and briefing are made of.

Separate from ``project``, which changes it and then has the mirror made anew: the mirror reads, and changes nothing.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from limpet.ground.config.settings import load_settings
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.workspace import Workspace
from limpet.work.in_force import InForce, find_in_force
from limpet.work.pipeline.state import Limits, current_step, read_limits
from limpet.work.pipeline.workflow import Workflow, WorkflowStep, workflow_under_way
from limpet.work.project import Session, read_project


class ProjectState:
    """A project as one call of a door or a job sees it; a property whose file cannot be read raises LimpetError, always
    anew."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    @cached_property
    def settings(self) -> dict[str, Any]:
        return self._settings[0]

    @cached_property
    def mistakes(self) -> list[str]:
        """A line for each setting that does not count."""
        return self._settings[1]

    @cached_property
    def session(self) -> Session:
        return self._session[0]

    @cached_property
    def problems(self) -> list[str]:
        """A line for each value of the session that does not count."""
        return self._session[1]

    @cached_property
    def in_force(self) -> InForce:
        """What is in force for the project, whatever a conversation has chosen for itself."""
        return find_in_force(self.session)

    @cached_property
    def workflow(self) -> Workflow | None:
        """None without a workflow under way, and for a name that brings rules only."""
        return workflow_under_way(self.workspace, self.session)

    @cached_property
    def step(self) -> WorkflowStep | None:
        """The step that is due; None without a workflow, and where all are finished."""
        return current_step(self.session, self.workflow) if self.workflow else None

    @property
    def step_under_way(self) -> WorkflowStep | None:
        """The same, where an agent has begun to work in it."""
        return self.step if self.session.get("agents") else None

    @cached_property
    def limits(self) -> Limits:
        return read_limits(self.settings)

    @cached_property
    def secrets(self) -> frozenset[str]:
        return read_secrets(self.workspace.root)

    @cached_property
    def _settings(self) -> tuple[dict[str, Any], list[str]]:
        return load_settings(self.workspace)

    @cached_property
    def _session(self) -> tuple[Session, list[str]]:
        return read_project(self.workspace)
