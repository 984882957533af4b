"""A person's own memories, for all projects: where they lie, and what of them a prompt calls for.

They lie in the user's state folder, kept in the same way as a project's. This is on the prompt path, so it reads their
index only, and not even that where there are none.
"""

from __future__ import annotations

import os

from holdfast.memory.model.card import Query
from holdfast.memory.model.layout import SHARED, memories, personal_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable
    from typing import Any

    from holdfast.memory.model.card import Card

    Find = Callable[[Connection, Query], list[Card]]

# Steps of the database between two looks at the time.
_LOOKS = 2000


def has_personal_memories() -> bool:
    """Return whether any are kept. Costs one look at a folder."""
    try:
        with os.scandir(os.path.join(memories(personal_home()), SHARED, "durable")) as found:
            return any(entry.name.endswith(".md") for entry in found)
    except OSError:
        return False


def personal_cards(
    text: str,
    limit: int,
    settings: dict[str, Any],
    now: float,
    find: Find | None = None,
    is_late: Callable[[], bool] | None = None,
) -> list[Card]:
    """Return the person's memories that the text calls for, best first, or without a text those of most attention.

    ``settings`` is the configuration's section ``memory``; what is less relevant than its ``least_relevance`` is left
    out. ``find`` decides in the place of that. Return [] where there are none, or no index. Raise the database's error
    once ``is_late``.
    """
    if limit <= 0 or not has_personal_memories():
        return []
    from holdfast.memory.index.reading import hottest, open_index

    index = open_index(personal_home())
    if index is None:
        return []
    try:
        if is_late is not None:
            index.set_progress_handler(is_late, _LOOKS)
        query = Query(text=text, owners=(SHARED,), limit=limit, now=now)
        if find is not None:
            return find(index, query)
        if not text:
            return [hit.card for hit in hottest(index, query, "", settings, limit)]
        return _relevant(index, query, settings)
    finally:
        index.close()


def _relevant(index: Connection, query: Query, settings: dict[str, Any]) -> list[Card]:
    from holdfast.memory.search.candidates import QUICK
    from holdfast.memory.search.search import search

    hits = search(index, query, settings, limits=QUICK)
    return [hit.card for hit in hits if hit.relevance >= settings["least_relevance"]]
