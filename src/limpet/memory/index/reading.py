"""Reading from the index, never of an entry's file: lists of cards, single ones, the hottest, counts, and for search
and gate which entries hold a term, and how rare it is in what a reader may see. The owners whose entries may be seen
come first in every question to the database."""

from __future__ import annotations

from itertools import chain, product
from math import log

from limpet.memory.index.database import COLUMNS, NAME_COLUMN, SEPARATOR, database_path, open_database, read_card
from limpet.memory.model.attention import attention, sector_relevance
from limpet.memory.model.entry import DIGEST, SECTORS, STATED_TYPES, STORAGES, UNREVIEWED, Hit
from limpet.memory.model.layout import FORGOTTEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterable
    from typing import Any

    from limpet.memory.model.entry import Card, Query

    Frequencies = dict[str, dict[int, int]]

# An entry that cites files which changed since counts for this much.
STALE = 0.8
# The name of the fact that says how many files the last refresh left unread.
UNREAD = "unread"
_COUNTED = ("state", "owner", "type", "sector", "tier", "storage")
_EQUAL = ("sector", "type", "storage", "session")
# What a tier follows from; the column ``tier`` is the copy in the entry's file.
_WEIGHED = (
    *("owner", "sector", "storage", "created", "last_accessed", "accesses", "evidence", "confidence", "pinned"),
    "last_evidence",
)
_TIER_NOW = f"tier_now({', '.join(f'c.{name}' for name in _WEIGHED)})"
_TAGGED = "instr(? || c.tags || ?, ?)"
_VALID = "c.superseded_by = '' AND (c.expires = 0 OR c.expires > ?) AND (c.valid_until = 0 OR c.valid_until > ?)"
# Every storage class and sector, in each of which the order by attention is the same at any time.
_KINDS = ", ".join(f"('{kind}', '{sector}')" for kind, sector in product(("pinned", *STORAGES), SECTORS))
# One question for all: of each kind in each collection the first few by their index, then their cards.
_HOTTEST = f"""WITH kinds (class, sector) AS (VALUES {_KINDS}),
    searched AS (SELECT c.state, c.owner FROM collections c WHERE {{}})
    SELECT {COLUMNS} FROM searched s CROSS JOIN kinds k CROSS JOIN cards c ON c.serial IN (
        SELECT c.serial FROM cards c
        WHERE c.state = s.state AND c.owner = s.owner AND c.class = k.class AND c.sector = k.sector AND {{}}
        ORDER BY c.time_free_score DESC LIMIT ?)"""
# Fewer entries say little of how rare a word is: there, a store counts as one of at least so many.
FEW = 200


def open_index(shared: str) -> Connection | None:
    """Return None where there is none, where it is damaged or of another version."""
    return open_database(database_path(shared))


def know_tiers(connection: Connection, settings: dict[str, Any], now: float) -> None:
    from limpet.memory.model.attention import current_tier
    from limpet.memory.model.entry import Card

    def tier_now(*values: Any) -> str:
        fields = dict(zip(_WEIGHED, values, strict=True))
        return current_tier(Card(id="", path="", type="", title="", **fields), now, settings)

    connection.create_function("tier_now", len(_WEIGHED), tier_now)


def read_unread(connection: Connection) -> int:
    row = connection.execute("SELECT value FROM facts WHERE name = ?", (UNREAD,)).fetchone()
    return int(row[0]) if row else 0


def get_cards(connection: Connection, query: Query) -> list[Card]:
    where, values = conditions(query)
    sql = f"SELECT {COLUMNS} FROM cards c WHERE {where} ORDER BY c.created DESC, c.path LIMIT ?"
    return [read_card(row) for row in connection.execute(sql, (*values, query.limit))]


def captured(connection: Connection, query: Query) -> dict[str, bool]:
    """Return the ids of the entries that no person wrote, looked at or shared, newest first -> whether it is what the
    person said."""
    where, values = conditions(query)
    own = f"c.source != 'person' AND (c.source NOT LIKE 'import:%' OR {_TAGGED}) AND c.author = ''"
    stated = f"c.type IN ({_marks(STATED_TYPES)}) AND (c.source LIKE 'capture:%' OR {_TAGGED})"
    sql = f"SELECT c.id, {stated} FROM cards c WHERE {where} AND {own} ORDER BY c.created DESC, c.path"
    found = connection.execute(sql, (*STATED_TYPES, *_tag(UNREVIEWED), *values, *_tag(UNREVIEWED)))
    return {name: bool(is_stated) for name, is_stated in found}


