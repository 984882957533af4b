"""Reading of cards from the index, never of an entry's file: lists, single cards, the hottest, counts.

The owners whose entries may be seen are part of every question to the database.
"""

from __future__ import annotations

from holdfast.memory.index.database import COLUMNS, database_path, open_database, read_card
from holdfast.memory.index.filters import conditions, visible
from holdfast.memory.model.attention import attention
from holdfast.memory.model.card import Hit
from holdfast.memory.model.entry import STORAGES
from holdfast.memory.model.sectors import sector_relevance
from holdfast.memory.model.types import SECTORS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable
    from typing import Any

    from holdfast.memory.model.card import Card, Query

# An entry that cites files which changed since counts for this much.
STALE = 0.8
# The name of the fact that says how many files the last refresh left unread.
UNREAD = "unread"
_CLASSES = ("pinned", *STORAGES)
_COUNTED = ("state", "owner", "type", "sector", "tier", "storage")


def open_index(shared: str) -> Connection | None:
    """Return the index, to be read; None where there is none, where it is damaged or of another version."""
    return open_database(database_path(shared))


def read_unread(connection: Connection) -> int:
    """Return how many of the files that it knew of the last refresh had no time to read."""
    row = connection.execute("SELECT value FROM facts WHERE name = ?", (UNREAD,)).fetchone()
    return int(row[0]) if row else 0


def get_cards(connection: Connection, query: Query, as_filed: bool = False) -> list[Card]:
    """Return the cards that the query's filters leave, newest first; its text is not looked at.

    With ``as_filed`` they have the accesses of the entries' own files, without those that only the log knows.
    """
    where, values = conditions(query)
    columns = COLUMNS
    if as_filed:
        columns = columns.replace("c.last_accessed", "c.written_access").replace("c.accesses", "c.written_accesses")
    sql = f"SELECT {columns} FROM cards c WHERE {where} ORDER BY c.created DESC, c.path LIMIT ?"
    return [read_card(row) for row in connection.execute(sql, (*values, query.limit))]


def card_by_id(connection: Connection, name: str, owners: tuple[str, ...] | None = None) -> Card | None:
    """Return the card of this id that one of the owners has (None: anybody), None where there is none."""
    where, values = visible(owners)
    sql = f"SELECT {COLUMNS} FROM cards c WHERE c.id = ? AND {where} ORDER BY c.state != 'current', c.path LIMIT 1"
    row = connection.execute(sql, (name, *values)).fetchone()
    return None if row is None else read_card(row)


def read_cards(connection: Connection, query: Query, docs: Iterable[int]) -> list[tuple[int, Card]]:
    """Return (doc id, card) of these, so far as the filters leave them; a digest never comes by itself."""
    where, values = conditions(query.replace(digests=False))
    listed = ", ".join(map(str, docs))
    sql = f"SELECT c.doc, {COLUMNS} FROM cards c INDEXED BY card_docs WHERE c.doc IN ({listed}) AND {where}"
    return [(row[0], read_card(row[1:])) for row in connection.execute(sql, values)]


def hottest(connection: Connection, query: Query, agent: str, settings: dict[str, Any], limit: int) -> list[Hit]:
    """Return the cards of most attention now for this agent, among those that the query's filters leave.

    A digest is none of them: it repeats in short what entries of their own say. Relevance is the agent's preference for
    the card's sector. Whatever the number of entries, few rows are looked at:
    within a storage class and a sector the order by attention is the same at any time.
    """
    query = query.replace(digests=False)
    cards = [card for place in _places(connection, query) for card in _hottest_of(connection, query, place, limit)]
    hits = []
    for card in cards:
        relevance = sector_relevance(card.sector, agent, settings)
        hits.append(Hit(card, 0.0, relevance, attention_with_staleness(card, relevance, query.now, settings)))
    return sorted(hits, key=lambda hit: (-hit.attention, -hit.card.created, hit.card.path))[:limit]


def attention_with_staleness(card: Card, relevance: float, now: float, settings: dict[str, Any]) -> float:
    """Return the card's attention, 0 to 1, lowered where files that it cites changed."""
    return attention(card, relevance, now, settings) * (STALE if card.stale else 1.0)


def counts(connection: Connection, owners: tuple[str, ...] | None) -> dict[str, dict[str, int]]:
    """Return the numbers of these owners' entries (None: all) by state, owner, type, sector, tier and storage."""
    where, values = visible(owners)
    return {
        name: dict(connection.execute(f"SELECT {name}, count(*) FROM cards c WHERE {where} GROUP BY 1", values))
        for name in _COUNTED
    }


def _places(connection: Connection, query: Query) -> list[tuple[str, str, str, str]]:
    """Return each state, owner, storage class and sector in which entries may lie that the query leaves."""
    owners = query.owners
    if owners is None:
        owners = tuple(row[0] for row in connection.execute("SELECT DISTINCT owner FROM cards"))
    sectors = (query.sector,) if query.sector else SECTORS
    return [
        (state, owner, kind, sector)
        for state in query.states
        for owner in owners
        for kind in _CLASSES
        for sector in sectors
    ]


def _hottest_of(connection: Connection, query: Query, place: tuple[str, str, str, str], limit: int) -> list[Card]:
    where, values = conditions(query)
    sql = (
        f"SELECT {COLUMNS} FROM cards c WHERE c.state = ? AND c.owner = ? AND c.class = ? AND c.sector = ? "
        f"AND {where} ORDER BY c.time_free_score DESC LIMIT ?"
    )
    # Twice as many as wanted, because what is stale falls behind.
    return [read_card(row) for row in connection.execute(sql, (*place, *values, 2 * limit))]
