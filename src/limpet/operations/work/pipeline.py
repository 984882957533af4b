"""Shared by the use-cases of the pipeline: a move that the caller may make, and the agents that words stand for."""

from __future__ import annotations

from limpet.ground.errors import LimpetError
from limpet.ground.text.lookup import resolve_name
from limpet.operations.agents.known import own_agents, unknown_agent
from limpet.operations.project import Decision, Project
from limpet.roles.roster import AGENTS
from limpet.work.in_force import find_in_force, resolve_agent
from limpet.work.pipeline.move import Move
from limpet.work.pipeline.view import require_step
from limpet.work.pipeline.workflow import Workflow, agent_name
from limpet.work.pipeline.workflow_files import workflow_names


def move(project: Project, *decisions: Decision) -> Move:
    """Make moves of the project's pipeline, as ``Project.commit`` does. Raises LimpetError also where the caller's
    conversation has a workflow of its own, so that its block shows no pipeline."""
    found = find_in_force(project.session, project.conversation)
    if not found.follows_project:
        named = project.session.get("workflow") or "work"
        what = f"This conversation follows {found.workflow}, not the project's {named}"
        conversation = project.caller.conversation
        hint = f"To return to the project's, run: limpet work stop --session {conversation}"
        raise LimpetError(what, "", hint)
    return project.commit(*decisions)


def require_workflow(project: Project) -> Workflow:
    """Return the workflow under way. Raises LimpetError where there is none, or none of its name."""
    if project.workflow is not None:
        return project.workflow
    name, names = project.in_force.workflow, ", ".join(workflow_names(project.workspace))
    if not name:
        raise LimpetError("No workflow is active", "", f"Run: limpet work start WORKFLOW ({names})")
    hint = f"Workflows: {names}. To add one, write it to .limpet/workflows/."
    raise LimpetError(f"Unknown workflow: {name}", "", hint)


def agent_at(project: Project, name: str = "") -> str:
    """Return the agent that an id or alias stands for, without a name that of the current step.

    A move names this agent, so that one which somebody else made meanwhile is noticed. Raises LimpetError where no
    workflow is under way.
    """
    return agent_id(project, name) if name else require_step(project.session, require_workflow(project)).agent


def agent_id(project: Project, name: str) -> str:
    """Return the agent that an id or alias stands for; names in the project's workflow come first."""
    plain, found = agent_name(name), project.in_force
    if plain in (project.session.get("agents") or {}):
        return plain
    return resolve_agent(name, found.workflow, found.own_agents) or plain


def known_agent(project: Project, name: str) -> str:
    """Return the same as ``agent_id``; the beginning of one shipped agent's id stands for it too.

    Raises LimpetError for an agent neither shipped nor in the workflow.
    """
    found, own = agent_id(project, name), own_agents(project.workspace)
    if found in (*AGENTS, *own) or (project.workflow and project.workflow.step_of(found)):
        return found
    return resolve_name(found, (*AGENTS, *own), lambda: unknown_agent(name, own))
