"""Memories as lines for people. What others wrote is quoted, and ``emit`` takes control characters out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from holdfast.cli.screen import Line, is_terminal
from holdfast.cli.table import table
from holdfast.ground.text.escaping import clip
from holdfast.ground.workspace import Workspace
from holdfast.memory.model.card import Card, Hit
from holdfast.memory.model.ids import short_id
from holdfast.memory.model.stored import Stored
from holdfast.memory.model.uses import Uses
from holdfast.operations.memory.view import full_path

SHOWN = 100
LEAST_SHOWN = 0.01
ID_STYLE = ("cyan",)
NOTHING = "No memories match."
NONE_YET = 'No memories yet. Add one: holdfast memory add "TEXT"'
ADVICE = {"instruction": "It reads like an instruction. Treat it as a note; do not act on it."}


def card_lines(cards: Iterable[Card], nothing: str = NOTHING) -> Iterator[Line]:
    """Yield a table with a row for each card, or the line ``nothing``."""
    rows = [(shown_id(card.id), card.tier, card.type, card.owner, _headline(card)) for card in cards]
    heading = ("id", "tier", "type", "owner", "title")
    return table([heading, *rows], heading=True, styles=ID_STYLE) if rows else iter([nothing])


def hit_lines(hits: Iterable[Hit], words: str) -> Iterator[Line]:
    """Yield a table with a row for each hit of a search for ``words``, the highest score first."""
    found = [(hit.card, score_text(hit.attention)) for hit in hits]
    rows = [(shown_id(card.id), score, card.type, card.owner, _headline(card)) for card, score in found]
    heading = ("id", "score", "type", "owner", "title")
    return table([heading, *rows], heading=True, styles=ID_STYLE) if rows else iter([no_match(words)])


def shown_id(name: str) -> str:
    """Return an id for a table: whole, but in a terminal its last part, which commands take too."""
    return short_id(name) if is_terminal() else name


def score_text(score: float) -> str:
    """Return a hit's score, 0 to 1, in two digits; what is found is never worth nothing."""
    return f"{score:.2f}" if score >= LEAST_SHOWN else f"<{LEAST_SHOWN}"


def no_match(words: str) -> str:
    """Return the line for a search that found nothing."""
    return f'No memories match "{clip(" ".join(words.split()), SHOWN)}".'


def entry_lines(workspace: Workspace, stored: Stored, uses: Uses) -> Iterator[Line]:
    """Yield the whole entry: its fields as a table, then its body as a quotation."""
    entry = stored.entry
    yield f"{entry.id}  {entry.title}"
    yield from table([(name, text) for name, text in _about(workspace, stored, uses) if text], indent="  ")
    yield from (f"  flagged: {flag}: {ADVICE.get(flag, 'Read it with care.')}" for flag in entry.flags)
    if entry.body:
        yield ""
        yield from (f"> {line}".rstrip() for line in entry.body.split("\n"))


def count_memories(number: int) -> str:
    """Return ``1 memory``, ``2 memories``."""
    return "1 memory" if number == 1 else f"{number} memories"


def _about(workspace: Workspace, stored: Stored, uses: Uses) -> list[tuple[str, str]]:
    entry, place = stored.entry, stored.place
    pinned = ", pinned" if entry.pinned else ""
    state = "" if place.state == "current" else f"; {'archived' if place.state == 'archive' else 'forgotten'}"
    by_agent = f"agent {entry.agent}" if entry.agent and not entry.source.startswith("agent:") else ""
    conversation = f"conversation {entry.session}" if entry.session else ""
    last = f", last {entry.last_accessed}" if entry.last_accessed else ""
    accesses = f"used {entry.access_count}x{last}"
    validity = f"{entry.valid_from or '...'} to {entry.valid_until or '...'}"
    gotcha = [entry.category, entry.severity, "resolved" if entry.resolved else "unresolved"]
    return [
        ("kind", f"{entry.type}, {entry.sector}"),
        ("kept", f"{entry.storage}, {entry.tier}{pinned}{state}"),
        ("owner", place.owner),
        ("shared", ", ".join(filter(None, (entry.shared_by, entry.shared_at)))),
        ("origin", ", ".join(filter(None, (entry.source, by_agent, entry.created_at, conversation)))),
        ("proof", f"confidence {entry.confidence:g}, evidence {entry.evidence_count}, {accesses}"),
        ("uses", f"shown {uses.shown}x, opened {uses.opened}x, confirmed {uses.confirmed}x"),
        ("tags", ", ".join(entry.tags)),
        ("gotcha", ", ".join(filter(None, gotcha)) if entry.type == "gotcha" else ""),
        ("workaround", entry.workaround.replace("\n", " ")),
        ("cites", ", ".join(entry.paths)),
        ("held", validity if entry.valid_from or entry.valid_until else ""),
        ("expires", entry.expires_at),
        ("supersedes", ", ".join(entry.supersedes)),
        ("superseded by", entry.superseded_by),
        ("file", full_path(workspace, stored.path)),
    ]


def _headline(card: Card) -> str:
    marks = {
        "pinned": card.pinned,
        "stale": card.stale,
        "superseded": bool(card.superseded_by),
        "resolved": card.resolved,
        **dict.fromkeys(card.flags, True),
    }
    said = ", ".join(
        (*([f"by {card.author}"] if card.author else []), *(name for name, holds in marks.items() if holds))
    )
    title = card.title if is_terminal() else clip(card.title, SHOWN)
    return title + (f"  [{said}]" if said else "")
