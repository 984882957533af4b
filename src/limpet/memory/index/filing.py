"""Records written into the tables of the index and taken out. ``indexing`` decides what to write."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from limpet.ground.storage.files import write_if_possible
from limpet.memory.index.database import COLUMNS, FIRST, POSITIONS, card_values, posting, read_card
from limpet.memory.index.database_file import CARD_NAMES
from limpet.memory.index.names import ANYWHERE, BETWEEN, DIVIDER, LARGEST, PRACTICE, identifiers, names_path
from limpet.memory.index.reading import conditions
from limpet.memory.index.records import Record
from limpet.memory.index.wishes import practices_of
from limpet.memory.model.attention import time_free_score
from limpet.memory.model.entry import Card, Query

_LEAST_SCORE = -1e300
_CARD_COLUMNS = (
    "doc",
    "conversation",
    "written_accesses",
    "written_access",
    "says",
    "class",
    "time_free_score",
    *CARD_NAMES,
)
_INSERT_CARD = f"INSERT INTO cards ({', '.join(_CARD_COLUMNS)}) VALUES ({', '.join('?' * len(_CARD_COLUMNS))})"
_INSERT_TEXT = "INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?)"
_COUNT = (
    "INSERT INTO vocabulary VALUES (?, ?, ?) "
    "ON CONFLICT (term, collection) DO UPDATE SET entries = entries + excluded.entries"
)

# The latest entries whose names are kept: more would not fit in the file.
LATEST = 1000
# A name that more entries have than this tells nothing.
MOST = 3


class Filing:
    """One transaction's changes: ``put`` and ``remove``, then ``settle`` once. ``fresh``: serial -> id of those put
    in."""

    def __init__(self, connection: sqlite3.Connection, settings: dict[str, Any]) -> None:
        self.connection = connection
        self.settings = settings
        self.touched: set[int] = set()
        self.words: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self.totals: Counter[tuple[str, int]] = Counter()
        self.fresh: dict[int, str] = {}
        self.temporary = 0

    def put(self, record: Record) -> None:
        self.remove(record.card.path)
        card, values = record.card, card_values(record.card)
        collection = self._collection_number(card.owner, card.state)
        conversation, doc = self._conversation_number(record.conversation, collection), self._temporary_doc()
        row = (doc, conversation, card.accesses, card.last_accessed, record.says, *sort_key(card, self.settings))
        serial = self.connection.execute(_INSERT_CARD, (*row, *(values[name] for name in CARD_NAMES))).lastrowid
        signs = (record.length, record.is_question, record.has_time, record.has_number)
        self.connection.execute(_INSERT_TEXT, (doc, *map(int, signs), record.content, record.metadata))
        cites = [(path, serial) for path in record.cites]
        self.connection.executemany("INSERT INTO citations VALUES (?, ?)", cites)
        if record.sentences:
            passages = (serial, record.sentences, record.sentence_terms)
            self.connection.execute("INSERT INTO passages VALUES (?, ?, ?)", passages)
        self._count(collection, _terms(record.content, record.metadata), 1, record.length)
        self.touched.add(conversation)
        self.fresh[int(serial or 0)] = card.id

    def remove(self, path: str) -> None:
        found = self.connection.execute(
            "SELECT c.serial, c.doc, c.conversation, k.collection, t.content, t.metadata, t.length "
            "FROM cards c JOIN texts t USING (doc) JOIN conversations k USING (conversation) WHERE c.path = ?",
            (path,),
        ).fetchone()
        if found is None:
            return
        serial, doc, conversation, collection, content, metadata, length = found
        self._unpost(collection, [(doc, content, metadata)])
        self.connection.execute("DELETE FROM texts WHERE doc = ?", (doc,))
        for table in ("cards", "citations", "passages"):
            self.connection.execute(f"DELETE FROM {table} WHERE serial = ?", (serial,))
        self._count(collection, _terms(content, metadata), -1, -length)
        self.touched.add(conversation)

    def settle(self) -> None:
        """Assign doc ids in every conversation that changed, and write the counts."""
        for conversation in sorted(self.touched):
            self._assign_docs(conversation)
        counts: list[tuple[str, int, int]] = []
        for collection, words in self.words.items():
            counts += [(term, collection, count) for term, count in words.items() if count]
        self.connection.executemany(_COUNT, counts)
        gone = [(term, at) for term, at, count in counts if count < 0]
        self.connection.executemany("DELETE FROM vocabulary WHERE term = ? AND collection = ? AND entries <= 0", gone)
        for (name, collection), count in self.totals.items():
            change = f"UPDATE collections SET {name} = {name} + ? WHERE collection = ?"
            self.connection.execute(change, (count, collection))
        self.connection.execute("DELETE FROM collections WHERE entries = 0")

    def _count(self, collection: int, found: Iterable[str], sign: int, length: int) -> None:
        words = self.words[collection]
        for term in found:
            words[term] += sign
        self.totals["entries", collection] += sign
        self.totals["length", collection] += length

    def _collection_number(self, owner: str, state: str) -> int:
        insert = "INSERT INTO collections (owner, state) VALUES (?, ?) ON CONFLICT DO NOTHING"
        self.connection.execute(insert, (owner, state))
        find = "SELECT collection FROM collections WHERE owner = ? AND state = ?"
        return int(self.connection.execute(find, (owner, state)).fetchone()[0])

    def _conversation_number(self, name: str, collection: int) -> int:
        insert = "INSERT INTO conversations (name, collection) VALUES (?, ?) ON CONFLICT DO NOTHING"
        self.connection.execute(insert, (name, collection))
        find = "SELECT conversation FROM conversations WHERE name = ?"
        return int(self.connection.execute(find, (name,)).fetchone()[0])

    def _assign_docs(self, conversation: int) -> None:
        """Number a conversation's entries in the order in which they were recorded; right numbers stay."""
        rows = self.connection.execute(
            "SELECT c.doc, t.content, t.metadata, t.length FROM cards c JOIN texts t USING (doc) "
            "WHERE c.conversation = ? ORDER BY c.created, c.path",
            (conversation,),
        ).fetchall()
        first = conversation << POSITIONS | FIRST
        moving = [(doc, *row) for doc, row in enumerate(rows, first) if doc != row[0]]
        find = "SELECT collection, entries, length FROM conversations WHERE conversation = ?"
        collection, *before = self.connection.execute(find, (conversation,)).fetchone()
        self._unpost(collection, [(old, content, metadata) for _, old, content, metadata, _ in moving])
        up = {old: self._temporary_doc() for _, old, *_ in moving if old >= 0}
        self._move([(doc, old) for old, doc in up.items()])
        self._move([(new, up.get(old, old)) for new, old, *_ in moving])
        self.connection.executemany(
            "INSERT INTO postings (rowid, terms) VALUES (?, ?)",
            [(new, _postings(collection, content, metadata)) for new, _, content, metadata, _ in moving],
        )
        self._measure(conversation, collection, (before[0], before[1]), (len(rows), sum(row[3] for row in rows)))

    def _temporary_doc(self) -> int:
        self.temporary -= 1
        return self.temporary

    def _move(self, moves: list[tuple[int, int]]) -> None:
        for table in ("cards", "texts"):
            self.connection.executemany(f"UPDATE {table} SET doc = ? WHERE doc = ?", moves)

    def _unpost(self, collection: int, texts: Iterable[tuple[int, str, str]]) -> None:
        posted = [(doc, _postings(collection, content, metadata)) for doc, content, metadata in texts if doc >= 0]
        rows = [("delete", *row) for row in posted]
        self.connection.executemany("INSERT INTO postings (postings, rowid, terms) VALUES (?, ?, ?)", rows)

    def _measure(self, conversation: int, collection: int, before: tuple[int, int], after: tuple[int, int]) -> None:
        """One of a single entry does not count among the conversations."""
        for sign, (entries, length) in ((-1, before), (1, after)):
            if entries > 1:
                self.totals["conversations", collection] += sign
                self.totals["conversations_length", collection] += sign * length
        if after[0]:
            change = "UPDATE conversations SET entries = ?, length = ? WHERE conversation = ?"
            self.connection.execute(change, (*after, conversation))
        else:
            self.connection.execute("DELETE FROM conversations WHERE conversation = ?", (conversation,))


