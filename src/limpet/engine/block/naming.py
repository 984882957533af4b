"""Names of memories in a block: as few letters of their ids as tell them from all others, for each letter costs tokens.

The commands take any beginning of an id's last part that fits no other entry (``memory/model/lookup``).
"""

from __future__ import annotations

from limpet.engine.block.quoting import NAME
from limpet.memory.index.reading import ids_beginning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable

    from limpet.context.values import Memory
    from limpet.memory.model.entry import Card, Query
    from limpet.memory.personal import Find

    Look = Callable[[Find, Query], list[Card]]
    Lines = tuple[tuple[str, str], ...]

# Letters that the commands take at least.
SHORTEST = 4


def name_shortly(look: Look, query: Query, memory: Memory | None, contents: Lines) -> tuple[Memory | None, Lines]:
    """Return the statements and titles, each of which begins with an entry's name, with these as short as no other
    entry has them, in the project or among the person's own."""
    statements = memory.entries if memory else ()
    ends = {
        _end(key) for key, line in (*statements, *contents) if line.startswith(_end(key)) and len(_end(key)) == NAME
    }
    beginnings = {end[:SHORTEST] for end in ends}
    known: set[str] = set()

    def find(index: Connection, _: Query) -> list[Card]:
        known.update(map(_end, ids_beginning(index, beginnings, NAME)))
        return []

    if beginnings:
        look(find, query)
    names = {end: _shortest(end, known) for end in ends}
    if memory:
        memory = memory.replace(entries=_renamed(statements, names))
    return memory, _renamed(contents, names)


def _renamed(entries: Lines, names: dict[str, str]) -> Lines:
    return tuple((key, line.replace(_end(key), names.get(_end(key), _end(key)), 1)) for key, line in entries)


def _shortest(end: str, known: set[str]) -> str:
    others = known - {end}
    for length in range(SHORTEST, NAME):
        if not any(other.startswith(end[:length]) for other in others):
            return end[:length]
    return end


def _end(key: str) -> str:
    return key.rpartition("-")[2]
