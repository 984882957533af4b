"""Memories as data for programs, as ``--json`` prints them and other doors send them."""

from __future__ import annotations

from typing import Any

from limpet.ground.clock import iso
from limpet.ground.workspace import Workspace
from limpet.memory.model import layout
from limpet.memory.model.card import Card, Hit
from limpet.memory.model.fields import plain
from limpet.memory.model.ids import short_id
from limpet.memory.model.results import Stored
from limpet.operations.learning.entries import entry_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.memory.find import Opened

_TIMES = ("created", "last_accessed", "expires", "valid_until", "last_evidence")


def describe_card(workspace: Workspace, card: Card) -> dict[str, Any]:
    """Return a card's fields: times as ISO texts, "" for never; ``path`` is absolute."""
    times = {name: iso(seconds) if (seconds := getattr(card, name)) else "" for name in _TIMES}
    return {**card.__dict__, **times, "path": full_path(workspace, card.path)}


def describe_shortly(card: Card) -> dict[str, Any]:
    """Return what tells whether a memory is worth opening."""
    at = iso(card.created)[:10]
    return {"id": short_id(card.id), "title": card.title, "type": card.type, "at": at, "marks": list(marks_of(card))}


def describe_hit(workspace: Workspace, hit: Hit) -> dict[str, Any]:
    """Return the fields of a hit's card, with ``score``, by which hits are ordered, 0 to 1, and ``relevance``."""
    figures = {"score": _rounded(hit.attention), "relevance": _rounded(hit.relevance)}
    return {**describe_card(workspace, hit.card), **figures}


def marks_of(card: Card) -> tuple[str, ...]:
    """Return who shared a memory with the team, and what is to be known before it is believed."""
    marks = {
        f"by {card.author}": bool(card.author),
        "pinned": card.pinned,
        "stale": card.stale,
        "superseded": bool(card.superseded_by),
        "resolved": card.resolved,
        **dict.fromkeys(card.flags, True),
    }
    return tuple(name for name, holds in marks.items() if holds)


def describe_entry(workspace: Workspace, stored: Stored) -> dict[str, Any]:
    """Return all fields of an entry, with owner, state, absolute path, and the times of its evidence as ``seen``."""
    place = {"owner": stored.place.owner, "state": stored.place.state, "path": full_path(workspace, stored.path)}
    fields = {name: plain(value) for name, value in stored.entry.__dict__.items()}
    return {**fields, "seen": [each.at for each in stored.entry.evidence], **place}


def describe_opened(opened: Opened) -> dict[str, Any]:
    """Return all fields of a memory that was opened, with its tier of now, its uses, the cited files that are not
    there, and the rule that was made of it, if there is one."""
    fields = describe_entry(opened.workspace, opened.stored)
    tier = opened.card.tier if opened.card else fields["tier"]
    also = entry_data(opened.learned) if opened.learned else {"rule": opened.rule} if opened.rule else {}
    return {**fields, "tier": tier, "missing": list(opened.missing), "uses": opened.uses.__dict__, **also}


def _rounded(figure: float) -> float:
    """Return the figure to four digits, however small it is, so that the order shows in it."""
    return float(f"{figure:.4g}")


def full_path(workspace: Workspace, path: str) -> str:
    """Return the absolute path of a file, from its path below ``memories/``."""
    return layout.full_path(workspace.shared, path)
