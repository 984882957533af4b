"""Writes an agent as the text of a file: what it has, and what it could have, with a line on each."""

from __future__ import annotations

from typing import Any

from holdfast.ground.formats.yaml_edit import render_value
from holdfast.roles.agent import GREETINGS, Agent, Command

_HEAD = """---
# An agent of this project. Only mission is needed. To see what becomes of it, run: holdfast agent show {id}
schema_version: 1
id: {id}
title: {title}
# What it is for, in a line.
mission: {mission}
"""

# (remark, keys, example of an entry) of what may be empty.
_PARTS = (
    ("What it works from, what it leaves, and when that is done: a line each.", ("inputs", "outputs", "criteria"), ""),
    ("What it does, in order.", ("steps",), "Read the request and what is there already."),
    (
        "What it checks its own work by: five to seven statements, each answered by a file or a command.",
        ("checklist",),
        "Every claim names its source.",
    ),
    (
        "What only it may do, and what it never does, with whom to ask instead.",
        ("authority",),
        "NEVER push to a remote - delegate to @devops",
    ),
    ("How it works, where the checklist does not say so.", ("rules",), "One idea a page."),
    ("The agents that it hands over to.", ("handoff",), "qa-implementation"),
    (
        "The kinds of memory that it prefers, at most two, primary first: episodic, semantic, procedural, reflective.",
        ("sectors",),
        "",
    ),
    ("What it needs: read, edit, shell, web, ask.", ("tools",), ""),
    ("The class of model that it needs: fast, balanced or strong.", ("model",), ""),
    ("The forms that its outputs follow; for a list, run: holdfast guide", ("templates",), ""),
    (
        "Commands that it uses; visibility key reaches the model, quick short lists, full long ones.",
        ("commands",),
        "{name: holdfast work finish, description: End the step, visibility: key}",
    ),
    ("How it appears to people; the model does not get it.", ("persona",), ""),
)

_BELOW = """\
# The text below is for people. The model gets mission, inputs, outputs, criteria, checklist, authority, rules and
# commands with visibility key.
"""


def render_agent(agent: Agent) -> str:
    """Return the text of the agent's file; ``parse_agent`` reads the same agent from it."""
    head = _HEAD.format(id=agent.id, title=render_value(agent.title), mission=render_value(agent.mission))
    parts = "".join(_part(agent, remark, keys, example) for remark, keys, example in _PARTS)
    return f"{head}{parts}{_BELOW}---\n\n{agent.body or f'# {agent.title}'}\n"


def _part(agent: Agent, remark: str, keys: tuple[str, ...], example: str) -> str:
    return f"# {remark}\n" + "".join(_entry(key, _plain(getattr(agent, key)), example) for key in keys)


def _entry(key: str, value: Any, example: str) -> str:
    """Return a key with its value; of one that has none, a remark to fill in."""
    if isinstance(value, list) and value:
        return f"{key}:\n" + "".join(f"  - {render_value(item)}\n" for item in value)
    if value:
        return f"{key}: {render_value(value)}\n"
    return f"# {key}:\n#   - {example}\n" if example else f"# {key}:\n"


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
