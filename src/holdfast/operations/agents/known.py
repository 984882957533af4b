"""The agents that a project knows: the packaged ones, those with a file of its own, those that its rules declare."""

from __future__ import annotations

from holdfast.ground.workspace import Workspace
from holdfast.roles.agent import Agent
from holdfast.roles.agent_file import title_of
from holdfast.roles.agent_paths import AGENTS_FOLDER, own_files
from holdfast.roles.agents import load_agents
from holdfast.roles.mistake import Mistake
from holdfast.roles.roster import AGENTS
from holdfast.rules.plan.sources import declared_agents


def own_agents(workspace: Workspace) -> tuple[str, ...]:
    """Return the ids of the agents that are known beside the packaged ones."""
    files = own_files(workspace.path(AGENTS_FOLDER))
    found = dict.fromkeys((*declared_agents(workspace), *files))
    return tuple(agent_id for agent_id in found if agent_id not in AGENTS)


def all_agents(workspace: Workspace | None) -> tuple[dict[str, Agent], list[Mistake]]:
    """Return every agent by id, and what is wrong in the project's files; of an agent without a file that can be read
    only its name is known."""
    agents, problems = load_agents(workspace.path(AGENTS_FOLDER) if workspace else "")
    known = own_agents(workspace) if workspace else ()
    unwritten = {name: Agent(id=name, title=title_of(name), mission="") for name in known if name not in agents}
    return {**agents, **unwritten}, problems
