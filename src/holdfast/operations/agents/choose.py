"""Lists the agents, and makes one the active agent of a project or a conversation."""

from __future__ import annotations

from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.languages import language_code
from holdfast.ground.text.messages import say
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.agents.known import all_agents
from holdfast.operations.agents.naming import find_id
from holdfast.operations.agents.spoken import load_spoken
from holdfast.operations.conversations import find_conversation
from holdfast.operations.project import open_unasked
from holdfast.operations.work.choices import Chosen, choose
from holdfast.roles.agents import is_own
from holdfast.roles.mistake import Mistake
from holdfast.roles.roster import ALIASES
from holdfast.work.in_force import find_in_force
from holdfast.work.project import language_of, read_project
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


class Left(Value):
    """An agent that was left: what was recorded, and the line that says so in the session's language."""

    chosen: Chosen
    line: str


def list_agents(workspace: Workspace | None, conversation: str = "") -> tuple[list[Listed], list[Mistake]]:
    """Return the packaged agents, then the project's own, and what is wrong in their files; ``active`` is the one in
    force for the conversation, else for the project.

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
    found = find_id(workspace, name, find_in_force(project, state))
    return choose(open_unasked(workspace), "current_agent", found, conversation)


def deactivate(workspace: Workspace, conversation: str | None = None) -> Left:
    """Leave no agent active. Raises HoldfastError for an unknown conversation."""
    session = find_conversation(workspace, conversation) if conversation else ""
    project = read_project(workspace)[0]
    agent = find_in_force(project, read_state(workspace, session)).agent
    chosen = choose(open_unasked(workspace), "current_agent", None, conversation)
    language = language_code(language_of(project))
    if not agent:
        return Left(chosen=chosen, line=say("greeting.deactivated", language, place=chosen.place))
    return Left(
        chosen=chosen,
        line=say("greeting.goodbye", language, title=_title(workspace, agent, language), place=chosen.place),
    )


def _title(workspace: Workspace, agent: str, language: str) -> str:
    try:
        return load_spoken(workspace, agent, language).agent.title
    except HoldfastError:
        return agent
