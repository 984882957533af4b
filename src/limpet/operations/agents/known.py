"""The agents that a project knows: the packaged ones, those with a file of its own, those that its rules declare."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import read_text
from limpet.ground.text.lookup import did_you_mean, resolve_name
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.model.attention import preferred_sectors
from limpet.roles.agent import AGENTS_FOLDER, Agent, Mistake, own_files
from limpet.roles.agents import find_own_mistakes, is_own_agent, load_agent, load_agents, named_only
from limpet.roles.roster import AGENTS, ALIASES, name_for, plain_id, resolve_id
from limpet.rules.check.domain import ERROR, WARNING, Finding
from limpet.rules.format.domain import DomainText, read_domain
from limpet.rules.format.manifest import Domain, read_manifest
from limpet.rules.layout import LIMPET, MANIFEST
from limpet.rules.naming import domain_file_name, read_catalogue
from limpet.rules.plan.sources import FRAMEWORK, declared_agents
from limpet.work.in_force import InForce, find_in_force, resolve_agent
from limpet.work.project import read_project
from limpet.work.session import read_state


class Listed(Value):
    """An agent in a list; ``file``: the project's own file of it, "" for none."""

    id: str
    title: str
    mission: str
    aliases: tuple[str, ...]
    active: bool
    file: str = ""


def listed_agents(workspace: Workspace | None, conversation: str = "") -> tuple[list[Listed], list[Mistake]]:
    """The packaged agents, then the project's own. Raises LimpetError where the session cannot be read."""
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
            file=agent.source if is_own_agent(agent) else "",
        )
        for agent in agents.values()
    ]
    return listed, problems


def own_agents(workspace: Workspace) -> tuple[str, ...]:
    files = own_files(workspace.path(AGENTS_FOLDER))
    found = dict.fromkeys((*declared_agents(workspace), *files))
    return tuple(agent_id for agent_id in found if agent_id not in AGENTS)


def aliases_of(agent: Agent, others: Iterable[str]) -> tuple[str, ...]:
    """Without those that are ids of others."""
    names = (*agent.aliases, *(alias for alias, meant in ALIASES.items() if meant == agent.id))
    return tuple(name for name in names if name not in others)


def find_id(workspace: Workspace | None, name: str, before: InForce) -> str:
    """Return the id for a name, an alias or the beginning of an id. Raise LimpetError for an unknown one."""
    own = own_agents(workspace) if workspace else ()
    found = resolve_agent(name, before.workflow, before.own_agents)
    return found or resolve_name(plain_id(name), (*AGENTS, *own), lambda: unknown_agent(name, own))


def unknown_agent(name: str, own: Iterable[str]) -> LimpetError:
    meant = did_you_mean(name.strip("@ "), (*AGENTS, *ALIASES, *own))
    return LimpetError(f"Unknown agent: {name}", "", meant or "Run: limpet work agent show")


def check_agents(workspace: Workspace) -> list[Finding]:
    """An error is a mistake for which the agent's file cannot be used at all."""
    findings = []
    for mistake in find_own_mistakes(workspace.path(AGENTS_FOLDER)):
        file, _, line = mistake.where.partition(":")
        severity = ERROR if mistake.instead else WARNING
        findings.append(Finding(severity, file, int(line or 0), mistake.text, mistake.hint or "correct it there"))
    return [*findings, *_unheard(workspace)]


def _unheard(workspace: Workspace) -> Iterator[Finding]:
    """The domains of names that share a packaged agent with another whose rules come (decision 34)."""
    from limpet.rules.check.manifest import first_lines

    text = read_text(workspace.path("rules", LIMPET.manifest), STATE_BYTES) or ""
    own = own_agents(workspace)
    called = {one.agent: one for one in read_manifest(text).domains if one.active and one.agent not in ("", *own)}
    lines = first_lines(text)
    for name, domain in called.items():
        meant = [each for each in (resolve_id(name), resolve_id(name, brownfield=True)) if each]
        heard = [name_for(each, [*called]) for each in meant]
        if heard and name not in heard:
            what = f"{domain.name} never comes: {name} is {meant[0]} here, whose rules are {called[heard[0]].name}"
            hint = f"make it an agent of its own: limpet work agent new {name}"
            yield Finding(WARNING, MANIFEST, lines[domain.name], what, hint)


class ShownAgent(Value):
    """An agent and what holds for it.

    ``agent``: with the authority and the rules of its domain before those of its file.
    ``overrides``: whether the project's file takes the packaged one's place.
    ``domain``: the file of its rules, "" where there is none.
    """

    agent: Agent
    aliases: tuple[str, ...]
    active: bool
    overrides: bool
    domain: str
    problems: tuple[Mistake, ...]


def show_agent(workspace: Workspace | None, name: str, conversation: str = "") -> ShownAgent:
    """Raises LimpetError for an unknown agent."""
    session, state = (read_project(workspace)[0], read_state(workspace, conversation)) if workspace else ({}, {})
    found = find_in_force(session, state)
    agent_id = find_id(workspace, name, found)
    agent, file, problems = agent_with_rules(workspace, agent_id, found.own_agents)
    return ShownAgent(
        agent=agent.replace(sectors=agent.sectors or tuple(preferred_sectors().get(agent_id, {}).values())),
        aliases=aliases_of(agent, own_agents(workspace) if workspace else ()),
        active=agent_id == found.agent,
        overrides=agent_id in AGENTS and is_own_agent(agent),
        domain=file,
        problems=tuple(problems),
    )


def agent_with_rules(
    workspace: Workspace | None, agent_id: str, own: Collection[str]
) -> tuple[Agent, str, list[Mistake]]:
    """The agent, with authority and rules of its domain before its own; the domain's file; mistakes in its own file."""
    agent, problems = load_agent(workspace.path(AGENTS_FOLDER) if workspace else "", agent_id)
    file, domain = _domain(workspace, agent_id, own)
    authority = tuple(dict.fromkeys((*domain.authority, *agent.authority)))
    rules = tuple(dict.fromkeys((*domain.rules, *agent.rules)))
    return agent.replace(authority=authority, rules=rules), file, problems


def _domain(workspace: Workspace | None, agent_id: str, own: Collection[str]) -> tuple[str, DomainText]:
    if workspace is None:
        name = f"AGENT_{agent_id.upper().replace('-', '_')}"
        file = f"rules/{domain_file_name(name)}"
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
