"""The stores of knowledge, a file for each kind: text to entries and back. One entry's change touches its lines only.
What git leaves of two branches is read as both: the evidence of one entry unites, and of two entries under one id the
later one gets the next free number, with the old id as an alias."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import yaml

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.formats.markdown import line_break_of
from limpet.ground.formats.schema import load_schema
from limpet.ground.formats.yaml_edit import Path, insert_lines, render_value, set_values
from limpet.ground.formats.yaml_items import (
    ItemFile,
    conflict_sides,
    dated,
    edit_item,
    join_items,
    read_yaml_items,
    render_item,
)
from limpet.ground.formats.yaml_text import find_pair, node_end
from limpet.ground.values import Value
from limpet.learning.model import (
    ACTIVE,
    ANTI_PATTERN,
    FILES,
    KEYS,
    KINDS,
    PREFIXES,
    WORDS,
    KnowledgeEntry,
    KnowledgeEvidence,
    Stores,
    confidence_of,
    evidence_in_order,
    supporting,
)

NO_STORES: Stores = dict.fromkeys(KINDS, ())

_ORDER = (
    *("id", "text", "failure_mode", "severity", "categories", "guidance", "trigger_patterns", "confidence"),
    *("source_count", "tags", "roles", "applies_to", "scope", "status", "supersedes", "source", "created"),
    *("last_reinforced", "start", "aliases", "evidence"),
)
# Under which keys an anti-pattern has these fields.
_NAMED = {"text": "failed_approach", "guidance": "recommended_approach"}
_DATES = ("created", "last_reinforced")
_NUMBER = re.compile(r"[A-Z]{2}-(\d{1,9})")


class _Stored(Value):
    """The lines of an entry, and the entry, None where they have mistakes. Where branches were merged ``entry`` is what
    it is now, ``written`` what the lines say; ``start`` there is "" where they do not say it."""

    lines: str
    entry: KnowledgeEntry | None = None
    written: KnowledgeEntry | None = None


def read_entries(kind: str, text: str, where: str) -> tuple[tuple[KnowledgeEntry, ...], tuple[str, ...]]:
    """Return the entries, and a line for each mistake: what has one is left out. Raise LimpetError for no store."""
    _, stored, mistakes = _read(kind, text, where)
    return tuple(each.entry for each in stored if each.entry), mistakes


def write_entries(kind: str, text: str, entries: Iterable[KnowledgeEntry], where: str) -> str:
    """Only lines that differ change, a new entry comes last, what is not named stays. Raise LimpetError."""
    file, stored, _ = _read(kind, text, where)
    wanted = {entry.id: entry for entry in entries}
    items = []
    for each in stored:
        entry = wanted.pop(each.entry.id, each.entry) if each.entry else None
        items.append(_edited(each.lines, each.written, entry, where) if entry and each.written else each.lines)
    for entry in wanted.values():
        values = {name: _value(entry, name) for name in _ORDER[:-1]}
        fields = {_key(kind, name): value for name, value in values.items() if value not in ("", (), [])}
        rows = [_fields(piece) for piece in entry.evidence]
        items.append(render_item(fields | ({"evidence": rows} if rows else {}), file))
    if tuple(items) == file.items and len(conflict_sides(text)) == 1:
        return text
    return join_items(file.replace(items=tuple(items)))


def next_number(entries: Iterable[KnowledgeEntry]) -> int:
    highest = 0
    for entry in entries:
        highest = max(highest, *map(number_of, (entry.id, *entry.aliases)))
    return highest + 1


def number_of(id: str) -> int:
    """Return 0 for an id of another form."""
    found = _NUMBER.fullmatch(id)
    return int(found[1]) if found else 0


def entry_id_of(kind: str, number: int) -> str:
    return f"{PREFIXES[kind]}-{number:03}"


@lru_cache(maxsize=len(KINDS))
def _read(kind: str, text: str, where: str) -> tuple[ItemFile, tuple[_Stored, ...], tuple[str, ...]]:
    schema = load_schema(FILES[kind].removesuffix(".yml"), WORDS)["properties"][KEYS[kind]]["items"]
    file, items, found = read_yaml_items(text, KEYS[kind], where, schema)
    stored, mistakes = list[_Stored](), list(found)
    for lines, data in items.items():
        mistake = _mistake(kind, data) if data else ""
        if data and not mistake:
            entry = _entry(kind, data)
            stored.append(_Stored(lines, entry, entry if "start" in data else entry.replace(start="")))
            continue
        stored.append(_Stored(lines))
        mistakes += [f"{where}: {data['id']}: {mistake}"] if data else []
    return file, tuple(_united(kind, stored)), tuple(mistakes)


def _mistake(kind: str, data: dict[str, Any]) -> str:
    """Return what is wrong with an entry that its schema does not see."""
    if not number_of(data["id"]) or not data["id"].startswith(PREFIXES[kind]):
        return f"id must be {PREFIXES[kind]}- and a number"
    evidence = data.get("evidence", ())
    if not all(piece.get("source") and piece.get("observation") and piece.get("effect") for piece in evidence):
        return "evidence must have source, observation and effect"
    return "start is missing beside evidence" if evidence and "start" not in data else ""


def _entry(kind: str, data: dict[str, Any]) -> KnowledgeEntry:
    named = {name: _key(kind, name) for name in _ORDER}
    known = {name: data[key] for name, key in named.items() if key in data}
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in known.items()}
    if isinstance(values.get("guidance"), str):
        values["guidance"] = (values["guidance"],)
    values["evidence"] = tuple(dict.fromkeys(map(_evidence, data.get("evidence", ()))))
    values["start"] = str(values.get("start", values.get("confidence", DEFAULTS["learning"]["confidence_start"])))
    values["confidence"] = float(values.get("confidence", values["start"]))
    return KnowledgeEntry(**{**values, "kind": kind})


def _evidence(row: dict[str, Any]) -> KnowledgeEvidence:
    return KnowledgeEvidence(**{name: value for name, value in row.items() if name in KnowledgeEvidence.fields})


def _united(kind: str, stored: list[_Stored]) -> list[_Stored]:
    """Of entries that share an id the oldest keeps it."""
    ids = [each.entry.id for each in stored if each.entry]
    if len(set(ids)) == len(ids):
        return stored
    groups: dict[str, list[_Stored]] = {}
    for each in sorted((each for each in stored if each.entry), key=_rank):
        assert each.entry
        group = groups.setdefault(each.entry.id, [])
        place = next((place for place, one in enumerate(group) if _is_same(one.entry, each.entry)), len(group))
        group[place : place + 1] = [_one(*group[place : place + 1], each)]
    kept, displaced = [each for each in stored if not each.entry], list[_Stored]()
    for oldest, *others in groups.values():
        kept.append(oldest)
        displaced += others
    free = next_number(each.entry for each in (*kept, *displaced) if each.entry)
    for number, each in enumerate(displaced, free):
        assert each.entry
        aliases = (*each.entry.aliases, each.entry.id)
        kept.append(each.replace(entry=each.entry.replace(id=entry_id_of(kind, number), aliases=aliases)))
    return sorted(kept, key=_rank)


def _rank(stored: _Stored) -> tuple[object, ...]:
    entry = stored.entry
    return (False, number_of(entry.id), entry.created, entry.text, repr(entry)) if entry else (True,)


def _is_same(one: KnowledgeEntry | None, other: KnowledgeEntry | None) -> bool:
    if one is None or other is None:
        return False
    return one.text == other.text or not set(one.evidence).isdisjoint(other.evidence)


def _one(*two: _Stored) -> _Stored:
    if len(two) == 1:
        return two[0]
    later = max(two, key=lambda each: each.entry.last_reinforced if each.entry else "")
    one, other = (each.entry for each in two)
    assert one and other and later.entry
    evidence = tuple(evidence_in_order((*one.evidence, *other.evidence)))
    confidence = confidence_of(later.entry.start, evidence, DEFAULTS["learning"])
    before = max(each.source_count - supporting(each.evidence) for each in (one, other))
    united = later.entry.replace(
        evidence=evidence,
        confidence=float(confidence) if evidence else later.entry.confidence,
        source_count=before + supporting(evidence),
        aliases=tuple(dict.fromkeys((*one.aliases, *other.aliases))),
        status=next((each.status for each in (one, other) if each.status != ACTIVE), ACTIVE),
        supersedes=max(one.supersedes, other.supersedes),
    )
    return later.replace(entry=united)


def _edited(lines: str, before: KnowledgeEntry, after: KnowledgeEntry, where: str) -> str:
    changes: list[tuple[Path, object]] = []
    for name in _ORDER[:-1]:
        value = getattr(after, name)
        if value != getattr(before, name) and not (name == "start" and not after.evidence):
            changes.append(((_key(after.kind, name),), _value(after, name)))
    known = set(before.evidence)
    new = [piece for piece in after.evidence if piece not in known]
    if not changes and not new:
        return lines
    return edit_item(lines, lambda body: _add_evidence(set_values(body, changes, where), new, where))


def _add_evidence(body: str, pieces: Sequence[KnowledgeEvidence], where: str) -> str:
    if not pieces:
        return body
    found = find_pair(body, ("evidence",), where)
    listed = found[1] if found and isinstance(found[1], yaml.SequenceNode) else None
    if listed is None or not listed.value or listed.flow_style:
        known = len(listed.value) if listed else 0
        changes = [(("evidence", known + place), _fields(piece)) for place, piece in enumerate(pieces)]
        return set_values(body, changes, where)
    indent, end = " " * listed.start_mark.column, line_break_of(body)
    return insert_lines(body, node_end(listed), "".join(f"{indent}- {_row(piece)}{end}" for piece in pieces))


def _key(kind: str, name: str) -> str:
    return _NAMED.get(name, name) if kind == ANTI_PATTERN else name


def _value(entry: KnowledgeEntry, name: str) -> object:
    value = getattr(entry, name)
    if name == "start":
        return float(value)
    if name in _DATES:
        return dated(value)
    if name == "guidance" and entry.kind == ANTI_PATTERN and len(value) == 1:
        return value[0]
    return list(value) if isinstance(value, tuple) else value


def _fields(piece: KnowledgeEvidence) -> dict[str, object]:
    return {name: dated(value) for name in KnowledgeEvidence.fields if (value := getattr(piece, name))}


def _row(piece: KnowledgeEvidence) -> str:
    return render_value(_fields(piece))
