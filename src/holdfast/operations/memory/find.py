"""Finding memories: lists, searches with their reasons, and figures."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.memory.catalogue import EVERYTHING
from holdfast.memory.index.database import database_path
from holdfast.memory.index.reading import STALE
from holdfast.memory.index.terms import is_stop, terms
from holdfast.memory.library import Library
from holdfast.memory.model.attention import access_factor, decay
from holdfast.memory.model.card import Card, Hit, Query
from holdfast.memory.model.problem import Problem
from holdfast.operations.caller import Caller
from holdfast.operations.conversations import full_name
from holdfast.operations.memory.library import open_library


class Listed(Value):
    """A list of memories.

    ``cards``: as many as were asked for.
    ``more``: whether there are more of them.
    ``problems``: files that could not be read.
    ``unread``: that some were not read yet, "" where all were.
    """

    cards: tuple[Card, ...]
    more: bool = False
    problems: tuple[Problem, ...] = ()
    unread: str = ""


class Reason(Value):
    """The reason for a hit, and the factors whose product, at most 1, is its score (decision 20).

    ``words``: the words of the query that its title, tags or excerpt show.
    ``elsewhere``: the words that they do not.
    ``share``: what its words are worth, as a part of the best hit's, 0 to 1.
    ``decay``, ``accesses``, ``confidence``, ``stale``: what age, use, certainty and changed files make of that.
    """

    words: tuple[str, ...]
    elsewhere: tuple[str, ...]
    share: float
    decay: float
    accesses: float
    confidence: float
    stale: float


class Found(Value):
    """The result of a search.

    ``hits``: the best first.
    ``reasons``: one for each hit where they were asked for.
    ``problems``: files that could not be read.
    ``unread``: that some were not read yet, "" where all were.
    """

    hits: tuple[Hit, ...]
    reasons: tuple[Reason, ...] = ()
    problems: tuple[Problem, ...] = ()
    unread: str = ""


def list_memories(workspace: Workspace, caller: Caller, query: Query, proposed: bool = False) -> Listed:
    """Return the memories that pass the query's filters, the newest first; ``proposed``: only those that maintenance
    would keep for good.

    Raises HoldfastError.
    """
    library = open_library(workspace, caller)
    asked = query.replace(session=full_name(workspace, query.session))
    listing = library.list(asked.replace(limit=EVERYTHING if proposed else query.limit + 1))
    found = library.proposed(listing.cards) if proposed else listing.cards
    more = len(found) > query.limit
    return Listed(cards=found[: query.limit], more=more, problems=listing.problems, unread=listing.unread)


def search_memories(workspace: Workspace, caller: Caller, query: Query, explain: bool = False) -> Found:
    """Return the hits for the words of ``query.text``, with ``explain`` also the reasons. Raises HoldfastError."""
    library = open_library(workspace, caller)
    listing = library.search(query.replace(session=full_name(workspace, query.session)))
    reasons = _reasons(library, listing.hits, query.text) if explain else ()
    return Found(hits=listing.hits, reasons=reasons, problems=listing.problems, unread=listing.unread)


def memory_stats(workspace: Workspace, caller: Caller) -> dict[str, Any]:
    """Return counts of the memories that the caller may see, and the index's bytes and last change.

    Raises HoldfastError.
    """
    library = open_library(workspace, caller)
    counts = library.stats()  # brings the index up to date
    index = os.stat(database_path(workspace.shared))
    return {
        **counts,
        "uses": library.uses().__dict__,
        "index": {"bytes": index.st_size, "changed": iso(index.st_mtime)},
    }


def _reasons(library: Library, hits: Sequence[Hit], text: str) -> tuple[Reason, ...]:
    asked = {word: {term for term in terms(word) if not is_stop(term)} for word in text.split()}
    return tuple(_reason(library, hit, asked) for hit in hits)


def _reason(library: Library, hit: Hit, asked: dict[str, set[str]]) -> Reason:
    card = hit.card
    held = set(terms(f"{card.title} {' '.join(card.tags)} {card.excerpt}"))
    return Reason(
        words=tuple(word for word, meant in asked.items() if meant & held),
        elsewhere=tuple(word for word, meant in asked.items() if meant and not meant & held),
        share=round(hit.share, 4),
        decay=round(decay(card, library.clock.now(), library.settings), 4),
        accesses=round(access_factor(card.accesses, library.settings), 4),
        confidence=card.confidence,
        stale=STALE if card.stale else 1.0,
    )
