"""What the index knows of a term, for the search and for the gate before the memories: which entries hold it, and how
rare it is in what a reader may see."""

from __future__ import annotations

from itertools import chain
from math import log

from limpet.memory.index.reading import visible_rows
from limpet.memory.model.layout import FORGOTTEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from limpet.memory.model.entry import Query

    # Term -> collection -> number of its entries that hold the term.
    Frequencies = dict[str, dict[int, int]]

# Fewer entries say little of how rare a word is: there, a store counts as one of at least so many.
FEW = 200


def docs_holding(connection: Connection, postings: Iterable[str], most: int) -> frozenset[int]:
    """Return the doc ids that hold one of the postings, the newest only where there are more than ``most``."""
    sql = "SELECT rowid FROM postings WHERE postings MATCH ? ORDER BY rowid DESC LIMIT ?"
    asked = " OR ".join(f'"{posted}"' for posted in postings)
    return frozenset(chain.from_iterable(connection.execute(sql, (asked, most))))


def read_collections(connection: Connection, query: Query) -> dict[int, tuple[int, ...]]:
    """Return collection -> its statistics, for the collections that the query's owners may see.

    What they have forgotten counts only where it is asked for: an agent may not see it.
    """
    where, values = visible_rows(query.owners)
    if query.owners is not None and FORGOTTEN not in query.states:
        where, values = f"{where} AND c.state != ?", [*values, FORGOTTEN]
    columns = "c.collection, c.entries, c.length, c.conversations, c.conversations_length"
    sql = f"SELECT {columns} FROM collections c WHERE {where}"
    return {row[0]: row[1:] for row in connection.execute(sql, values)}


def read_frequencies(connection: Connection, found: list[str], collections: Iterable[int]) -> Frequencies:
    """Return term -> collection -> entries that hold the term, for the terms that any holds."""
    marks, held = ", ".join("?" * len(found)), ", ".join(map(str, collections))
    sql = f"SELECT term, collection, entries FROM vocabulary WHERE term IN ({marks}) AND collection IN ({held})"
    known: Frequencies = {}
    for term, collection, entries in connection.execute(sql, found):
        known.setdefault(term, {})[collection] = entries
    return known


def inverse_frequency(frequency: int, total: int) -> float:
    """Return BM25's inverse document frequency."""
    return log(1 + (total - frequency + 0.5) / (frequency + 0.5))
