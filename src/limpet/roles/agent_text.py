"""Writes an agent as the text of a file: what it has, and what it could have, with what the schema says of each."""

from __future__ import annotations

from typing import Any

from limpet.ground.formats.schema import Schema, load_schema
from limpet.ground.formats.yaml_edit import render_value
from limpet.roles.agent import GREETINGS, Agent, Command

_HEAD = """---
# An agent of this project. Only mission is needed. To see what becomes of it, run: limpet agent show {id}
schema_version: 1
id: {id}
title: {title}
# What it is for, in a line.
mission: {mission}
"""

_IN_HEAD = ("schema_version", "id", "title", "mission")

_BELOW = """\
# The text below is for people. The model gets mission, inputs, outputs, criteria, steps, checklist, authority, rules
# and commands with visibility key.
"""


def render_agent(agent: Agent) -> str:
    """Return the text of the agent's file; ``parse_agent`` reads the same agent from it."""
    head = _HEAD.format(id=agent.id, title=render_value(agent.title), mission=render_value(agent.mission))
    keys = load_schema("agent")["properties"].items()
    parts = "".join(_part(key, _plain(getattr(agent, key)), about) for key, about in keys if key not in _IN_HEAD)
    return f"{head}{parts}{_BELOW}---\n\n{agent.body or f'# {agent.title}'}\n"


def _part(key: str, value: Any, about: Schema) -> str:
    """Return a remark on the key and its value; where there is none, a remark to fill in."""
    remark = f"# {about['description']}.\n"
    if isinstance(value, list) and value:
        return f"{remark}{key}:\n" + "".join(f"  - {render_value(item)}\n" for item in value)
    if value:
        return f"{remark}{key}: {render_value(value)}\n"
    return f"{remark}# {key}:\n" + "".join(f"#   - {render_value(one)}\n" for one in about.get("examples", ()))


def _plain(value: Any) -> Any:
    """Return a field's value as YAML can hold it, without what is empty."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Command):
        return {key: text for key, text in value.__dict__.items() if text}
    if value is None or isinstance(value, str):
        return value
    greetings = {level: getattr(value, level) for level in GREETINGS if getattr(value, level)}
    own = {key: text for key, text in value.__dict__.items() if text and key not in GREETINGS}
    return {**own, **({"greetings": greetings} if greetings else {})}
