"""The facts that a gate is judged by beside the session: checks, working tree, outputs, open stories, approvals; and
which step and agent a name means. Separate from ``checks``, which runs programs: who reads starts none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.config.settings import offered_settings
from limpet.ground.digest import digest
from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import read_text
from limpet.ground.storage.walking import files_below
from limpet.ground.text.lookup import resolve_name
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.operations.agents.known import own_agents, unknown_agent
from limpet.operations.approval import Obtain
from limpet.operations.commit import Decision, commit
from limpet.operations.project import Project, clean
from limpet.operations.work.situation import seals_of
from limpet.roles.roster import AGENTS, plain_id
from limpet.work.checks import tree_digest
from limpet.work.in_force import find_in_force, resolve_agent
from limpet.work.outputs import lies_inside
from limpet.work.pipeline import overview as agreement
from limpet.work.pipeline.gate import BUILD, Facts
from limpet.work.pipeline.overview import agreement_of, overview
from limpet.work.pipeline.records import returned_of
from limpet.work.pipeline.state import SKIPPED, Move, Seals, folder_of, output_path, require_step, run_of, status_of
from limpet.work.pipeline.workflow import Workflow, WorkflowStep, workflow_names
from limpet.work.stories.evidence import is_done
from limpet.work.stories.queue import open_stories
from limpet.work.stories.store import STORIES, iterate_stories
from limpet.work.stories.story import Story

# Files of a folder that are looked at, and lines of a document that a person is shown.
MOST, LINES = 1000, 60


def facts_of(project: Project, agent: str) -> Facts:
    """Raises LimpetError for a file of the working tree that cannot be read: it is read whole."""
    workspace, session = project.workspace, project.session
    step = project.workflow.step_of(agent) if project.workflow else None
    checks = checks_of(project)
    offered = (key.split(".") for key in offered_settings(workspace))
    named = {".".join(parts[2:]) for parts in offered if parts[:2] == ["work", "checks"]}
    unasked = tuple(sorted(named - checks.keys()))
    facts = seals_of(workspace).replace(checks=checks, tree=tree_of(project), unasked=unasked)
    if step is None or project.workflow is None:
        return facts
    agreed = agreement_of(session, facts)
    found = facts.replace(
        output=_lack_of_output(workspace, output_path(session, step), agreed.outputs.get(agent, "") if agreed else ""),
        unapproved=tuple((one.agent, one.path) for one in find_unapproved(project, step, facts)),
    )
    back = returned_of(session, agent, facts)
    stands = standing_of(project, step, facts.tree) if back else ""
    if stands and back["stands"] == stands:
        found = found.replace(unmended=back["reason"] or "nobody said why")
    if step.state != BUILD:
        return found
    is_built = facts.tree != agreed.tree if agreed and agreed.tree else True
    stories = (story for _, story in iterate_stories(workspace) if isinstance(story, Story))
    is_built = is_built or any(story.run == run_of(session) and is_done(story) for story in stories)
    return found.replace(is_built=is_built, open_stories=open_stories(workspace))


def standing_of(project: Project, step: WorkflowStep, tree: str) -> str:
    """A digest of what the step made: its document, else the working tree and what the stories promise."""
    if path := output_path(project.session, step):
        return output_digest(read_output(project.workspace, path))
    return f"{tree} {output_digest(read_output(project.workspace, f'{FOLDER}/{STORIES}/'))}"


def checks_of(project: Project) -> dict[str, str]:
    """The checks that the user agreed to, name -> command line without secrets."""
    return {name: clean(project, line) for name, line in project.settings["work"]["checks"].items()}


def tree_of(project: Project) -> str:
    """The digest without the run's own documents. Raise LimpetError for a file that cannot be read."""
    return tree_digest(project.workspace.root, folder_of(project.session))


def read_output(workspace: Workspace, path: str) -> dict[str, str]:
    """Return name -> digest of a document, of each story by what it promises, of each file of a folder; nothing for
    empty ones."""
    return _digests(_parts(workspace, path))


def output_digest(content: Mapping[str, str]) -> str:
    """One digest of what ``read_output`` returns, "" of nothing."""
    return digest("\n".join(f"{name} {one}" for name, one in sorted(content.items()))) if content else ""


