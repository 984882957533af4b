"""The file of a story's or a conversation's observations: text to values, and one more observation into the text."""

from __future__ import annotations

import re
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import load_schema, sift
from limpet.ground.formats.yaml_edit import render_value
from limpet.ground.formats.yaml_items import dated, join_items, read_items, render_item
from limpet.learning.model import AGENT, CHECK, PREFIXES, RELATIONSHIPS, WORDS, Observation

KEY, STORY, CONVERSATION = "observations", "story_id", "conversation"
OF_CONVERSATION = "conversation:"
LONGEST = 2000
"""Characters of an observation: one to three sentences."""

_ORDER = (
    *("id", "agent", "phase", "type", "importance", "severity", "resolved", "principle_id", "relationship", "text"),
    *("tags", "guidance", "paths", "at", "origin"),
)
_NUMBER = re.compile(r"OB-(\d{1,9})")
_ENTRY = re.compile(rf"(?:{'|'.join(PREFIXES.values())})-\d{{1,9}}")


def read_observations(text: str, source: str, where: str) -> tuple[tuple[Observation, ...], tuple[str, ...]]:
    """Return the observations in the order of the file, and a line for each mistake; what has one is passed over. Raise
    LimpetError for what is no file of observations."""
    _, items, mistakes = read_items(text, KEY, where, _schema())
    return tuple(_observation(data, source) for data in items.values() if data), mistakes


def add_observation(text: str, observation: Observation, source: str, where: str) -> str:
    """Return the text with the observation behind the last one, under the next free number; "" begins a file. Raise
    LimpetError for a file that is none, and for an observation that ``refuse`` refuses."""
    refuse(observation)
    file, items, _ = read_items(text or _head(source), KEY, where, _schema())
    numbers = (_NUMBER.search(str(data["id"]) if data else lines) for lines, data in items.items())
    last = max((int(found[1]) for found in numbers if found), default=0)
    new = render_item(_fields(observation.replace(id=f"OB-{last + 1:03}")), {}, file)
    return join_items(file.replace(items=(*items, new)))


def refuse(observation: Observation) -> None:
    """Raise LimpetError for an observation that a file may not hold."""
    for fault in sift({"type": observation.type, **_fields(observation)}, _schema())[1]:
        raise LimpetError(f"An observation's {'.'.join(fault.path)} {fault.what}")
    if not 0 < len(observation.text.strip()) <= LONGEST:
        what = f"An observation has 1 to {LONGEST} characters (got {len(observation.text.strip())})"
        raise LimpetError(what, hint="Say in one to three sentences what was observed.")
    named = (observation.type == CHECK, bool(observation.principle_id), bool(observation.relationship))
    if len(set(named)) > 1:
        hint = f"Name the entry (PR-001) and the relationship: {', '.join(RELATIONSHIPS)}."
        raise LimpetError(f"A {CHECK}, and no other observation, is about an entry", observation.principle_id, hint)
    if observation.principle_id and not _ENTRY.fullmatch(observation.principle_id):
        raise LimpetError("Not an ID of an entry", observation.principle_id, "Write it as PR-001, AP-001 or PC-001.")


def source_of(story: str = "", conversation: str = "") -> str:
    """Return the name of the source that is this story, or this conversation."""
    return story or f"{OF_CONVERSATION}{conversation}"


def ref_of(source: str, observation: str) -> str:
    """Return how an observation is named: ``S-1/OB-003``."""
    return f"{source}/{observation}"


def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = load_schema(KEY, WORDS)["properties"][KEY]["items"]
    return schema


def _observation(data: dict[str, Any], source: str) -> Observation:
    known = {name: data[name] for name in _ORDER if name in data}
    lists = {name: tuple(value) for name, value in known.items() if isinstance(value, list)}
    return Observation(**{**known, **lists, "source": source})


def _fields(observation: Observation) -> dict[str, object]:
    """Return the observation's keys as the file has them: what is empty, or goes without saying, is left out."""
    values = {name: getattr(observation, name) for name in _ORDER}
    values["at"] = dated(observation.at)
    values["origin"] = "" if observation.origin == AGENT else observation.origin
    lists = {name: list(value) for name, value in values.items() if isinstance(value, tuple)}
    return {name: value for name, value in {**values, **lists}.items() if value not in ("", [], None)}


def _head(source: str) -> str:
    is_conversation = source.startswith(OF_CONVERSATION)
    name, id = (CONVERSATION, source.removeprefix(OF_CONVERSATION)) if is_conversation else (STORY, source)
    return f"{name}: {render_value(id)}\n{KEY}:\n"
