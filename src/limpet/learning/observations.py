"""The file of a story's or a conversation's observations: text to values, one more observation into the text, and what
a deed shows as one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import load_schema, sift
from limpet.ground.formats.yaml_edit import render_value
from limpet.ground.formats.yaml_items import dated, join_items, read_yaml_items, render_item
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.learning.model import (
    AGENT,
    CHECK,
    DEED,
    DEVIATION,
    DISCOVERY,
    FINDING,
    FIX,
    PERSON,
    PREFIXES,
    RELATIONSHIPS,
    WORDS,
    Observation,
)

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
# A command that failed and then passed, a gate that refused, a rule that was broken, a person's correction, and work
# that was left for a reason.
MENDED, REFUSED, BROKEN, CORRECTED, DEVIATED = "mended", "refused", "broken", "corrected", "deviated"
TYPES = {MENDED: FIX, REFUSED: FINDING, BROKEN: FINDING, CORRECTED: DISCOVERY, DEVIATED: DEVIATION}
SEVERITIES = {REFUSED: "P1", BROKEN: "P2"}
# Characters of an observation's text and of a part of it, and how many things of a list are named.
LONGEST_DEED, LONGEST_PART, MOST_NAMED = 500, 240, 4


def read_observations(text: str, source: str, where: str) -> tuple[tuple[Observation, ...], tuple[str, ...]]:
    """Return the observations in the order of the file, and a line for each mistake; what has one is passed over. Raise
    LimpetError for what is no file of observations."""
    _, items, mistakes = read_yaml_items(text, KEY, where, _schema())
    found = []
    for data in (data for data in items.values() if data):
        known = {name: data[name] for name in _ORDER if name in data}
        lists = {name: tuple(value) for name, value in known.items() if isinstance(value, list)}
        found.append(Observation(**{**known, **lists, "source": source}))
    return tuple(found), mistakes


def add_observation(text: str, observation: Observation, source: str, where: str) -> str:
    """Put the observation behind the last one, without an id under the next free number; "" begins a file. Raise
    LimpetError for a file that is none, and for an observation that ``refuse`` refuses."""
    refuse(observation)
    if not text:
        is_conversation = source.startswith(OF_CONVERSATION)
        name, id = (CONVERSATION, source.removeprefix(OF_CONVERSATION)) if is_conversation else (STORY, source)
        text = f"{name}: {render_value(id)}\n{KEY}:\n"
    file, items, _ = read_yaml_items(text, KEY, where, _schema())
    numbers = (_NUMBER.search(str(data["id"]) if data else lines) for lines, data in items.items())
    last = max((int(found[1]) for found in numbers if found), default=0)
    new = render_item(_fields(observation.replace(id=observation.id or f"OB-{last + 1:03}")), file)
    return join_items(file.replace(items=(*items, new)))


def refuse(observation: Observation) -> None:
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
    return story or f"{OF_CONVERSATION}{conversation}"


def ref_of(source: str, observation: str) -> str:
    """Return how an observation is named: ``S-1/OB-003``."""
    return f"{source}/{observation}"


class ObservedDeed(Value):
    """What was seen to happen.

    ``kind``: one of the five above. ``ref``: names it among all deeds, the same whenever it is found.
    ``at``: when, ISO 8601 ending in ``Z``. ``agent``: who was active, "" for nobody.
    ``what``: the command, the gate, the rule, what the person said, why the work was left; "" where nobody knows it.
    ``details``: what the command said, the gate's reasons, where the rule was broken.
    ``resolved``: whether it was mended, passed, kept afterwards, or came back.
    ``files``: those that were changed until then. ``words``: what helped, as the agent told it, "" for nothing.
    """

    kind: str
    ref: str
    at: str
    agent: str
    what: str
    details: tuple[str, ...] = ()
    times: int = 1
    resolved: bool = False
    files: tuple[str, ...] = ()
    words: str = ""
    tags: tuple[str, ...] = ()


def observation_of(deed: ObservedDeed, source: str) -> Observation | None:
    """Return what the deed shows, as an observation without an id; None for routine: a command that passed the next
    time without a word on why, or without a change, and what says nothing."""
    is_routine = deed.kind == MENDED and (not deed.files or (deed.times == 1 and not deed.words))
    if is_routine or not deed.what:
        return None
    return Observation(
        source=source,
        id="",
        agent=deed.agent,
        type=TYPES[deed.kind],
        text=clip(_text(deed), LONGEST_DEED),
        tags=deed.tags,
        importance=_importance(deed),
        at=deed.at,
        origin=PERSON if deed.kind == CORRECTED else DEED,
        severity=SEVERITIES.get(deed.kind, ""),
        resolved=None if deed.kind in (MENDED, CORRECTED) else deed.resolved,
        guidance=(_part(deed.what),) if deed.kind == BROKEN else (),
        paths=deed.files,
    )


def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = load_schema(KEY, WORDS)["properties"][KEY]["items"]
    return schema


def _fields(observation: Observation) -> dict[str, object]:
    """What is empty, or goes without saying, is left out."""
    values = {name: getattr(observation, name) for name in _ORDER}
    values["at"] = dated(observation.at)
    values["origin"] = "" if observation.origin == AGENT else observation.origin
    lists = {name: list(value) for name, value in values.items() if isinstance(value, tuple)}
    return {name: value for name, value in {**values, **lists}.items() if value not in ("", [], None)}


def _text(deed: ObservedDeed) -> str:
    what, details, files = _part(deed.what), _named(map(_part, deed.details), "; "), _named(deed.files, ", ")
    often = f" {deed.times} times" if deed.times > 1 else ""
    if deed.kind == MENDED:
        how = f": {_part(deed.words)}" if deed.words else ""
        return f"`{clip(deed.what, LONGEST_PART)}` failed{often}: {details}. Mended in {files}{how}."
    if deed.kind == REFUSED:
        passed = f"It passed after changes to {files}" if files else "It passed later"
        return f"{what} was refused{often}: {details}. {passed if deed.resolved else 'It did not pass'}."
    if deed.kind == BROKEN:
        end = "It was kept afterwards" if deed.resolved else "It was not kept afterwards"
        return f'The rule "{what}" was broken{often} ({details}). {end}.'
    if deed.kind == DEVIATED:
        end = "The work came back to where it was" if deed.resolved else "It is still open"
        return f"The work left its plan ({', '.join(deed.tags)}): {what}. {end}."
    return " ".join(deed.what.split())


def _importance(deed: ObservedDeed) -> int:
    """What took several attempts or was left broken counts for more. From 7 on an observation may make an entry by
    itself; a correction never does, since it is a memory already and would be told twice."""
    if deed.kind == MENDED:
        return 4 + bool(deed.words) + min(deed.times - 1, 2)
    return 6 if deed.kind in (CORRECTED, DEVIATED) else 5 + (deed.times > 1) + (not deed.resolved)


def _part(text: str) -> str:
    return clip(" ".join(text.split()), LONGEST_PART).rstrip(" .")


def _named(things: Iterable[str], between: str) -> str:
    names = list(things)
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return between.join(names[:MOST_NAMED]) + more