def count_cards(connection: Connection, query: Query) -> int:
    where, values = conditions(query)
    return int(connection.execute(f"SELECT count(*) FROM cards c WHERE {where}", values).fetchone()[0])


def uncounted(connection: Connection) -> frozenset[str]:
    sql = "SELECT path FROM cards WHERE accesses != written_accesses OR last_accessed > written_access"
    return frozenset(path for (path,) in connection.execute(sql))


def card_by_id(connection: Connection, name: str, owners: tuple[str, ...] | None = None) -> Card | None:
    """``owners``: None for anybody."""
    where, values = visible_rows(owners)
    sql = f"SELECT {COLUMNS} FROM cards c WHERE c.id = ? AND {where} ORDER BY c.state != 'current', c.path LIMIT 1"
    row = connection.execute(sql, (name, *values)).fetchone()
    return None if row is None else read_card(row)


def cards_named(connection: Connection, query: Query, key: str) -> list[Card]:
    where, values = conditions(query)
    sql = f"SELECT {COLUMNS} FROM cards c WHERE (instr(c.id, ?) OR instr(c.tags, ?)) AND {where}"
    return [read_card(row) for row in connection.execute(sql, (key, key, *values))]


def card_at(connection: Connection, path: str) -> tuple[Card | None, tuple[str, ...]]:
    row = connection.execute(f"SELECT c.serial, {COLUMNS} FROM cards c WHERE c.path = ?", (path,)).fetchone()
    if row is None:
        return None, ()
    cited = connection.execute("SELECT DISTINCT path FROM citations WHERE serial = ?", row[:1])
    return read_card(row[1:]), tuple(place for (place,) in cited)


def cards_of(connection: Connection, query: Query, ids: Collection[str]) -> list[Card]:
    """Whatever their state, current ones first."""
    where, values = visible_rows(query.owners)
    sql = f"SELECT {COLUMNS} FROM cards c WHERE c.id IN ({_marks(ids)}) AND {where} ORDER BY c.state != 'current'"
    return [read_card(row) for row in connection.execute(sql, (*ids, *values))]


def heard_here(connection: Connection, paths: Collection[str]) -> frozenset[str]:
    """Those entries whose words are the ones that the log of this machine knows of them."""
    sql = f"""SELECT c.path FROM cards c JOIN words w USING (id)
        WHERE c.path IN ({_marks(paths)}) AND w.says IN ('', c.says)"""
    return frozenset(path for (path,) in connection.execute(sql, (*paths,)))


def names_beside(connection: Connection, names: Collection[str]) -> set[str]:
    """The last parts of ids, whoever may see them, that stand next to each of these in the order of letters."""
    found: set[str] = set()
    for name in names:
        for sign, order in (("<", "DESC"), (">", "ASC")):
            sql = f"SELECT {NAME_COLUMN} FROM cards WHERE {NAME_COLUMN} {sign} ? ORDER BY {NAME_COLUMN} {order} LIMIT 1"
            found.update(beside for (beside,) in connection.execute(sql, (name,)))
    return found


