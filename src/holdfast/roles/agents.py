"""The files of agents: the project's own, which replace the packaged ones. Nothing here is on the prompt path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.yaml_text import load_yaml
from holdfast.ground.storage.text_file import read_strictly
from holdfast.ground.text.languages import ENGLISH, language_code
from holdfast.ground.workspace import FOLDER
from holdfast.roles.agent import Agent, Persona
from holdfast.roles.agent_file import parse_agent
from holdfast.roles.agent_paths import AGENTS_FOLDER, ENDING, FALLS_BACK, IS_NONE, PACKAGED, TEXTS, own_files
from holdfast.roles.roster import AGENTS


def load_agent(folder: str, agent_id: str) -> tuple[Agent | None, list[str]]:
    """Return the agent of this id, and what is wrong in its file, a line each: the project's, else the packaged one;
    None where there is neither.

    ``folder``: the project's ``.holdfast/agents``, "" for none. No other agent's file is read.
    """
    return _load(own_files(folder), agent_id)


def load_agents(folder: str) -> tuple[dict[str, Agent], list[str]]:
    """Return all agents by id, the roster's first, and what is wrong in their files, a line each."""
    files = own_files(folder)
    agents, problems = {}, []
    for agent_id in (*AGENTS, *(each for each in files if each not in AGENTS)):
        agent, more = _load(files, agent_id)
        problems += more
        if agent:
            agents[agent_id] = agent
    return agents, problems


def is_own(agent: Agent) -> bool:
    """Return whether the agent is from a project's file."""
    return agent.source.startswith(f"{FOLDER}/")


def in_language(agent: Agent, language: str) -> Agent:
    """Return a packaged agent with title and persona in the language; a project's own as its file has them."""
    if is_own(agent) or language_code(language) == ENGLISH or agent.persona is None:
        return agent
    texts = _texts(language_code(language)).get(agent.id, {})
    told = {name: texts[name] for name in Persona.fields if texts.get(name)}
    told |= {"style": ""} if texts else {}  # which is there in English only
    return agent.replace(title=texts.get("title") or agent.title, persona=agent.persona.replace(**told))


@cache
def _texts(language: str) -> dict[str, dict[str, str]]:
    """Return what is said otherwise in this language, by agent."""
    name = f"{language}.yaml"
    data = load_yaml(read_strictly(os.path.join(TEXTS, name), f"framework/{AGENTS_FOLDER}/texts/{name}"), name)
    return data if isinstance(data, dict) else {}


def _load(files: Mapping[str, str], agent_id: str) -> tuple[Agent | None, list[str]]:
    """Return the agent of one of the project's files, else the packaged one."""
    if agent_id not in files:
        return _packaged(agent_id), []
    path = files[agent_id]
    where = f"{FOLDER}/{AGENTS_FOLDER}/{os.path.basename(path)}"
    try:
        return parse_agent(read_strictly(path, where), agent_id, where)
    except HoldfastError as error:
        packaged = _packaged(agent_id)
        return packaged, [f"{error} {FALLS_BACK if packaged else IS_NONE}"]


def _packaged(agent_id: str) -> Agent | None:
    if agent_id not in AGENTS:
        return None
    name = f"{agent_id}{ENDING}"
    where = f"framework/{AGENTS_FOLDER}/{name}"
    return parse_agent(read_strictly(os.path.join(PACKAGED, name), where), agent_id, where)[0]
