"""Everything about one agent: what its file says, and what of the project's rules holds for it."""

from __future__ import annotations

import os
from collections.abc import Collection

from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.model.attention import preferred_sectors
from limpet.operations.agents.known import aliases_of, find_id, own_agents
from limpet.roles.agent import Agent
from limpet.roles.agent_paths import AGENTS_FOLDER
from limpet.roles.agents import is_own, load_agent
from limpet.roles.mistake import Mistake
from limpet.roles.roster import AGENTS, name_for
from limpet.rules.catalogue import read_catalogue
from limpet.rules.format.domain import DomainText, read_domain
from limpet.rules.format.manifest import Domain
from limpet.rules.naming import file_name
from limpet.rules.plan.sources import FRAMEWORK
from limpet.work.in_force import find_in_force
from limpet.work.project import read_project
from limpet.work.session import read_state


class Shown(Value):
    """An agent and what holds for it.

    ``agent``: with the authority and the rules of its domain before those of its file.
    ``aliases``: its other names here.
    ``active``: whether it is in force.
    ``overrides``: whether the project's file takes the packaged one's place.
    ``domain``: the file of its rules, "" where there is none.
    ``problems``: what is wrong in its file.
    """

    agent: Agent
    aliases: tuple[str, ...]
    active: bool
    overrides: bool
    domain: str
    problems: tuple[Mistake, ...]


def show_agent(workspace: Workspace | None, name: str, conversation: str = "") -> Shown:
    """Return the agent that an id, the beginning of one or an alias stands for. Raise LimpetError for none."""
    session, state = (read_project(workspace)[0], read_state(workspace, conversation)) if workspace else ({}, {})
    found = find_in_force(session, state)
    agent_id = find_id(workspace, name, found)
    agent, file, problems = agent_with_rules(workspace, agent_id, found.own_agents)
    return Shown(
        agent=agent.replace(sectors=agent.sectors or tuple(preferred_sectors().get(agent_id, {}).values())),
        aliases=aliases_of(agent, own_agents(workspace) if workspace else ()),
        active=agent_id == found.agent,
        overrides=agent_id in AGENTS and is_own(agent),
        domain=file,
        problems=tuple(problems),
    )


def agent_with_rules(
    workspace: Workspace | None, agent_id: str, own: Collection[str]
) -> tuple[Agent, str, list[Mistake]]:
    """Return the agent with authority and rules of its domain before those of its file, the domain's file, and what is
    wrong in its own. ``own``: the ids of the project's own agents."""
    agent, problems = load_agent(workspace.path(AGENTS_FOLDER) if workspace else "", agent_id)
    file, domain = _domain(workspace, agent_id, own)
    authority = tuple(dict.fromkeys((*domain.authority, *agent.authority)))
    rules = tuple(dict.fromkeys((*domain.rules, *agent.rules)))
    return agent.replace(authority=authority, rules=rules), file, problems


def _domain(workspace: Workspace | None, agent_id: str, own: Collection[str]) -> tuple[str, DomainText]:
    """Return the file and the text of the domain that the agent brings: the project's, outside one the packaged one."""
    if workspace is None:
        name = f"AGENT_{agent_id.upper().replace('-', '_')}"
        file = f"rules/{file_name(name)}"
        path = os.path.join(FRAMEWORK, file)
        if not os.path.isfile(path):
            return "", read_domain(name, "")
        with open(path, encoding="utf-8") as text:
            return f"framework/{file}", read_domain(name, text.read())

    def is_meant(domain: Domain) -> bool:
        return domain.active and bool(domain.agent) and name_for(agent_id, [domain.agent]) == domain.agent

    entries = {one.domain.agent: one for one in read_catalogue(workspace, is_meant)}
    names = [name for name in entries if name == agent_id or name not in own]
    entry = entries.get(name_for(agent_id, names))
    return (entry.shown_file, entry.text) if entry else ("", read_domain("AGENT", ""))