def cited_paths(connection: Connection, paths: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return entry's path -> the project's files that it cites, from the root, for those that cite any."""
    cited: dict[str, tuple[str, ...]] = {}
    sql = f"""SELECT DISTINCT c.path, i.path FROM cards c CROSS JOIN citations i ON i.serial = c.serial
        WHERE c.path IN ({_marks(paths)}) ORDER BY i.path"""
    for entry, file in connection.execute(sql, (*paths,)):
        cited[entry] = (*cited.get(entry, ()), file)
    return cited


def read_cards(connection: Connection, query: Query, docs: Iterable[int]) -> list[tuple[int, Card]]:
    """Return (doc id, card) so far as the filters leave them; a digest never comes by itself."""
    where, values = conditions(query.replace(digests=False))
    listed = ", ".join(map(str, docs))
    sql = f"SELECT c.doc, {COLUMNS} FROM cards c INDEXED BY card_docs WHERE c.doc IN ({listed}) AND {where}"
    return [(row[0], read_card(row[1:])) for row in connection.execute(sql, values)]


def hottest(connection: Connection, query: Query, agent: str, settings: dict[str, Any], limit: int) -> list[Hit]:
    """Return the cards of most attention now for this agent; relevance is its preference for the card's sector. A
    digest is none of them: it repeats in short what entries of their own say. Whatever the number of entries, few rows
    are looked at: the first of each kind."""
    (where, values), (left, given) = searched(query), conditions(query.replace(digests=False))
    hits = []
    # Twice as many as wanted, because what is stale falls behind.
    for row in connection.execute(_HOTTEST.format(where, left), (*values, *given, 2 * limit)):
        card = read_card(row)
        relevance = sector_relevance(card.sector, agent)
        hits.append(Hit(card, 0.0, relevance, attention_with_staleness(card, relevance, query.now, settings)))
    return sorted(hits, key=lambda hit: (-hit.attention, -hit.card.created, hit.card.path))[:limit]


def attention_with_staleness(card: Card, relevance: float, now: float, settings: dict[str, Any]) -> float:
    return attention(card, relevance, now, settings) * (STALE if card.stale else 1.0)


def counts(connection: Connection, owners: tuple[str, ...] | None) -> dict[str, dict[str, int]]:
    """By state, owner, type, sector, tier and storage, of all entries for None; the connection knows tiers."""
    where, values = visible_rows(owners)
    columns = {name: _TIER_NOW if name == "tier" else name for name in _COUNTED}
    return {
        name: dict(connection.execute(f"SELECT {column}, count(*) FROM cards c WHERE {where} GROUP BY 1", values))
        for name, column in columns.items()
    }


def conditions(query: Query) -> tuple[str, list[object]]:
    """Return a condition on the table ``cards`` c, and its values; for a tier the connection knows tiers."""
    parts: list[tuple[str, list[object]]] = [visible_rows(query.owners)]
    if query.states:
        parts.append((f"c.state IN ({_marks(query.states)})", list(query.states)))
    parts += [(f"c.{name} = ?", [getattr(query, name)]) for name in _EQUAL if getattr(query, name)]
    if query.tier:
        parts.append((f"{_TIER_NOW} = ?", [query.tier]))
    if query.tag:
        parts.append((_TAGGED, _tag(query.tag)))
    if not query.digests:
        parts.append((f"NOT {_TAGGED}", _tag(DIGEST)))
    if query.since:
        parts.append(("c.created >= ?", [query.since]))
    if query.until:
        parts.append(("c.created <= ?", [query.until]))
    if query.valid:
        parts.append((_VALID, [query.now, query.now]))
    return " AND ".join(sql for sql, _ in parts), list(chain.from_iterable(values for _, values in parts))


def visible_rows(owners: tuple[str, ...] | None) -> tuple[str, list[object]]:
    """``owners``: None is everybody, () nobody."""
    if owners is None:
        return "1", []
    return (f"c.owner IN ({_marks(owners)})", list(owners)) if owners else ("0", [])


def searched(query: Query) -> tuple[str, list[object]]:
    """Return the condition on the table ``collections`` c that the query looks there, and its values."""
    where, values = visible_rows(query.owners)
    return f"{where} AND c.state IN ({_marks(query.states)})", [*values, *query.states]


def docs_holding(connection: Connection, postings: Iterable[str], most: int) -> frozenset[int]:
    """Return the doc ids that hold one of the postings, the newest only where there are more than ``most``."""
    sql = "SELECT rowid FROM postings WHERE postings MATCH ? ORDER BY rowid DESC LIMIT ?"
    asked = " OR ".join(f'"{posted}"' for posted in postings)
    return frozenset(chain.from_iterable(connection.execute(sql, (asked, most))))


def read_collections(connection: Connection, query: Query) -> dict[int, tuple[int, ...]]:
    """Return collection -> its statistics, for the query's owners. What they have forgotten counts only where it is
    asked for: an agent may not see it."""
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
    return log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def _tag(name: str) -> list[object]:
    return [SEPARATOR, SEPARATOR, f"{SEPARATOR}{name}{SEPARATOR}"]


def _marks(values: Collection[str]) -> str:
    return ", ".join("?" * len(values))
