"""The files of agents: the project's own, which replace the packaged ones. Nothing here is on the prompt path."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache

from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.storage.text_file import read_strictly
from limpet.ground.text.words import ENGLISH, language_code
from limpet.ground.workspace import FOLDER
from limpet.roles.agent import AGENTS_FOLDER, ENDING, PACKAGED, TEXTS, Agent, Mistake, Persona, own_files
from limpet.roles.agent_file import parse_agent, title_of
from limpet.roles.roster import AGENTS

# What a file that cannot be read leads to.
FALLS_BACK, IS_NONE = "the packaged agent is used", "only its name is known"


def load_agent(folder: str, agent_id: str) -> tuple[Agent, list[Mistake]]:
    """Return the agent of this id, and what is wrong in its file: the project's, else the packaged one, else one of
    which only the name is known.

    ``folder``: the project's ``.limpet/agents``, "" for none. No other agent's file is read.
    """
    return _load(own_files(folder), agent_id)


def load_agents(folder: str) -> tuple[dict[str, Agent], list[Mistake]]:
    """Return all agents by id, the roster's first, and what is wrong in their files."""
    agents, problems = {}, []
    for agent, mistakes in load_each(folder):
        agents[agent.id] = agent
        problems += mistakes
    return agents, problems


def load_each(folder: str) -> Iterator[tuple[Agent, list[Mistake]]]:
    """Yield each agent, the roster's first, with what is wrong in its file."""
    files = own_files(folder)
    return (_load(files, agent_id) for agent_id in dict.fromkeys((*AGENTS, *files)))


def named_only(agent_id: str) -> Agent:
    return Agent(id=agent_id, title=title_of(agent_id), mission="")


def find_own_mistakes(folder: str) -> list[Mistake]:
    """Return what is wrong in the files of a project's own agents; no packaged one is read."""
    files, found = own_files(folder), []
    for agent_id in files:
        found += _load_own(files, agent_id)[1]
    return found


def is_own_agent(agent: Agent) -> bool:
    """Return whether the agent is from a project's file."""
    return agent.source.startswith(f"{FOLDER}/")


def in_language(agent: Agent, language: str) -> Agent:
    """Return a packaged agent with title and persona in the language; a project's own as its file has them."""
    if is_own_agent(agent) or language_code(language) == ENGLISH or agent.persona is None:
        return agent
    texts = _texts(language_code(language)).get(agent.id, {})
    told = {name: texts[name] for name in Persona.fields if texts.get(name)}
    told |= {"style": ""} if texts else {}  # which is there in English only
    return agent.replace(title=texts.get("title") or agent.title, persona=agent.persona.replace(**told))


@cache
def _texts(language: str) -> dict[str, dict[str, str]]:
    name = f"{language}.yaml"
    data = load_yaml(read_strictly(os.path.join(TEXTS, name), f"framework/{AGENTS_FOLDER}/texts/{name}"), name)
    return data if isinstance(data, dict) else {}


def _load(files: Mapping[str, str], agent_id: str) -> tuple[Agent, list[Mistake]]:
    own, mistakes = _load_own(files, agent_id) if agent_id in files else (None, [])
    if own or agent_id not in AGENTS:
        return own or named_only(agent_id), mistakes
    name = f"{agent_id}{ENDING}"
    where = f"framework/{AGENTS_FOLDER}/{name}"
    return parse_agent(read_strictly(os.path.join(PACKAGED, name), where), agent_id, where)[0], mistakes


def _load_own(files: Mapping[str, str], agent_id: str) -> tuple[Agent | None, list[Mistake]]:
    """Return the agent of the project's file, None where nothing of it can be used."""
    path = files[agent_id]
    where = f"{FOLDER}/{AGENTS_FOLDER}/{os.path.basename(path)}"
    try:
        return parse_agent(read_strictly(path, where), agent_id, where)
    except LimpetError as error:
        instead = FALLS_BACK if agent_id in AGENTS else IS_NONE
        return None, [Mistake(error.where, error.what, error.hint.rstrip("."), instead)]
