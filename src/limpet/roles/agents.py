"""The files of agents, text to value: the project's own, which replace the packaged ones. Not on the prompt path."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import split_frontmatter
from limpet.ground.formats.markdown import plain_lines
from limpet.ground.formats.schema import Schema, explain_fault, load_schema, sift
from limpet.ground.formats.yaml_edit import render_value
from limpet.ground.formats.yaml_text import key_lines, load_yaml
from limpet.ground.storage.text_file import read_strictly
from limpet.ground.text.escaping import clip
from limpet.ground.text.words import ENGLISH, language_code
from limpet.ground.workspace import FOLDER
from limpet.roles.agent import (
    AGENTS_FOLDER,
    ENDING,
    FULL,
    GREETINGS,
    PACKAGED,
    TEXTS,
    Agent,
    AgentCommand,
    Mistake,
    Persona,
    own_files,
)
from limpet.roles.foreign_agent import from_sub_agent, from_synapse, loose_pairs, quote_commands
from limpet.roles.roster import AGENTS, plain_id

# What a file that cannot be read leads to.
FALLS_BACK, IS_NONE = "the packaged agent is used", "only its name is known"
SCHEMA_VERSION = 1
LONGEST_MISSION = 200
"""Characters of a mission: other tools write a page where we take a line."""
_FENCE = re.compile(r"^[ \t]*```ya?ml[ \t]*\r?\n(.*?)^[ \t]*```", re.MULTILINE | re.DOTALL)
_TELLING = ("mission", "description", "agent", "persona")
_TELLS = re.compile(rf"^(?:{'|'.join(_TELLING)}):", re.MULTILINE)
_LINES = ("mission", "inputs", "outputs", "criteria", "title", "model")
_LISTS = ("steps", "checklist", "authority", "rules", "handoff", "aliases", "sectors", "tools", "templates")
_HEAD = """---
# An agent of this project. Only mission is needed. To see what becomes of it, run: limpet work agent show {id}
schema_version: 1
id: {id}
title: {title}
# What it is for, in a line.
mission: {mission}
"""
# Written in the head, or read by the registry alone (``registry.artifacts``).
_NO_PARTS = ("schema_version", "id", "title", "mission", "keywords", "adaptability")
_BELOW = """\
# The text below is for people. The model gets mission, inputs, outputs, criteria, steps, checklist, authority, rules
# and commands with visibility key.
"""


def load_agent(folder: str, agent_id: str) -> tuple[Agent, list[Mistake]]:
    """The agent, and what is wrong in its file: the project's, else the packaged one, else one of which only the name
    is known. ``folder``: the project's ``.limpet/agents``, "" for none. No other agent's file is read."""
    return _load(own_files(folder), agent_id)


def load_agents(folder: str) -> tuple[dict[str, Agent], list[Mistake]]:
    agents, problems = {}, []
    for agent, mistakes in load_each(folder):
        agents[agent.id] = agent
        problems += mistakes
    return agents, problems


def load_each(folder: str) -> Iterator[tuple[Agent, list[Mistake]]]:
    files = own_files(folder)
    return (_load(files, agent_id) for agent_id in dict.fromkeys((*AGENTS, *files)))


def named_only(agent_id: str) -> Agent:
    return Agent(id=agent_id, title=title_of(agent_id), mission="")


def find_own_mistakes(folder: str) -> list[Mistake]:
    """No packaged agent is read."""
    files, found = own_files(folder), []
    for agent_id in files:
        found += _load_own(files, agent_id)[1]
    return found


def is_own_agent(agent: Agent) -> bool:
    return agent.source.startswith(f"{FOLDER}/")


def in_language(agent: Agent, language: str) -> Agent:
    if is_own_agent(agent) or language_code(language) == ENGLISH or agent.persona is None:
        return agent
    texts = _texts(language_code(language)).get(agent.id, {})
    told = {name: texts[name] for name in Persona.fields if texts.get(name)}
    told |= {"style": ""} if texts else {}  # which is there in English only
    return agent.replace(title=texts.get("title") or agent.title, persona=agent.persona.replace(**told))


def parse_agent(text: str, agent_id: str, where: str) -> tuple[Agent, list[Mistake]]:
    """The agent, and what is wrong in the file and therefore left out. ``where`` names the file in messages. Raise
    LimpetError where the text says nothing of an agent."""
    text = text.removeprefix("\ufeff")
    if text.startswith("---"):
        data, yaml, body = _read_frontmatter(text, where)
        if "mission" not in data and "description" not in data and (block := _find_block(body, where)):
            return _agent_of(*block, agent_id, where)
        return _agent_of(data, body, agent_id, where, yaml)
    if block := _find_block(text, where):
        return _agent_of(*block, agent_id, where)
    data = _bare_data(text, where)
    if data:
        return _agent_of(data, "", agent_id, where, text)
    lines = [line.strip() for _, line in plain_lines(text)]
    heading = next((line.lstrip("# ") for line in lines if line.startswith("# ")), "")
    mission = next((line for line in lines if line[:1].isalpha()), "")
    return _agent_of({"description": mission, "title": heading}, text, agent_id, where)


def title_of(agent_id: str) -> str:
    """Return the title of an agent whose id says all that is known: ``marketing-lead`` is "Marketing lead"."""
    return agent_id.replace("-", " ").capitalize()


def render_agent(agent: Agent) -> str:
    head = _HEAD.format(id=agent.id, title=render_value(agent.title), mission=render_value(agent.mission))
    keys = load_schema("agent")["properties"].items()
    parts = "".join(_part(key, _plain(getattr(agent, key)), about) for key, about in keys if key not in _NO_PARTS)
    return f"{head}{parts}{_BELOW}---\n\n{agent.body or f'# {agent.title}'}\n"


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
    path = files[agent_id]
    where = f"{FOLDER}/{AGENTS_FOLDER}/{os.path.basename(path)}"
    try:
        return parse_agent(read_strictly(path, where), agent_id, where)
    except LimpetError as error:
        instead = FALLS_BACK if agent_id in AGENTS else IS_NONE
        return None, [Mistake(error.where, error.what, error.hint.rstrip("."), instead)]


def _read_frontmatter(text: str, where: str) -> tuple[dict[str, Any], str, str]:
    parts = split_frontmatter(text, where)
    yaml = "\n" * (parts.line - 1) + parts.yaml
    try:
        data = load_yaml(yaml, where)
    except LimpetError:
        data = loose_pairs(parts.yaml)  # what sub-agents' own readers put up with
        if "mission" in data or "description" not in data:
            raise
    if not isinstance(data, dict):
        raise LimpetError("Frontmatter is no mapping", f"{where}:1", "Write keys and values, such as `mission: ...`")
    return {str(key): value for key, value in data.items()}, yaml, parts.rest[parts.body :]


def _find_block(text: str, where: str) -> tuple[dict[str, Any], str] | None:
    """The first fenced block of data that tells of an agent, and the text around it; others are examples."""
    for found in _FENCE.finditer(text):
        before = "\n" * text.count("\n", 0, found.start(1))
        try:
            data = load_yaml(before + found[1], where)
        except LimpetError:
            if not _TELLS.search(found[1]):
                continue
            data = load_yaml(before + quote_commands(found[1]), where)
        if isinstance(data, dict) and any(key in data for key in _TELLING):
            return data, text[: found.start()] + text[found.end() :]
    return None


def _bare_data(text: str, where: str) -> dict[str, Any]:
    with suppress(LimpetError):
        data = load_yaml(text, where)
        if isinstance(data, dict) and any(key in data for key in _TELLING):
            return data
    return {}


def _agent_of(
    data: dict[str, Any], body: str, agent_id: str, where: str, yaml: str = ""
) -> tuple[Agent, list[Mistake]]:
    if "mission" in data:
        own, mistakes = _sifted(data, agent_id, where, yaml)
    else:
        is_synapses = isinstance(data.get("agent"), dict) or "persona" in data
        own, unknown = from_synapse(data) if is_synapses else from_sub_agent(data, body)
        mistakes = [Mistake(where, f"Unknown keys: {', '.join(unknown)}")] if unknown else []
    if not own.get("mission", "").strip():
        hint = "Write in its frontmatter what it is for, in a line: `mission: ...`"
        raise LimpetError("Agent has no mission", where, hint)
    return _build(own, body.strip(), agent_id, where), mistakes


def _sifted(data: dict[str, Any], agent_id: str, where: str, yaml: str) -> tuple[dict[str, Any], list[Mistake]]:
    version = data.get("schema_version", SCHEMA_VERSION)
    if isinstance(version, int) and version > SCHEMA_VERSION:
        what = f"schema_version {version} is newer than this Limpet supports ({SCHEMA_VERSION})"
        raise LimpetError(what, where, "Update Limpet.")
    schema = load_schema("agent")
    good, found = sift(data, schema)
    own = good if isinstance(good, dict) else {}
    wrong = [(one.path[:1], explain_fault(one, schema)) for one in found]
    if plain_id(str(own.get("id") or agent_id)) != agent_id:
        wrong.append((("id",), f"id is {own['id']}, but the file's name makes it {agent_id}"))
    lines = key_lines(yaml, where) if wrong and yaml else {}
    mistakes = [Mistake(f"{where}:{lines[key]}" if key in lines else where, what) for key, what in wrong]
    return _kept_commands(own, data, schema), mistakes


def _kept_commands(own: dict[str, Any], data: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    written = data.get("commands")
    if "commands" in own or not isinstance(written, list):
        return own
    item = schema["properties"]["commands"]["items"]
    return {**own, "commands": [one for one in written if isinstance(one, dict) and not sift(one, item)[1]]}


def _build(own: Mapping[str, Any], body: str, agent_id: str, where: str) -> Agent:
    values: dict[str, Any] = {key: _line(own.get(key)) for key in _LINES}
    values |= {key: tuple(filter(None, map(_line, own.get(key) or ()))) for key in _LISTS}
    values["title"] = values["title"] or title_of(agent_id)
    values["mission"] = clip(values["mission"], LONGEST_MISSION)
    values["handoff"] = tuple(map(plain_id, values["handoff"]))
    values["aliases"] = tuple(alias for alias in map(plain_id, values["aliases"]) if alias != agent_id)
    values["commands"] = tuple(_command(one) for one in own.get("commands") or () if one["name"].strip())
    values["persona"] = _persona(own["persona"]) if own.get("persona") else None
    return Agent(id=agent_id, body=body, source=where, **values)


def _command(one: Mapping[str, Any]) -> AgentCommand:
    return AgentCommand(
        name=_line(one["name"]), description=_line(one.get("description")), visibility=one.get("visibility", FULL)
    )


def _persona(own: Mapping[str, Any]) -> Persona:
    greetings = own.get("greetings") or {}
    texts = {key: _line(own.get(key)) for key in ("name", "role", "style", "signature")}
    return Persona(**texts, **{key: _line(greetings.get(key)) for key in ("minimal", "named", "archetypal")})


def _line(value: object) -> str:
    return " ".join(str(value).split()) if value is not None else ""


def _part(key: str, value: Any, about: Schema) -> str:
    remark = f"# {about['description']}.\n"
    if isinstance(value, list) and value:
        return f"{remark}{key}:\n" + "".join(f"  - {render_value(item)}\n" for item in value)
    if value:
        return f"{remark}{key}: {render_value(value)}\n"
    return f"{remark}# {key}:\n" + "".join(f"#   - {render_value(one)}\n" for one in about.get("examples", ()))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, AgentCommand):
        return {key: text for key, text in value.__dict__.items() if text}
    if value is None or isinstance(value, str):
        return value
    greetings = {level: getattr(value, level) for level in GREETINGS if getattr(value, level)}
    own = {key: text for key, text in value.__dict__.items() if text and key not in GREETINGS}
    return {**own, **({"greetings": greetings} if greetings else {})}
