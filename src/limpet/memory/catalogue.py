"""The view of a reader on the memories: the one place that decides, for index and files, what may be seen. What may not
be seen is answered exactly like what is not there."""

from __future__ import annotations

import os
import sqlite3
from _sqlite3 import Connection
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from math import inf
from typing import Any, TypeVar

from limpet.ground.clock import Clock
from limpet.ground.errors import LimpetError
from limpet.ground.safety.instructions import INSTRUCTION, flags_of, withheld
from limpet.ground.trust.consent import root_of
from limpet.memory.files import store
from limpet.memory.files.tree import UNREAD, walk
from limpet.memory.index import reading, sync
from limpet.memory.index.indexing import count_uses, shown_in
from limpet.memory.model.attention import current_tier
from limpet.memory.model.entry import SPOKEN, SPOKEN_OF_CARD, Card, Hit, Query
from limpet.memory.model.ids import pick
from limpet.memory.model.layout import FORGOTTEN, KNOWLEDGE, STATES, Reader, may_read, owners, read_place
from limpet.memory.model.results import Gone, Listing, MemoryProblem, Refreshed, Stored, Uses

EVERYTHING = 1_000_000_000
ALL = Query(valid=False, states=STATES, limit=EVERYTHING)
TRIES = 5
HINT = "Move it to a folder such as shared/durable/."
UNREADABLE = "Check its permissions."
# An index that no disk keeps is made from the beginning every time, so that it gets so many times as long.
UNKEPT_TIMES = 5
FOLLOWS = "the next command reads the rest. To read it now, run: limpet memory upkeep"

Result = TypeVar("Result")


