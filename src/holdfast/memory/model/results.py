"""Answers of a store to its callers."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.memory.model.card import Card, Hit
from holdfast.memory.model.problem import Problem


class Listing(Value):
    """Cards that a list or a search found.

    ``hits`` are the same cards with their scores, for a search only.
    ``problems`` are files that could not be read.
    ``unread`` says that some were not read yet, "" where all were.
    """

    cards: tuple[Card, ...] = ()
    hits: tuple[Hit, ...] = ()
    problems: tuple[Problem, ...] = ()
    unread: str = ""


class Imported(Value):
    """The outcome of an import.

    ``added`` are the ids of new entries.
    ``renamed`` are (old id, new id) of entries whose id another entry has.
    ``known`` counts the entries that were there already.
    ``problems`` are entries that could not be imported.
    """

    added: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    known: int = 0
    problems: tuple[Problem, ...] = ()


class Refreshed(Value):
    """The outcome of bringing the index up to date.

    ``changed`` counts files that were read again, ``removed`` files that are gone.
    ``total`` counts the entries that the index holds now.
    ``problems`` are files that could not be read.
    ``unread`` counts those of the ``files`` for which there was no time.
    """

    changed: int
    removed: int
    total: int
    problems: tuple[Problem, ...]
    files: int = 0
    unread: int = 0