def show_output(workspace: Workspace, path: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """As ``read_output``, and the lines that a person reads before they approve it, the last of them on what is left
    out."""
    parts = tuple(_parts(workspace, path))
    text = "\n".join(text for _, text in parts)
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    left = len(lines) - LINES
    return _digests(parts), (*lines[:LINES], *((f"... and {left} more lines: {path}",) if left > 0 else ()))


class Unapproved(Value):
    """What a step made and nobody approved as it is now: who made it, and where it stands."""

    agent: str
    path: str


def find_unapproved(project: Project, step: WorkflowStep, seals: Seals) -> tuple[Unapproved, ...]:
    session, workflow = project.session, project.workflow
    if workflow is None:
        return ()
    found = []
    for agent in agreement.waiting_agents(session, workflow, step, tuple(project.settings["work"]["approve"])):
        source = workflow.step_of(agent)
        path = output_path(session, source) if source else ""
        content = read_output(project.workspace, path)
        if not content and status_of(session, agent) == SKIPPED:
            continue
        if not agreement.is_approved(agreement.approved_content(session, agent, seals), content):
            found.append(Unapproved(agent=agent, path=path))
    return tuple(found)


def approve_output(project: Project, obtain: Obtain, waiting: tuple[Unapproved, ...], seals: Seals) -> tuple[Move, ...]:
    """Raise LimpetError where they did not give their word; what they approved before stays."""
    return tuple(_approve(project, obtain, one, seals) for one in waiting)


def show_gates(project: Project) -> dict[str, Any]:
    """``score`` is None before the first one. Raises LimpetError without a workflow."""
    session, workflow, step = project.session, require_workflow(project), project.step
    facts = facts_of(project, step.agent) if step else seals_of(project.workspace)
    return dict(overview(session, workflow, project.limits, "", facts)["gates"])


def approve_waiting(project: Project, obtain: Obtain) -> tuple[Move, ...]:
    """Raise LimpetError without a workflow, and where they did not give their word."""
    step, seals = require_step(project.session, require_workflow(project)), seals_of(project.workspace)
    return approve_output(project, obtain, find_unapproved(project, step, seals), seals)


def move(project: Project, *decisions: Decision) -> Move:
    """As ``commit``; raises LimpetError also where the caller's conversation follows a workflow of its own."""
    found = find_in_force(project.session, project.conversation)
    if not found.follows_project:
        named = project.session.get("workflow") or "work"
        what = f"This conversation follows {found.workflow}, not the project's {named}"
        conversation = project.caller.conversation
        hint = f"To return to the project's, run: limpet work stop --session {conversation}"
        raise LimpetError(what, "", hint)
    return commit(project, *decisions)


def require_workflow(project: Project) -> Workflow:
    """Raises LimpetError where none is under way, or none has its name."""
    if project.workflow is not None:
        return project.workflow
    name, names = project.in_force.workflow, ", ".join(workflow_names(project.workspace))
    if not name:
        raise LimpetError("No workflow is active", "", f"Run: limpet work start WORKFLOW ({names})")
    hint = f"Workflows: {names}. To add one, write it to .limpet/workflows/."
    raise LimpetError(f"Unknown workflow: {name}", "", hint)


def agent_at(project: Project, name: str = "") -> str:
    """Without a name the agent of the current step, which a move names, so that a move made meanwhile is noticed."""
    return agent_id(project, name) if name else require_step(project.session, require_workflow(project)).agent


def agent_id(project: Project, name: str) -> str:
    """Names in the project's workflow come first. Raises LimpetError where it cannot be read."""
    plain, found = plain_id(name), project.in_force
    if plain in (project.session.get("agents") or {}):
        return plain
    return resolve_agent(name, found.workflow, found.own_agents) or plain


def known_agent(project: Project, name: str) -> str:
    """The beginning of a shipped agent's id stands for it too. Raises LimpetError for an unknown one."""
    found, own = agent_id(project, name), own_agents(project.workspace)
    if found in (*AGENTS, *own) or (project.workflow and project.workflow.step_of(found)):
        return found
    return resolve_name(found, (*AGENTS, *own), lambda: unknown_agent(name, own))


def _lack_of_output(workspace: Workspace, path: str, before: str) -> str:
    if not path:
        return ""
    content = read_output(workspace, path)
    if not content:
        return f"{path} is empty" if os.path.exists(os.path.join(workspace.root, path)) else f"{path} does not exist"
    return f"{path} is as it was before this run" if output_digest(content) == before else ""


def _digests(parts: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name: digest(text) for name, text in parts if text.strip()}


def _parts(workspace: Workspace, path: str) -> Iterator[tuple[str, str]]:
    if path == f"{FOLDER}/{STORIES}/":
        for name, story in iterate_stories(workspace):
            if isinstance(story, Story):
                promised = (f"{story.id} {story.title}", *(f"  - {text}" for _, text in story.acceptance))
                yield name, "\n".join(promised)
    elif path.endswith("/") and lies_inside(workspace.root, path):
        for name in islice(files_below(workspace.root, path), MOST):
            yield name, read_text(os.path.join(workspace.root, name), STATE_BYTES) or ""
    elif path and lies_inside(workspace.root, path):
        yield path, read_text(os.path.join(workspace.root, path), STATE_BYTES) or ""


def _approve(project: Project, obtain: Obtain, one: Unapproved, seals: Seals) -> Move:
    content, lines = show_output(project.workspace, one.path)
    if not content:
        hint = f"Go back to its step: limpet work back {one.agent}"
        raise LimpetError("Nothing is there to approve", one.path, hint)
    # With the content's digest, so that a word that was given for another content is none for this one.
    word = obtain(f"Approve what {one.agent} made: {one.path} (version {output_digest(content)})", lines)
    now = project.caller.now
    return commit(
        project, lambda session: agreement.approve(session, one.agent, content, word.how, one.path, seals, now)
    )
