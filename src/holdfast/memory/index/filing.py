"""Writes records into the tables of the index and takes them out; a conversation's entries are seated side by side.
Apart from ``index``, which decides what to write."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from holdfast.memory.index.database import COLUMNS, FIRST, POSITIONS, card_values, posting, read_card
from holdfast.memory.index.records import Record
from holdfast.memory.index.tables import CARD_NAMES
from holdfast.memory.model.attention import heat
from holdfast.memory.model.card import Card

_COLDEST = -1e300
_CARD_COLUMNS = ("seat", "talk", "written_accesses", "written_access", "class", "heat", *CARD_NAMES)
_INSERT_CARD = f"INSERT INTO cards ({', '.join(_CARD_COLUMNS)}) VALUES ({', '.join('?' * len(_CARD_COLUMNS))})"
_INSERT_TEXT = "INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?)"
_COUNT = (
    "INSERT INTO vocabulary VALUES (?, ?, ?) "
    "ON CONFLICT (term, collection) DO UPDATE SET entries = entries + excluded.entries"
)


class Filing:
    """One transaction's changes: ``put`` and ``remove`` entries, then ``settle`` once. ``fresh`` are the serials and
    ids of what was put in."""

    def __init__(self, connection: sqlite3.Connection, settings: dict[str, Any]) -> None:
        self.connection = connection
        self.settings = settings
        self.collections: dict[tuple[str, str], int] = {}
        self.talks: dict[str, int] = {}
        self.touched: set[int] = set()
        self.words: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self.totals: Counter[tuple[str, int]] = Counter()
        self.fresh: dict[int, str] = {}
        self.unseated = 0

    def put(self, record: Record) -> None:
        """Take the entry in, in the place of what lay at its path."""
        self.remove(record.card.path)
        card, values = record.card, card_values(record.card)
        collection = self._collection_number(card.owner, card.state)
        talk, seat = self._talk_number(record.talk, collection), self._no_seat()
        row = (seat, talk, card.accesses, card.last_accessed, *standing(card, self.settings))
        serial = self.connection.execute(_INSERT_CARD, (*row, *(values[name] for name in CARD_NAMES))).lastrowid
        signs = (record.length, record.asks, record.moment, record.number)
        self.connection.execute(_INSERT_TEXT, (seat, *map(int, signs), record.said, record.about))
        cites = [(path, serial) for path in record.cites]
        self.connection.executemany("INSERT INTO citations VALUES (?, ?)", cites)
        self._count(collection, record.terms, 1, record.length)
        self.touched.add(talk)
        self.fresh[int(serial or 0)] = card.id

    def remove(self, path: str) -> None:
        """Take out what lay at the path, if anything did."""
        found = self.connection.execute(
            "SELECT c.serial, c.seat, c.talk, k.collection, t.said, t.about, t.length "
            "FROM cards c JOIN texts t USING (seat) JOIN talks k USING (talk) WHERE c.path = ?",
            (path,),
        ).fetchone()
        if found is None:
            return
        serial, seat, talk, collection, said, about, length = found
        self._unpost(collection, [(seat, said, about)])
        self.connection.execute("DELETE FROM texts WHERE seat = ?", (seat,))
        for table in ("cards", "citations"):
            self.connection.execute(f"DELETE FROM {table} WHERE serial = ?", (serial,))
        self._count(collection, _terms(said, about), -1, -length)
        self.touched.add(talk)

    def settle(self) -> None:
        """Seat the entries of every conversation that changed, and write the counts."""
        for talk in sorted(self.touched):
            self._seat(talk)
        counts = [(term, at, count) for at, words in self.words.items() for term, count in words.items() if count]
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
        place = (owner, state)
        if place not in self.collections:
            insert = "INSERT INTO collections (owner, state) VALUES (?, ?) ON CONFLICT DO NOTHING"
            self.connection.execute(insert, place)
            find = "SELECT collection FROM collections WHERE owner = ? AND state = ?"
            self.collections[place] = self.connection.execute(find, place).fetchone()[0]
        return self.collections[place]

    def _talk_number(self, name: str, collection: int) -> int:
        if name not in self.talks:
            insert = "INSERT INTO talks (name, collection) VALUES (?, ?) ON CONFLICT DO NOTHING"
            self.connection.execute(insert, (name, collection))
            found = self.connection.execute("SELECT talk FROM talks WHERE name = ?", (name,)).fetchone()
            self.talks[name] = found[0]
        return self.talks[name]

    def _seat(self, talk: int) -> None:
        """Seat a conversation's entries in the order in which they were recorded; who sits right stays."""
        rows = self.connection.execute(
            "SELECT c.seat, t.said, t.about, t.length FROM cards c JOIN texts t USING (seat) "
            "WHERE c.talk = ? ORDER BY c.created, c.path",
            (talk,),
        ).fetchall()
        first = talk << POSITIONS | FIRST
        moving = [(seat, *row) for seat, row in enumerate(rows, first) if seat != row[0]]
        find = "SELECT collection, entries, length FROM talks WHERE talk = ?"
        collection, *before = self.connection.execute(find, (talk,)).fetchone()
        self._unpost(collection, [(old, said, about) for _, old, said, about, _ in moving])
        up = {old: self._no_seat() for _, old, *_ in moving if old >= 0}
        self._move([(seat, old) for old, seat in up.items()])
        self._move([(new, up.get(old, old)) for new, old, *_ in moving])
        self.connection.executemany(
            "INSERT INTO postings (rowid, terms) VALUES (?, ?)",
            [(new, _postings(collection, said, about)) for new, _, said, about, _ in moving],
        )
        self._measure(talk, collection, (before[0], before[1]), (len(rows), sum(row[3] for row in rows)))

    def _no_seat(self) -> int:
        self.unseated -= 1
        return self.unseated

    def _move(self, moves: list[tuple[int, int]]) -> None:
        for table in ("cards", "texts"):
            self.connection.executemany(f"UPDATE {table} SET seat = ? WHERE seat = ?", moves)

    def _unpost(self, collection: int, seated: Iterable[tuple[int, str, str]]) -> None:
        rows = [("delete", seat, _postings(collection, said, about)) for seat, said, about in seated if seat >= 0]
        self.connection.executemany("INSERT INTO postings (postings, rowid, terms) VALUES (?, ?, ?)", rows)

    def _measure(self, talk: int, collection: int, before: tuple[int, int], after: tuple[int, int]) -> None:
        """Write what a conversation holds; one of a single entry does not count among the conversations."""
        for sign, (entries, length) in ((-1, before), (1, after)):
            if entries > 1:
                self.totals["talks", collection] += sign
                self.totals["talks_length", collection] += sign * length
        if after[0]:
            self.connection.execute("UPDATE talks SET entries = ?, length = ? WHERE talk = ?", (*after, talk))
        else:
            self.connection.execute("DELETE FROM talks WHERE talk = ?", (talk,))


def standing(card: Card, settings: dict[str, Any]) -> tuple[str, float]:
    """The class and heat by which a card orders among the hottest; pinned ones, which do not fade, are their own."""
    return ("pinned" if card.pinned else card.storage), max(heat(card, settings), _COLDEST)


def reheat(connection: sqlite3.Connection, settings: dict[str, Any], where: str, values: tuple[object, ...]) -> None:
    """Compute the heat of the cards anew that meet the condition."""
    for row in connection.execute(f"SELECT c.serial, {COLUMNS} FROM cards c WHERE {where}", values).fetchall():
        place = standing(read_card(row[1:]), settings)
        connection.execute("UPDATE cards SET class = ?, heat = ? WHERE serial = ?", (*place, row[0]))


def join_postings(connection: sqlite3.Connection) -> None:
    """Make one of the pieces in which many postings were written: a search looks into each of them."""
    connection.execute("INSERT INTO postings (postings) VALUES ('optimize')")


def _postings(collection: int, said: str, about: str) -> str:
    mark = posting(collection, "")
    return " ".join([mark + term for term in _terms(said, about)])


def _terms(said: str, about: str) -> set[str]:
    return {*said.split(), *about.split()}
