"""The facts that a gate is judged by beside the session: key, checks, working tree, handoff, open stories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.storage.user_folders import project_key
from holdfast.ground.trust.key import read_key
from holdfast.ground.workspace import Workspace
from holdfast.operations.project import Project, clean
from holdfast.work.checks.tree import tree_digest
from holdfast.work.handoffs.handoff import COMPLETE, Handoff
from holdfast.work.handoffs.store import read_handoff
from holdfast.work.pipeline.evidence import VERIFIED, Seals, evidence_of
from holdfast.work.pipeline.gate import Facts
from holdfast.work.pipeline.view import COMPLETED, score_of, status_of
from holdfast.work.stories.queue import open_stories

# The state of the steps that need their stories done.
BUILD = "build"


def seals_of(workspace: Workspace) -> Facts:
    """Return what seals are bound to, and nothing that takes time: enough for steps that are completed."""
    return Facts(project=project_key(workspace.root), key=read_key() or b"")


def facts_of(project: Project, agent: str) -> Facts:
    """Return every fact about the step of this agent. The whole working tree is read.

    Raises HoldfastError for a file of it that cannot be read.
    """
    workspace, session = project.workspace, project.session
    step = project.workflow.step_of(agent) if project.workflow else None
    return seals_of(workspace).replace(
        checks={name: clean(project, line) for name, line in project.settings["work"]["checks"].items()},
        tree=tree_digest(workspace.root),
        handed_over=_has_handed_over(workspace, session, agent),
        open_stories=open_stories(workspace) if step and step.state == BUILD else (),
    )


def run_of(session: Mapping[str, Any]) -> str:
    """Return the id of the run that the session is in, "" for none."""
    return str(session.get("run") or "")


def is_of_run(session: Mapping[str, Any], handoff: Handoff) -> bool:
    """Return whether the handoff was written in the run that the session is in."""
    return handoff.run == run_of(session)


def as_proven(session: Mapping[str, Any], handoff: Handoff, seals: Seals) -> Handoff:
    """Return the handoff as verified only where the session's sealed finish says so, whatever its file says."""
    agent = handoff.from_agent
    passed = status_of(session, agent) == COMPLETED and evidence_of(session, agent, seals) == VERIFIED
    return handoff.replace(
        verified=passed and is_of_run(session, handoff) and handoff.score == score_of(session, agent)
    )


def _has_handed_over(workspace: Workspace, session: Mapping[str, Any], agent: str) -> bool:
    try:
        found = read_handoff(workspace, agent) if agent else None
    except HoldfastError:
        return False
    return found is not None and is_of_run(session, found) and found.status == COMPLETE
