"""The agents that a project knows: the packaged ones, those with a file of its own, those that its rules declare."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.ground.errors import LimpetError
from limpet.ground.text.lookup import did_you_mean, resolve_name
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.roles.agent import Agent
from limpet.roles.agent_paths import AGENTS_FOLDER, own_files
from limpet.roles.agents import find_own_mistakes, is_own, load_agents, named_only
from limpet.roles.mistake import Mistake
from limpet.roles.roster import AGENTS, ALIASES, plain_id
from limpet.rules.check.finding import ERROR, WARNING, Finding
from limpet.rules.plan.sources import declared_agents
from limpet.work.in_force import InForce, find_in_force, resolve_agent
from limpet.work.project import read_project
from limpet.work.session import read_state


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


def list_agents(workspace: Workspace | None, conversation: str = "") -> tuple[list[Listed], list[Mistake]]:
    """Return the packaged agents, then the project's own, and what is wrong in their files; ``active`` is the one in
    force for the conversation, else for the project.

    Raises LimpetError where the project's session cannot be read.
    """
    agents, problems = load_agents(workspace.path(AGENTS_FOLDER) if workspace else "")
    active = ""
    if workspace:
        agents |= {name: named_only(name) for name in declared_agents(workspace) if name not in agents}
        active = find_in_force(read_project(workspace)[0], read_state(workspace, conversation)).agent
    listed = [
        Listed(
            id=agent.id,
            title=agent.title,
            mission=agent.mission,
            aliases=aliases_of(agent, agents),
            active=agent.id == active,
            file=agent.source if is_own(agent) else "",
        )
        for agent in agents.values()
    ]
    return listed, problems


def own_agents(workspace: Workspace) -> tuple[str, ...]:
    """Return the ids of the agents that are known beside the packaged ones."""
    files = own_files(workspace.path(AGENTS_FOLDER))
    found = dict.fromkeys((*declared_agents(workspace), *files))
    return tuple(agent_id for agent_id in found if agent_id not in AGENTS)


def aliases_of(agent: Agent, others: Iterable[str]) -> tuple[str, ...]:
    """Return the agent's other names, without those that are ids of others."""
    names = (*agent.aliases, *(alias for alias, meant in ALIASES.items() if meant == agent.id))
    return tuple(name for name in names if name not in others)


def find_id(workspace: Workspace | None, name: str, before: InForce) -> str:
    """Return the id of the agent that a name, an alias or the beginning of an id stands for, given what is in force.
    Raise LimpetError for an unknown one."""
    own = own_agents(workspace) if workspace else ()
    found = resolve_agent(name, before.workflow, before.own_agents)
    return found or resolve_name(plain_id(name), (*AGENTS, *own), lambda: unknown_agent(name, own))


def unknown_agent(name: str, own: Iterable[str]) -> LimpetError:
    """Return the error for an agent that is neither shipped, nor the project's own, nor in the workflow."""
    meant = did_you_mean(name.strip("@ "), (*AGENTS, *ALIASES, *own))
    return LimpetError(f"Unknown agent: {name}", "", meant or "Run: limpet agent list")


def check_agents(workspace: Workspace) -> list[Finding]:
    """Return what is wrong in the project's own files, by file: an error is one that cannot be used at all."""
    findings = []
    for mistake in find_own_mistakes(workspace.path(AGENTS_FOLDER)):
        file, _, line = mistake.where.partition(":")
        severity = ERROR if mistake.instead else WARNING
        findings.append(Finding(severity, file, int(line or 0), mistake.text, mistake.hint or "correct it there"))
    return findings
