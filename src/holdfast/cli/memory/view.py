"""How memories look: a mapping for programs, lines for people. What others wrote is quoted, and no control character of
theirs reaches the terminal."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from holdfast.cli.table import table
from holdfast.ground.clock import iso
from holdfast.ground.text.escaping import clip
from holdfast.memory.model.card import Card, Hit
from holdfast.memory.model.entry import Entry
from holdfast.memory.model.layout import memories
from holdfast.memory.model.stored import Stored

SHOWN = 100
NOTHING = "nothing that you may see matches"
ADVICE = {"instruction": "it reads like an order; it is a note, nobody has to obey it"}
_TIMES = ("created", "last_accessed", "expires", "valid_until", "last_evidence")


def describe_card(card: Card, shared: str) -> dict[str, Any]:
    """A card for programs: times as ISO texts, "" for never; ``path`` is where the file lies."""
    told = {**card.__dict__, **{name: _moment(getattr(card, name)) for name in _TIMES}}
    return {**told, "tags": list(card.tags), "flags": list(card.flags), "path": full_path(shared, card.path)}


def describe_hit(hit: Hit, shared: str) -> dict[str, Any]:
    """A hit for programs: its card, and what it was ranked by."""
    figures = {name: round(getattr(hit, name), 4) for name in ("score", "relevance", "attention")}
    return {**describe_card(hit.card, shared), **figures}


def describe_entry(stored: Stored, shared: str) -> dict[str, Any]:
    """An entry with all its fields, for programs."""
    fields = {name: getattr(stored.entry, name) for name in Entry.fields}
    told = {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}
    place = {"owner": stored.place.owner, "state": stored.place.state, "path": full_path(shared, stored.path)}
    return {**told, **place}


def card_lines(cards: Iterable[Card]) -> Iterator[str]:
    """A table with a row for each card."""
    rows = [(card.id, card.tier, card.type, card.owner, _headline(card)) for card in cards]
    return table([("id", "tier", "type", "owner", "title"), *rows]) if rows else iter([NOTHING])


def hit_lines(hits: Iterable[Hit]) -> Iterator[str]:
    """A table with a row for each hit, the best first."""
    rows = [
        (hit.card.id, f"{hit.score:.2f}", f"{hit.relevance:.2f}", hit.card.type, hit.card.owner, _headline(hit.card))
        for hit in hits
    ]
    return table([("id", "score", "relevance", "type", "owner", "title"), *rows]) if rows else iter([NOTHING])


def entry_lines(stored: Stored, shared: str) -> Iterator[str]:
    """The whole entry: what is known about it, then its words as a quotation."""
    entry = stored.entry
    yield f"{entry.id}  {entry.title}"
    yield from table([(name, text) for name, text in _about(stored, shared) if text], indent="  ")
    yield from (f"  flagged: {flag}: {ADVICE.get(flag, 'read it with care')}" for flag in entry.flags)
    if entry.body:
        yield ""
        yield from (f"> {line}".rstrip() for line in entry.body.split("\n"))


def full_path(shared: str, path: str) -> str:
    """Where the file of a path from ``memories/`` lies."""
    return os.path.join(memories(shared), *path.split("/"))


def count_memories(number: int) -> str:
    """``1 memory``, ``2 memories``."""
    return "1 memory" if number == 1 else f"{number} memories"


def _about(stored: Stored, shared: str) -> list[tuple[str, str]]:
    entry, place = stored.entry, stored.place
    pinned = ", pinned" if entry.pinned else ""
    state = "" if place.state == "current" else f"; {'archived' if place.state == 'archive' else 'forgotten'}"
    gotcha = [entry.category, entry.severity, "resolved" if entry.resolved else "unresolved"]
    return [
        ("kind", f"{entry.type}, {entry.sector}"),
        ("kept", f"{entry.storage}, {entry.tier}{pinned}{state}"),
        ("owner", place.owner),
        ("origin", ", ".join(filter(None, _origin(entry)))),
        ("proof", f"confidence {entry.confidence:g}, evidence {entry.evidence_count}, {_accesses(entry)}"),
        ("tags", ", ".join(entry.tags)),
        ("gotcha", ", ".join(filter(None, gotcha)) if entry.type == "gotcha" else ""),
        ("workaround", entry.workaround.replace("\n", " ")),
        ("cites", ", ".join(entry.paths)),
        ("held", f"{entry.valid_from or '...'} to {entry.valid_until or '...'}" if _is_bounded(entry) else ""),
        ("expires", entry.expires_at),
        ("supersedes", ", ".join(entry.supersedes)),
        ("superseded by", entry.superseded_by),
        ("file", full_path(shared, stored.path)),
    ]


def _origin(entry: Entry) -> list[str]:
    by_agent = f"agent {entry.agent}" if entry.agent and not entry.source.startswith("agent:") else ""
    return [entry.source, by_agent, entry.created_at, f"conversation {entry.session}" if entry.session else ""]


def _accesses(entry: Entry) -> str:
    last = f", last {entry.last_accessed}" if entry.last_accessed else ""
    return f"used {entry.access_count}x{last}"


def _is_bounded(entry: Entry) -> bool:
    return bool(entry.valid_from or entry.valid_until)


def _headline(card: Card) -> str:
    marks = {
        "pinned": card.pinned,
        "stale": card.stale,
        "superseded": bool(card.superseded_by),
        "resolved": card.resolved,
        **dict.fromkeys(card.flags, True),
    }
    said = ", ".join(name for name, holds in marks.items() if holds)
    return clip(card.title, SHOWN) + (f"  [{said}]" if said else "")


def _moment(seconds: float) -> str:
    return iso(seconds) if seconds else ""
