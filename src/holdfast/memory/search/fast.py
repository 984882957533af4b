"""A second index of the terms, by tantivy, that tells faster where to look in a large store (extra ``fast``). It only
chooses the entries; ``search`` ranks them as ever. Derived from the database, step by step as its journal says.

It counts over all entries, so it serves only who may see them all.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from math import log
from typing import TYPE_CHECKING, Any

from holdfast.ground.storage.files import OWNER_DIRECTORY, Lock, read_text, write_atomic
from holdfast.memory.index.changes import last_step, read_generation, seats_since
from holdfast.memory.index.database import SEPARATOR, is_led_astray
from holdfast.memory.index.terms import about
from holdfast.memory.search.candidates import crowds, seats_of
from holdfast.memory.search.parsed_query import read_collections
from holdfast.memory.search.search import Choice, choose_by_terms, load_texts

if TYPE_CHECKING:
    from _sqlite3 import Connection

    from holdfast.memory.model.card import Query
    from holdfast.memory.search.parsed_query import Wanted
    from holdfast.memory.search.ranking import Text

VERSION = 1
# With fewer entries the database is as fast, and needs nothing brought in step.
SMALLEST = 20_000
# So many entries are ranked, the fewer the more terms there are: each costs a look for each term; and so many times
# more are looked at where the filters leave few of those.
LEAST, MOST, LOOKS = 20, 28, 100
RESERVE = 16
# So many places of rare terms are read from the database, where ranking wants them whole.
PLACES = 200
# Neighbour -> how often its words are repeated in the field ``near``; a question's answer comes next.
NEAR = ((-1, 4), (-2, 3), (1, 2), (2, 1))
ASKED = 2
NEAR_WORTH = 0.5
# Only the weightiest terms are looked for there.
NEAR_TERMS = 3
TITLE = 2
_HEAP = 200_000_000
_BATCH = 2000
_STEPS = (0, *(step for step, _ in NEAR))


class Fast:
    """The index in step with a database; ``searcher`` and ``schema`` are tantivy's."""

    def __init__(self, tantivy: Any, index: Any, schema: Any, state: dict[str, Any]) -> None:
        self.tantivy = tantivy
        self.schema = schema
        self.searcher = index.searcher()
        self.state = state

    def keeps_step(self, connection: Connection) -> bool:
        """Whether nothing changed since in the database."""
        return self.state == _state(connection)

    def choose(self, connection: Connection, query: Query, wanted: Wanted) -> Choice:
        """The entries that are worth ranking; by their terms, where the filters leave few of what is found here, or
        whoever asks may not see all that is counted here."""
        if not _sees_all(connection, query):
            return choose_by_terms(connection, query, wanted)
        least = max(2 * query.limit, LEAST, min(MOST, LOOKS // max(1, len(wanted.terms))))
        for most in (least, RESERVE * least):
            seats = self._seats(wanted, most)
            texts = load_texts(connection, query, seats)
            if 2 * len(texts) >= least or len(seats) < most:
                kept = {seat: texts[seat] for seat in [seat for seat in seats if seat in texts][:least]}
                places = _places(connection, wanted)
                return Choice(texts=kept, places=places, together=crowds(places, list(kept)))
        return choose_by_terms(connection, query, wanted)

    def _seats(self, wanted: Wanted, most: int) -> list[int]:
        """The most promising seats, best first."""
        found = self.searcher.search(self._query(wanted), most, count=False)
        return list(self.searcher.fast_field_values("seat", [address for _, address in found.hits]))

    def _query(self, wanted: Wanted) -> Any:
        """Each term's weight is ``wanted``'s, so what tantivy makes of its rarity is taken out again."""
        said = [(term.text, term.weight / self._rarity(term.said)) for term in wanted.terms if term.said]
        told = [(about(term.text), term.weight / self._rarity(term.told)) for term in wanted.terms if term.told]
        parts = [self._part("said", text, weight) for text, weight in said + told]
        parts += [self._part("near", text, NEAR_WORTH * weight) for text, weight in said[:NEAR_TERMS]]
        return self.tantivy.Query.boolean_query([(self.tantivy.Occur.Should, part) for part in parts])

    def _part(self, field: str, text: str, weight: float) -> Any:
        query = self.tantivy.Query
        return query.boost_query(query.term_query(self.schema, field, text, "freq"), weight)

    def _rarity(self, entries: int) -> float:
        return log(1 + (max(0, self.searcher.num_docs - entries) + 0.5) / (entries + 0.5))


def installed() -> bool:
    """Whether the package is there."""
    return find_spec("tantivy") is not None


def pays(connection: Connection) -> bool:
    """Whether there are so many entries that it is worth its while."""
    row = connection.execute("SELECT sum(entries) FROM collections").fetchone()
    return bool((row[0] or 0) >= SMALLEST)


def follow(shared: str, connection: Connection) -> Fast | None:
    """The index, brought in step with the database that ``connection`` reads; made anew where it is damaged, foreign or
    missing. None without tantivy, and where it cannot be had now: another process is at it, or the disk refuses."""
    folder = fast_folder(shared)
    if not installed() or is_led_astray(shared) or os.path.islink(folder):
        return None
    tantivy = importlib.import_module("tantivy")
    for _ in range(2):
        with _unless_broken(folder):
            return _follow(tantivy, shared, connection)
    return None


def describe(shared: str, connection: Connection) -> str:
    """One line for people: how searches find their candidates, and why."""
    if not installed():
        return "full-text search by SQLite; the extra holdfast[fast] is not installed"
    if not pays(connection):
        return f"full-text search by SQLite; tantivy takes over from {SMALLEST:,} memories on"
    if _read_state(fast_folder(shared)) != _state(connection):
        return "full-text search by tantivy, once its index has been brought in step"
    return "full-text search by tantivy"


def fast_folder(shared: str) -> str:
    """Where the index lies."""
    return os.path.join(shared, "cache", "memory-fast")


def _follow(tantivy: Any, shared: str, connection: Connection) -> Fast | None:
    folder, schema = fast_folder(shared), _schema(tantivy)
    if _read_state(folder) != _state(connection):
        with Lock(os.path.join(shared, "cache", "locks", "memory-fast.lock"), 0.0) as held:
            if not held:
                return None
            _catch_up(tantivy, schema, folder, connection)
    return Fast(tantivy, tantivy.Index(schema, folder), schema, _read_state(folder))


def _catch_up(tantivy: Any, schema: Any, folder: str, connection: Connection) -> None:
    """Index what changed since the last time; all of it, where that was another database or another version. The state
    is written last, so that what was cut short is done once more."""
    state, now = _read_state(folder), _state(connection)
    step = state.get("step", 0) if {**state, "step": 0} == {**now, "step": 0} else 0
    if not step:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder, OWNER_DIRECTORY)
    writer = tantivy.Index(schema, folder).writer(_HEAP, 1)
    for seats in _batches(_with_neighbours(seats_since(connection, step))):
        texts = _read_texts(connection, seats)
        for seat in seats:
            if step:
                writer.delete_documents_by_term("seat", seat)
            if seat in texts:
                writer.add_document(_document(tantivy, seat, texts))
    writer.commit()
    writer.wait_merging_threads()
    write_atomic(os.path.join(folder, "state.json"), json.dumps(now), follow=False)


def _schema(tantivy: Any) -> Any:
    builder = tantivy.SchemaBuilder()
    # An unsigned field would kill the writer: the package makes a signed number of every int.
    builder.add_integer_field("seat", indexed=True, fast=True)
    for field in ("said", "near"):
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    return builder.build()


def _document(tantivy: Any, seat: int, texts: dict[int, Text]) -> Any:
    """The entry at the seat with the words of its neighbours; ``texts`` holds them all."""
    said, told, *_ = texts[seat]
    title = said.partition(SEPARATOR)[0]
    document = tantivy.Document()
    document.add_integer("seat", seat)
    document.add_text("said", " ".join((*[title] * (TITLE - 1), said, told)))
    near = [texts[seat + step][0] for step, times in NEAR for _ in range(times * _asked(seat, step, texts))]
    document.add_text("near", " ".join(near))
    return document


def _asked(seat: int, step: int, texts: dict[int, Text]) -> int:
    if seat + step not in texts:
        return 0
    return ASKED if step == -1 and texts[seat + step][3] else 1


def _with_neighbours(seats: Iterable[int]) -> list[int]:
    """The seats, and those in whose neighbourhood they are; the newest first, as of equal ones the first is found."""
    return sorted({seat - step for seat in seats for step in _STEPS}, reverse=True)


def _batches(seats: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(seats), _BATCH):
        yield seats[start : start + _BATCH]


def _read_texts(connection: Connection, seats: list[int]) -> dict[int, Text]:
    """The texts at these seats and beside them."""
    sql = "SELECT seat, said, about, length, asks, moment, number FROM texts WHERE seat IN ({})"
    around = {seat + step for seat in seats for step in _STEPS}
    return {row[0]: row[1:] for row in connection.execute(sql.format(", ".join(map(str, around))))}


def _places(connection: Connection, wanted: Wanted) -> dict[str, frozenset[int]]:
    """Where the rarest terms stand."""
    places, left = {}, PLACES
    for term in sorted(wanted.terms, key=lambda term: term.said):
        if 0 < term.said <= left:
            places[term.text] = found = seats_of(connection, term.saying, left)
            left -= len(found)
    return places


def _sees_all(connection: Connection, query: Query) -> bool:
    total: int = connection.execute("SELECT count(*) FROM collections").fetchone()[0]
    return len(read_collections(connection, query)) == total


def _state(connection: Connection) -> dict[str, Any]:
    tantivy = importlib.import_module("tantivy")
    return {
        "version": VERSION,
        "tantivy": getattr(tantivy, "__version__", ""),
        "generation": read_generation(connection),
        "step": last_step(connection),
    }


def _read_state(folder: str) -> dict[str, Any]:
    """What the index is in step with, empty for none."""
    try:
        state = json.loads(read_text(os.path.join(folder, "state.json")) or "{}")
    except ValueError:
        return {}
    return state if isinstance(state, dict) else {}


@contextmanager
def _unless_broken(folder: str) -> Iterator[None]:
    """Whatever a damaged index does to tantivy, panics included, ends here, and with it the index."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except sqlite3.Error:  # the database is at fault
        return
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
