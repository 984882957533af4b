"""Gotchas noted, listed, searched and resolved by a caller; ``tool_failures`` makes those of repeated errors."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.learning.model import FINDING
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.gotchas import categorise, severity_of, severity_rank
from limpet.memory.library import Library
from limpet.memory.model.entry import Query
from limpet.memory.model.results import Listing, Stored
from limpet.operations.learning.observe import observe
from limpet.operations.memory.change import KeptMemory, edit_memory, remember_memory
from limpet.operations.memory.library import open_library
from limpet.operations.project import Project

KIND = "gotcha"
# Severity of a gotcha -> that of a finding.
_SEVERITIES = {"critical": "P1", "warning": "P2", "info": "P3"}


def note_gotcha(project: Project, text: str, fields: Mapping[str, Any], why: str = "") -> KeptMemory:
    """Write a new gotcha; category and severity follow from the words of ``text`` where ``fields`` have none.

    Raises LimpetError.
    """
    graded = {"category": fields.get("category") or categorise(text), "severity": fields.get("severity")}
    graded["severity"] = graded["severity"] or severity_of(text)
    kept = remember_memory(project, {**fields, **graded, "type": KIND}, text, why)
    # Of a failure that nobody mended, met in several stories or conversations, an anti-pattern is made.
    gotcha = kept.stored.entry
    stated: dict[str, Any] = {"resolved": False, "severity": _SEVERITIES.get(gotcha.severity, "")}
    stated["guidance"] = (gotcha.workaround,) if gotcha.workaround else ()
    if project.settings["learning"]["observe"]:
        with suppress(LimpetError):  # no story, no conversation, or a private one
            observe(project, FINDING, gotcha.title, tags=(KIND, gotcha.category), **stated)
    return kept


def known_gotchas(
    project: Project,
    words: str | None = None,
    category: str | None = None,
    severity: str | None = None,
    resolved: bool | None = None,
    limit: int = 20,
) -> tuple[tuple[Stored, ...], Listing]:
    """Return the gotchas of a category, severity and state (None for any), and the listing that they are of: the best
    for words or the text of an error, without them critical ones first, then by evidence."""
    library = open_library(project)
    wanted = {"category": category, "severity": severity, "resolved": resolved}
    if words is not None:
        listing = library.search(Query(text=words, type=KIND, limit=limit))
        return tuple(_entries(library, listing, wanted)), listing
    listing = library.list(Query(type=KIND, limit=EVERYTHING))  # the newest first
    found = _entries(library, listing, wanted)
    found.sort(key=lambda stored: (severity_rank(stored.entry.severity), -stored.entry.evidence_count))
    return tuple(found[:limit]), listing


def resolve_gotcha(
    project: Project,
    key: str,
    resolved: bool = True,
    workaround: str | None = None,
    why: str = "",
) -> KeptMemory:
    """Mark a gotcha as resolved, with what helped, or as there again. Raise LimpetError, also for no gotcha."""
    if open_library(project).show(key, count=False).entry.type != KIND:
        raise LimpetError("Memory is not a gotcha", key, "Run: limpet gotcha list")
    helped = {} if workaround is None else {"workaround": workaround}
    return edit_memory(project, key, {"resolved": resolved, **helped}, why=why)


def _entries(library: Library, found: Listing, wanted: Mapping[str, object]) -> list[Stored]:
    """Return the entries of the cards that have the wanted values; None stands for any.

    The files are read, since the index has neither category nor severity.
    """
    asked = {name: value for name, value in wanted.items() if value is not None}
    entries = (library.show(card.path, count=False) for card in found.cards)
    return [stored for stored in entries if all(getattr(stored.entry, name) == asked[name] for name in asked)]
