"""The files of agents: the project's own, which replace the packaged ones. Nothing here is on the prompt path."""

from __future__ import annotations

import os
from collections.abc import Mapping

import holdfast
from holdfast.ground.errors import HoldfastError
from holdfast.ground.storage.text_file import read_strictly
from holdfast.ground.workspace import FOLDER
from holdfast.roles.agent import Agent
from holdfast.roles.agent_file import parse_agent
from holdfast.roles.roster import ROLES, plain_id

AGENTS, ENDING = "agents", ".md"
_PACKAGED = os.path.join(os.path.dirname(holdfast.__file__), "framework", AGENTS)


def load_agent(folder: str, agent_id: str) -> tuple[Agent | None, list[str]]:
    """Return the agent of this id, and what is wrong in its file, a line each: the project's, else the packaged one;
    None where there is neither.

    ``folder``: the project's ``.holdfast/agents``, "" for none. No other agent's file is read.
    """
    return _load(_files(folder), agent_id)


def load_agents(folder: str) -> tuple[dict[str, Agent], list[str]]:
    """Return all agents by id, the roster's first, and what is wrong in their files, a line each."""
    files = _files(folder)
    agents, problems = {}, []
    for agent_id in (*ROLES, *(each for each in files if each not in ROLES)):
        agent, more = _load(files, agent_id)
        problems += more
        if agent:
            agents[agent_id] = agent
    return agents, problems


def own_file(folder: str, agent_id: str) -> str:
    """Return the path of the project's file of this agent, "" where it has none."""
    return _files(folder).get(agent_id, "")


def _load(files: Mapping[str, str], agent_id: str) -> tuple[Agent | None, list[str]]:
    """Return the agent of one of the project's files, else the packaged one."""
    if agent_id not in files:
        return _packaged(agent_id), []
    path = files[agent_id]
    where = f"{FOLDER}/{AGENTS}/{os.path.basename(path)}"
    try:
        return parse_agent(read_strictly(path, where), agent_id, where)
    except HoldfastError as error:
        packaged = _packaged(agent_id)
        using = "the packaged agent is used" if packaged else "there is no such agent until then"
        return packaged, [f"{error} ({using})"]


def _packaged(agent_id: str) -> Agent | None:
    if agent_id not in ROLES:
        return None
    name = f"{agent_id}{ENDING}"
    text = read_strictly(os.path.join(_PACKAGED, name), f"framework/{AGENTS}/{name}")
    if not text:
        return Agent(agent_id, *ROLES[agent_id])
    return parse_agent(text, agent_id, f"framework/{AGENTS}/{name}")[0]


def _files(folder: str) -> dict[str, str]:
    """Return id -> path of the project's files, in the ids' order; of two spellings of an id the plain one counts."""
    try:
        names = os.listdir(folder) if folder else []
    except OSError:
        names = []
    found: dict[str, str] = {}
    for name in sorted(names, key=lambda each: (each != plain_id(each), each)):
        stem, ending = os.path.splitext(name)
        agent_id = plain_id(stem)
        if ending.lower() == ENDING and _is_id(agent_id):
            found.setdefault(agent_id, os.path.join(folder, name))
    return dict(sorted(found.items()))


def _is_id(name: str) -> bool:
    """Return whether the name is one of letters, digits and dashes; ``README.md`` is no agent's file."""
    sound = name[:1].isalnum() and name.replace("-", "").isalnum() and name.isascii()
    return sound and name != "readme"