class Catalogue:
    """The memories under ``shared`` as ``reader`` may see them; ``settings`` is the configuration's section. A look at
    the index reads files that it has not read for at most ``seconds``."""

    def __init__(self, shared: str, settings: dict[str, Any], reader: Reader, clock: Clock) -> None:
        self.shared = shared
        self.settings = settings
        self.reader = reader
        self.clock = clock
        self.seconds = float(settings["refresh"]["command_s"])
        self._held: tuple[Connection, Listing] | None = None

    @contextmanager
    def at_once(self, as_is: bool = False) -> Iterator[None]:
        """Ask a block's questions of one state of the index; ``as_is``: without a look at the files, where there is
        one."""
        with self._index(as_is=as_is) as held:
            self._held = held
            try:
                yield
            finally:
                self._held = None

    def sees(self, path: str) -> bool:
        place = read_place(path) if path else None
        if place is None:
            return self.reader.person
        return may_read(self.reader, place.owner) and (self.reader.person or place.state != FORGOTTEN)

    def list(self, query: Query, whole: bool = False) -> Listing:
        """Return the cards that the query's filters leave, newest first; with ``whole`` every file is read first."""
        with self._index(inf if whole else self.seconds) as (connection, known):
            return known.replace(cards=self._tiered(reading.get_cards(connection, self._permitted(query))))

    def uncounted(self) -> frozenset[str]:
        with self._index() as (connection, _):
            return reading.uncounted(connection)

    def search(self, query: Query) -> Listing:
        from limpet.memory.search.search import search_entries

        with self._index() as (connection, known):
            hits = tuple(search_entries(connection, self._permitted(query), self.settings))
        cards = self._tiered(hit.card for hit in hits)
        hits = tuple(hit.replace(card=card) for hit, card in zip(hits, cards, strict=True))
        return known.replace(cards=cards, hits=hits)

    def find_begun(self, query: Query) -> tuple[Card, ...]:
        """For whoever is still typing: without a look at the files."""
        from limpet.memory.search import typed

        with self._index(as_is=True) as (connection, _):
            return self._tiered(typed.find_begun(connection, self._permitted(query)))

    def search_each(self, queries: Iterable[Query]) -> tuple[tuple[Hit, ...], ...]:
        from limpet.memory.search.search import search_entries

        if not (asked := [self._permitted(query) for query in queries]):
            return ()
        with self._index() as (connection, _):
            return tuple(tuple(search_entries(connection, query, self.settings)) for query in asked)

    def witness(self, done: Refreshed) -> Refreshed:
        """An agent is told how many entries it sees, not how many files changed."""
        problems = tuple(problem for problem in done.problems if self.sees(problem.path))
        if self.reader.person:
            return done.replace(problems=problems)
        where, values = reading.searched(self._permitted(Query(states=STATES)))
        with self._index(as_is=True) as (connection, _):
            sql = f"SELECT coalesce(sum(c.entries), 0) FROM collections c WHERE {where}"
            total = connection.execute(sql, values).fetchone()[0]
        return done.replace(changed=0, removed=0, total=total, problems=problems, files=0)

    def hottest(self, limit: int) -> tuple[Hit, ...]:
        query = self._permitted(Query(limit=limit))
        with self._index() as (connection, _):
            return tuple(reading.hottest(connection, query, self.reader.agent, self.settings, limit))

    def uses(self, name: str = "") -> Uses:
        """Without ``name`` those of all entries."""
        with self._index() as (connection, _):
            return count_uses(connection, name, owners(self.reader))

    def shown_in(self, session: str) -> dict[str, float]:
        with self._index() as (connection, _):
            return shown_in(connection, session)

    def card(self, name: str) -> Card | None:
        with self._index() as (connection, _):
            found = reading.card_by_id(connection, name, owners(self.reader))
        return self._handed_card(found) if found and self.sees(found.path) else None

    def is_heard(self, stored: Stored) -> bool:
        """Whether it has the words that the log of this machine knows of it."""
        with self._index() as (connection, _):
            return bool(reading.heard_here(connection, [stored.path]))

    def facts_of(self, stored: Stored) -> tuple[Card | None, tuple[str, ...]]:
        """Return the card, None where the index has none, and the cited files that are not there."""
        with self._index() as (connection, _):
            card, cited = reading.card_at(connection, stored.path)
        root = root_of(self.shared)
        missing = tuple(path for path in cited if not os.path.lexists(os.path.join(root, path)))
        return (self._tiered([card])[0] if card else None), missing

    def find(self, key: str) -> Stored:
        """``key``: an id, one it had elsewhere, a beginning that fits no other, or a path. Raise LimpetError."""
        return self.on_path(key, lambda path: store.read_entry(self.shared, path))

    def on_path(self, key: str, act: Callable[[str], Result]) -> Result:
        """Return ``act`` of the path that ``key`` names; of the new one, where the file was moved meanwhile."""
        for _ in range(TRIES):
            path = self._path(key)
            with suppress(Gone):
                return act(path)
        raise Gone(key)

    def entries(self, states: tuple[str, ...]) -> Iterator[Stored]:
        """Yield the entries in these states whose file can be read, straight from the files."""
        for path in self.paths(states):
            with suppress(LimpetError):  # such files are what ``Library.verify`` is for
                yield self.handed(store.read_entry(self.shared, path))

    def files(self, states: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
        for path in self.paths(states):
            raw = store.read_raw(self.shared, path)
            if raw is not None and (self.reader.person or not flags_of(raw.decode("utf-8", "replace"))):
                yield path, raw

    def paths(self, states: tuple[str, ...]) -> Iterator[str]:
        for path, _ in store.scan_files(self.shared):
            if self.sees(path) and (place := read_place(path)) and place.state in states:
                yield path

    def strays(self) -> Iterator[MemoryProblem]:
        for each in walk(self.shared):
            if each.what and self.sees(each.path):
                yield MemoryProblem(each.path, 0, each.what, UNREADABLE if UNREAD in each.what else HINT)

    def _path(self, key: str) -> str:
        if "/" in key:
            if read_place(key) is None or not self.sees(key):
                raise Gone(key)
            return key
        with self._index() as (connection, known):
            card = reading.card_by_id(connection, key, owners(self.reader))
            if card is None or not self.sees(card.path):
                wanted = self._permitted(Query(valid=False, states=STATES))
                card = pick(reading.cards_named(connection, wanted, key), key)
        if card is None:
            raise Gone(key, known.unread)
        if card.state == KNOWLEDGE:
            raise LimpetError("This is no memory but an entry of the knowledge", key, f"Its file: .limpet/{card.path}")
        return card.path

    def handed(self, stored: Stored) -> Stored:
        """As the reader gets it: an agent not what reads like an instruction, by whatever door it asks."""
        if self.reader.person:
            return stored
        entry = withheld(stored.entry, *SPOKEN, "evidence", flagged=bool(stored.entry.flags))
        return stored if entry is stored.entry else stored.replace(entry=entry.replace(flags=(INSTRUCTION,)))

    def _handed_card(self, card: Card) -> Card:
        if self.reader.person or not card.flags:
            return card
        return withheld(card, *SPOKEN_OF_CARD, flagged=True).replace(flags=(INSTRUCTION,))

    def _tiered(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        now, settings = self.clock.now(), self.settings
        return tuple(self._handed_card(card.replace(tier=current_tier(card, now, settings))) for card in cards)

    def _permitted(self, query: Query) -> Query:
        allowed = owners(self.reader)
        asked = query.owners or allowed
        if allowed is not None and asked is not None:
            asked = tuple(owner for owner in asked if owner in allowed)
        states = tuple(state for state in query.states or STATES if self.reader.person or state != FORGOTTEN)
        return query.replace(owners=asked if states else (), states=states, now=query.now or self.clock.now())

    @contextmanager
    def _index(self, seconds: float | None = None, as_is: bool = False) -> Iterator[tuple[Connection, Listing]]:
        """Yield the index and a listing of no card that says what its reader should know of it."""
        if self._held:
            yield self._held
            return
        seconds = self.seconds if seconds is None else seconds
        there = reading.open_index(self.shared) if as_is else None
        connection, known = (there, Listing()) if there else self._open(seconds)
        with closing(connection):
            reading.know_tiers(connection, self.settings, self.clock.now())
            try:
                yield connection, known
            except sqlite3.DatabaseError as error:
                sync.heal(self.shared, self.settings, self.clock.now(), error, seconds)

    def _known(self, done: Refreshed, follows: str) -> Listing:
        problems = tuple(problem for problem in done.problems if self.sees(problem.path))
        if not done.unread:
            return Listing(problems=problems)
        count = f"{done.files - done.unread:,} of {done.files:,}" if self.reader.person else "some"
        return Listing(problems=problems, unread=f"{count} memory files have been read; {follows}")

    def _open(self, seconds: float) -> tuple[Connection, Listing]:
        """Tried again, because another process that makes the index anew takes it away for a moment. One that cannot be
        written, as from a sandbox, is made in memory, which takes longer."""
        for _ in range(TRIES):
            try:
                refreshed = sync.refresh_index(self.shared, self.settings, self.clock.now(), None, seconds)
            except sync.IndexUnkept as error:
                unkept = MemoryProblem(error.where, 0, f"{error.what}; reading all files instead", error.hint)
                longer = seconds * UNKEPT_TIMES
                made, refreshed = sync.open_in_memory(self.shared, self.settings, self.clock.now(), longer)
                known = self._known(refreshed, "the rest is read once the index is writable")
                return made, known.replace(problems=(unkept, *known.problems))
            connection = reading.open_index(self.shared)
            if connection is not None:
                return connection, self._known(refreshed, FOLLOWS)
        raise LimpetError("Cannot open the memory index", "", "Run: limpet memory upkeep --rebuild")
