"""The facts that a gate is judged by beside the session: key, checks, working tree, outputs, open stories."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from limpet.ground.config.settings import offered_settings
from limpet.ground.storage.user_folders import project_key
from limpet.ground.trust.key import read_key
from limpet.ground.workspace import Workspace
from limpet.operations.project import Project, clean
from limpet.operations.work.gate.approvals import find_unapproved
from limpet.operations.work.gate.outputs import output_digest, read_output
from limpet.work.checks.tree import tree_digest
from limpet.work.handoffs.handoff import Handoff
from limpet.work.pipeline.agreement import agreement_of
from limpet.work.pipeline.evidence import VERIFIED, Seals, evidence_of
from limpet.work.pipeline.gate import BUILD, Facts
from limpet.work.pipeline.outputs import folder_of, output_path
from limpet.work.pipeline.view import COMPLETED, score_of, status_of
from limpet.work.stories.check import is_done
from limpet.work.stories.queue import open_stories
from limpet.work.stories.store import iterate_stories
from limpet.work.stories.story import Story


def seals_of(workspace: Workspace) -> Facts:
    """Return what seals are bound to, and nothing that takes time: enough for steps that are completed."""
    return Facts(project=project_key(workspace.root), key=read_key() or b"")


def facts_of(project: Project, agent: str) -> Facts:
    """Return every fact about the step of this agent. The whole working tree is read.

    Raises LimpetError for a file of it that cannot be read.
    """
    workspace, session = project.workspace, project.session
    step = project.workflow.step_of(agent) if project.workflow else None
    facts = seals_of(workspace).replace(
        checks=checks_of(project),
        tree=tree_of(project),
        unasked=_unasked_checks(project),
    )
    if step is None or project.workflow is None:
        return facts
    agreed = agreement_of(session, facts)
    found = facts.replace(
        output=_lack_of_output(workspace, output_path(session, step), agreed.outputs.get(agent, "") if agreed else ""),
        unapproved=tuple((one.agent, one.path) for one in find_unapproved(project, step, facts)),
    )
    if step.state != BUILD:
        return found
    is_built = facts.tree != agreed.tree if agreed and agreed.tree else True
    return found.replace(
        is_built=is_built or _has_done_story(workspace, run_of(session)),
        open_stories=open_stories(workspace),
    )


def checks_of(project: Project) -> dict[str, str]:
    """Return the checks that the user agreed to, name -> command line without secrets."""
    return {name: clean(project, line) for name, line in project.settings["work"]["checks"].items()}


def tree_of(project: Project) -> str:
    """Return the digest of the working tree without the run's own documents. Raise LimpetError for a file that cannot
    be read."""
    return tree_digest(project.workspace.root, folder_of(project.session))


def _lack_of_output(workspace: Workspace, path: str, before: str) -> str:
    """Return what is wrong with what a step was to make at ``path``; ``before``: its digest when the run began."""
    if not path:
        return ""
    content = read_output(workspace, path)
    if not content:
        return f"{path} is empty" if os.path.exists(os.path.join(workspace.root, path)) else f"{path} does not exist"
    return f"{path} is as it was before this run" if output_digest(content) == before else ""


def _has_done_story(workspace: Workspace, run: str) -> bool:
    return any(
        isinstance(story, Story) and story.run == run and is_done(story) for _, story in iterate_stories(workspace)
    )


def _unasked_checks(project: Project) -> tuple[str, ...]:
    """Return the names of the checks in the project's files that are invalid or that the user has not agreed to."""
    offered = (key.split(".") for key in offered_settings(project.workspace))
    named = {".".join(parts[2:]) for parts in offered if parts[:2] == ["work", "checks"]}
    return tuple(sorted(named - set(project.settings["work"]["checks"])))


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