def sort_key(card: Card, settings: dict[str, Any]) -> tuple[str, float]:
    """Return the class and the time-free score. Pinned cards, which do not fade, are a class of their own."""
    return ("pinned" if card.pinned else card.storage), max(time_free_score(card, settings), _LEAST_SCORE)


def update_scores(
    connection: sqlite3.Connection, settings: dict[str, Any], where: str, values: tuple[object, ...]
) -> None:
    for row in connection.execute(f"SELECT c.serial, {COLUMNS} FROM cards c WHERE {where}", values).fetchall():
        place = sort_key(read_card(row[1:]), settings)
        connection.execute("UPDATE cards SET class = ?, time_free_score = ? WHERE serial = ?", (*place, row[0]))


def join_postings(connection: sqlite3.Connection) -> None:
    """Make one of the pieces in which many postings were written: a search looks into each of them."""
    connection.execute("INSERT INTO postings (postings) VALUES ('optimize')")


def write_names(connection: sqlite3.Connection, shared: str, now: float) -> None:
    where, values = conditions(Query(owners=None, digests=False, now=now))
    sql = (
        f"SELECT c.serial, {COLUMNS} FROM cards c WHERE {where} AND c.flags = '' AND c.resolved = 0 "
        "ORDER BY c.created DESC LIMIT ?"
    )
    cards = {row[0]: read_card(row[1:]) for row in connection.execute(sql, (*values, LATEST))}
    find = "SELECT DISTINCT path FROM citations WHERE serial = ?"
    cited = {serial: list(chain.from_iterable(connection.execute(find, (serial,)))) for serial in cards}
    named = _gather(
        (card, [*cited[serial], *identifiers(f"{card.title} {card.excerpt}")]) for serial, card in cards.items()
    )
    lasts: dict[str, set[str]] = {}
    for path in set(chain.from_iterable(cited.values())):
        lasts.setdefault(path.rpartition("/")[2], set()).add(path)
    for last, paths in lasts.items():
        if len(paths) == 1 and (held := named.get(next(iter(paths)))):
            named[ANYWHERE + last] = held
    lines = [f"{name}\t{BETWEEN.join(held)}\n" for name, held in named.items() if len(held) <= MOST]
    write_if_possible(names_path(shared), "".join(_fitting([*_practices(cards.values()), *lines])))


