"""A person's own memories, for all projects: where they lie, and what of them a prompt calls for. They lie in the
user's state folder, kept in the same way as a project's. This is on the prompt path, so it reads their index only, and
not even that where there are none."""

from __future__ import annotations

import os

from limpet.ground.storage.user_folders import project_cache
from limpet.ground.workspace import Workspace
from limpet.memory.model.entry import Query
from limpet.memory.model.layout import SHARED, TEAM, memories, personal_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable

    from limpet.memory.model.entry import Card

    Find = Callable[[Connection, Query], list[Card]]

# Steps of the database between two looks at the time.
_LOOKS = 2000


def has_personal_memories() -> bool:
    """Costs one look at a folder."""
    try:
        with os.scandir(os.path.join(memories(personal_home()), SHARED, "durable")) as found:
            return any(entry.name.endswith(".md") for entry in found)
    except OSError:
        return False


def personal_cards(query: Query, find: Find, is_late: Callable[[], bool]) -> list[Card]:
    """Return [] where the person has no index. Raise the database's error once ``is_late``."""
    if not has_personal_memories():
        return []
    from limpet.memory.index.reading import open_index

    index = open_index(personal_home())
    if index is None:
        return []
    try:
        index.set_progress_handler(is_late, _LOOKS)
        return find(index, Query(owners=(SHARED,), limit=query.limit, now=query.now))
    finally:
        index.close()


def read_cards(reads: list[list[str]], query: Query, find: Find, is_late: Callable[[], bool]) -> list[Card]:
    """Of the projects that this one reads (private folder, name) what is shared there, under their names."""
    from limpet.memory.index.reading import open_index

    found: list[Card] = []
    for shared, name in reads:
        index = open_index(shared)
        if index is not None:
            try:
                index.set_progress_handler(is_late, _LOOKS)
                cards = find(index, Query(owners=(SHARED, TEAM), limit=query.limit, now=query.now))
            finally:
                index.close()
            found += [card.replace(author=card.author or f"project {name}") for card in cards]
    return found


def personal_workspace() -> Workspace:
    """The place of the personal memories as that of a project, so that every operation can work there."""
    home = personal_home()
    return Workspace(os.path.dirname(home), home, home, home, project_cache(home))
