"""Memories as data for programs: what ``--json`` prints, and other doors send."""

from __future__ import annotations

import os
from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.workspace import Workspace
from holdfast.memory.model.card import Card, Hit
from holdfast.memory.model.entry import Entry
from holdfast.memory.model.layout import memories
from holdfast.memory.model.stored import Stored

_TIMES = ("created", "last_accessed", "expires", "valid_until", "last_evidence")


def describe_card(workspace: Workspace, card: Card) -> dict[str, Any]:
    """Return a card's fields: times as ISO texts, "" for never; ``path`` is where the file lies."""
    times = {name: iso(moment) if (moment := getattr(card, name)) else "" for name in _TIMES}
    lists = {"tags": list(card.tags), "flags": list(card.flags)}
    return {**card.__dict__, **times, **lists, "path": full_path(workspace, card.path)}


def describe_hit(workspace: Workspace, hit: Hit) -> dict[str, Any]:
    """Return the fields of a hit's card, and what it was ranked by."""
    figures = {name: round(getattr(hit, name), 4) for name in ("score", "relevance", "attention")}
    return {**describe_card(workspace, hit.card), **figures}


def describe_entry(workspace: Workspace, stored: Stored) -> dict[str, Any]:
    """Return an entry with all its fields, and its place."""
    fields = {name: getattr(stored.entry, name) for name in Entry.fields}
    told = {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}
    place = {"owner": stored.place.owner, "state": stored.place.state, "path": full_path(workspace, stored.path)}
    return {**told, **place}


def full_path(workspace: Workspace, path: str) -> str:
    """Return where the file of a path from ``memories/`` lies."""
    return os.path.join(memories(workspace.shared), *path.split("/"))