def _postings(collection: int, content: str, metadata: str) -> str:
    mark = posting(collection, "")
    return " ".join([mark + term for term in _terms(content, metadata)])


def _terms(content: str, metadata: str) -> set[str]:
    return {*content.split(), *metadata.split()}


def _gather(pairs: Iterable[tuple[Card, Iterable[str]]]) -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for card, names in pairs:
        holder = _holder(card)
        for name in names:
            held = named.setdefault(name, [])
            if holder not in held and "\t" not in name and "\n" not in name:
                held.append(holder)
    return named


def _practices(cards: Iterable[Card]) -> list[str]:
    """One wish for each owner: what is said is chosen in the index."""
    held: dict[str, dict[str, str]] = {}
    for card in cards:
        for practice in practices_of(card.type, card.title):
            held.setdefault(practice, {}).setdefault(card.owner, _holder(card))
    return [f"{PRACTICE}{practice}\t{BETWEEN.join(owners.values())}\n" for practice, owners in sorted(held.items())]


def _holder(card: Card) -> str:
    return f"{card.owner}{DIVIDER}{card.id}"


def _fitting(lines: Iterable[str]) -> Iterator[str]:
    size = 0
    for line in lines:
        size += len(line.encode("utf-8", "surrogatepass"))
        if size > LARGEST:
            return
        yield line
