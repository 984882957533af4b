"""Lists the agents, and makes one the active agent of a project or a conversation."""

from __future__ import annotations

import difflib

from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.work.choices import Chosen, choose
from holdfast.roles.roster import ALIASES, ROLES
from holdfast.work.in_force import find_in_force, resolve_agent
from holdfast.work.project import read_project
from holdfast.work.session import read_state


class Listed(Value):
    """An agent in a list.

    ``mission``: its purpose, in a line.
    ``aliases``: its other names.
    ``active``: whether it is in force.
    """

    id: str
    title: str
    mission: str
    aliases: tuple[str, ...]
    active: bool


def list_agents(workspace: Workspace | None, conversation: str = "") -> list[Listed]:
    """Return the shipped agents; ``active`` is the one in force for the conversation, else for the project.

    Raises HoldfastError where the project's session cannot be read.
    """
    active = ""
    if workspace:
        active = find_in_force(read_project(workspace)[0], read_state(workspace, conversation)).agent
    return [
        Listed(
            id=name,
            title=title,
            mission=mission,
            aliases=tuple(alias for alias, meant in ALIASES.items() if meant == name),
            active=name == active,
        )
        for name, (title, mission, *_) in ROLES.items()
    ]


def activate(workspace: Workspace, name: str, conversation: str | None = None) -> Chosen:
    """Make an agent, by id or alias, the active one of the project or of a conversation.

    An alias stands for what it means under the workflow in force there. Raises HoldfastError for an unknown agent.
    """
    project, state = read_project(workspace)[0], read_state(workspace, conversation or "")
    found = resolve_agent(name, find_in_force(project, state).workflow)
    if found is None:
        close = difflib.get_close_matches(name.strip("@ ").lower(), [*ROLES, *ALIASES], 3)
        advice = f"did you mean {' or '.join(close)}?" if close else "see `holdfast agent list`"
        raise HoldfastError(f"there is no agent {name}", "", advice)
    return choose(workspace, "current_agent", found, conversation)


def deactivate(workspace: Workspace, conversation: str | None = None) -> Chosen:
    """Leave no agent active. Raises HoldfastError for an unknown conversation."""
    return choose(workspace, "current_agent", None, conversation)
