"""Lists the agents, and makes one the active agent of a project or a conversation."""

from __future__ import annotations

from holdfast.ground.text.lookup import resolve_name
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.agents.known import all_agents, own_agents
from holdfast.operations.conversations import find_conversation
from holdfast.operations.work.choices import Chosen, choose
from holdfast.operations.work.pipeline import unknown_agent
from holdfast.roles.agents import is_own
from holdfast.roles.roster import AGENTS, ALIASES, plain_id
from holdfast.work.in_force import find_in_force, resolve_agent
from holdfast.work.project import read_project
from holdfast.work.session import read_state


class Listed(Value):
    """An agent in a list.

    ``mission``: its purpose, in a line.
    ``aliases``: its other names.
    ``active``: whether it is in force.
    ``file``: the project's own file of it, "" for none.
    """

    id: str
    title: str
    mission: str
    aliases: tuple[str, ...]
    active: bool
    file: str = ""


def list_agents(workspace: Workspace | None, conversation: str = "") -> tuple[list[Listed], list[str]]:
    """Return the packaged agents, then the project's own, and what is wrong in their files, a line each; ``active`` is
    the one in force for the conversation, else for the project.

    Raises HoldfastError where the project's session cannot be read.
    """
    active = ""
    if workspace:
        active = find_in_force(read_project(workspace)[0], read_state(workspace, conversation)).agent
    agents, problems = all_agents(workspace)
    listed = [
        Listed(
            id=agent.id,
            title=agent.title,
            mission=agent.mission,
            aliases=tuple(alias for alias, meant in ALIASES.items() if meant == agent.id and alias not in agents),
            active=agent.id == active,
            file=agent.source if is_own(agent) else "",
        )
        for agent in agents.values()
    ]
    return listed, problems


def activate(workspace: Workspace, name: str, conversation: str | None = None) -> Chosen:
    """Make an agent, by id or alias, the active one of the project or of a conversation.

    An alias stands for what it means under the workflow in force there. Raises HoldfastError for an unknown agent.
    """
    session = find_conversation(workspace, conversation) if conversation else ""
    project, state = read_project(workspace)[0], read_state(workspace, session)
    before = find_in_force(project, state)
    found = resolve_agent(name, before.workflow, before.own_agents)
    if found is None:
        own = own_agents(workspace)
        found = resolve_name(plain_id(name), (*AGENTS, *own), lambda: unknown_agent(name, own))
    return choose(workspace, "current_agent", found, conversation)


def deactivate(workspace: Workspace, conversation: str | None = None) -> Chosen:
    """Leave no agent active. Raises HoldfastError for an unknown conversation."""
    return choose(workspace, "current_agent", None, conversation)
