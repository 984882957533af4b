"""Answers of a store to its callers."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.memory.model.card import Card, Hit
from holdfast.memory.model.problem import Problem


class Listing(Value):
    """Cards that a list or a search found.

    ``hits`` are the same cards with their scores, for a search only.
    ``problems`` are files that could not be read.
    """

    cards: tuple[Card, ...] = ()
    hits: tuple[Hit, ...] = ()
    problems: tuple[Problem, ...] = ()


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

    ``changed`` counts files that were read anew, ``removed`` files that are gone.
    ``total`` counts the entries that the index holds now.
    ``problems`` are files that could not be read.
    """

    changed: int
    removed: int
    total: int
    problems: tuple[Problem, ...]
