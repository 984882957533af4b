"""Keeps the index in step with the entries' files and with the log of accesses. The index is derived data: a damaged,
foreign or older one is rebuilt."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from heapq import nlargest
from math import inf
from typing import Any, NoReturn

from limpet.ground.clock import Clock
from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import Stamp, stamp
from limpet.ground.storage.text_file import fair_lock, why_not_locked
from limpet.ground.values import Value
from limpet.memory.files import store
from limpet.memory.files.tree import locate
from limpet.memory.index import indexing
from limpet.memory.index.database import database_path
from limpet.memory.index.database_file import (
    copy_in_memory,
    in_transaction,
    is_sound,
    new_in_memory,
    replacing,
    writing,
)
from limpet.memory.index.filing import join_postings, write_names
from limpet.memory.index.indexing import IndexSource, by_name, index_sources, read_index_sources
from limpet.memory.index.names import names_path
from limpet.memory.index.reading import UNREAD, read_unread
from limpet.memory.model.layout import KNOWLEDGE
from limpet.memory.model.results import Refreshed

PATIENCE = 20.0
INDEX = "the memory index"
# SQLite's answers that are about the disk or another process.
_NOT_OF_THE_FILE = frozenset((3, 5, 6, 7, 8, 9, 10, 13, 14, 22, 23))
# Files of a transaction: what a killed process loses of its work, and a second or two in which others wait.
SLICE = 1000
# The latest files of many go first: what somebody just wrote is found at once.
LATEST = 50
Progress = Callable[[int, int], None]


class IndexUnkept(LimpetError):
    """The index cannot be written; what is asked can still be answered, by ``open_in_memory``."""


def refresh_index(
    shared: str,
    settings: dict[str, Any],
    now: float,
    progress: Progress | None = None,
    seconds: float = inf,
    anew: bool = False,
) -> Refreshed:
    """Read what changed since the last time, by the files' stamps; ``progress`` gets (files done, of how many). Each
    slice is kept for itself, so that who is killed, or stops after ``seconds`` (with ``unread`` files left), leaves
    less to the next. With ``anew`` nothing of what the index holds is believed. Raise LimpetError where it cannot be
    written."""
    is_late, standing = Clock().alarm(seconds), Standing()

    def take(connection: sqlite3.Connection) -> Standing:
        generation = str(connection.execute("SELECT name FROM generation").fetchone()[0])
        here = standing if generation == standing.generation else begin(connection, shared, standing, generation)
        taken = take_slice(connection, shared, here, settings, now, is_late, progress, SLICE)
        is_changed = taken.done.changed or taken.done.removed or not os.path.exists(names_path(shared))
        if is_changed and (not taken.paths or is_late()):
            write_names(connection, shared, now)
        return taken

    while True:
        with _sole_writer(shared) as path:
            standing = _write(path, take, anew and not standing.generation)
        if not standing.paths or is_late():
            return standing.done


def heal(
    shared: str, settings: dict[str, Any], now: float, error: sqlite3.DatabaseError, seconds: float = inf
) -> NoReturn:
    """Make the index again, unless the disk or another process is to blame. Raise LimpetError that says which."""
    if _is_of_the_disk(error):
        raise LimpetError(f"Cannot read {INDEX} ({error})", "", "Try again.") from None
    refresh_index(shared, settings, now, None, seconds, anew=True)
    what = "The memory index was damaged and has been rebuilt"
    raise LimpetError(what, "", "Run the command again.") from None


def open_in_memory(
    shared: str, settings: dict[str, Any], now: float, seconds: float = inf
) -> tuple[sqlite3.Connection, Refreshed]:
    """Return an index that no disk keeps, for whom the kept one cannot be written. It begins with a copy of the kept
    one, where that can be read. After ``seconds`` no more files are read."""

    def take(connection: sqlite3.Connection) -> Refreshed:
        found = begin(connection, shared, Standing(), "")
        return take_slice(connection, shared, found, settings, now, Clock().alarm(seconds), None, len(found.paths)).done

    connection = copy_in_memory(database_path(shared))
    if connection is not None:
        try:
            with in_transaction(connection):
                return connection, take(connection)
        except sqlite3.DatabaseError:
            connection.close()
    connection = new_in_memory()
    with in_transaction(connection):
        return connection, take(connection)


class Standing(Value):
    """How far a refresh has come in the database ``generation``: ``paths`` are still to be looked at, in their order;
    of all ``files`` so many were ``looked`` at."""

    generation: str = ""
    paths: tuple[str, ...] = ()
    files: int = 0
    looked: int = 0
    done: Refreshed = Refreshed(changed=0, removed=0, total=0, problems=())


def begin(connection: sqlite3.Connection, shared: str, standing: Standing, generation: str) -> Standing:
    rows = connection.execute("SELECT path, modified, size, inode FROM files")
    known = {row[0]: row[1:] for row in rows}
    there = {**dict(store.scan_files(shared)), **indexing.scan_sources(shared)}
    removed = sorted(known.keys() - there.keys())
    changed = {path: mark for path, mark in there.items() if known.get(path) != mark}
    return standing.replace(generation=generation, paths=(*removed, *paths_in_order(changed)), files=len(there | known))


def paths_in_order(stamps: Mapping[str, Stamp]) -> list[str]:
    """By their names, which begin with their dates; of more than a slice the latest files first."""
    ordered = sorted(stamps, key=by_name)
    if len(ordered) <= SLICE:
        return ordered
    latest = set(nlargest(LATEST, ordered, key=lambda path: (stamps[path][0], by_name(path))))
    return sorted(ordered, key=lambda path: path not in latest)


def take_slice(
    connection: sqlite3.Connection,
    shared: str,
    standing: Standing,
    settings: dict[str, Any],
    now: float,
    is_late: Callable[[], bool],
    progress: Progress | None,
    most: int,
) -> Standing:
    """Take in the next ``most`` files, in the connection's transaction: one at least, and no more once ``is_late``."""
    chosen = standing.paths[:most]
    stamps = {path: _look(shared, path) for path in chosen}
    known = "SELECT modified, size, inode FROM files WHERE path = ?"
    seen = {path: connection.execute(known, (path,)).fetchone() for path in chosen}
    changed = {path: mark for path, mark in stamps.items() if mark and mark != seen[path]}
    waiting = dict.fromkeys(changed)
    removed = [path for path, mark in stamps.items() if mark is None]

    def taken() -> Iterator[IndexSource]:
        for looked, source in enumerate(read_index_sources(shared, changed), standing.looked + 1):
            del waiting[source.path]
            yield source
            if progress is not None:
                progress(looked, standing.looked + len(standing.paths))
            if is_late():
                return

    done = index_sources(connection, shared, taken(), removed, settings, now)
    left = (*waiting, *standing.paths[most:])
    _note_unread(connection, len(left))
    changes, removals = standing.done.changed + done.changed, standing.done.removed + done.removed
    done = done.replace(changed=changes, removed=removals, files=standing.files, unread=len(left))
    return standing.replace(paths=left, looked=standing.looked + len(chosen) - len(waiting), done=done)


@contextmanager
def _sole_writer(shared: str) -> Iterator[str]:
    lock = os.path.join(shared, "locks", "index.lock")
    with fair_lock(lock, PATIENCE) as held:
        if not held:
            raise IndexUnkept(f"Cannot lock ({why_not_locked(lock)})", INDEX, "Try again.")
        try:
            yield database_path(shared)
        except (OSError, sqlite3.Error) as error:
            raise IndexUnkept(f"Cannot write ({error})", INDEX, "Run: limpet doctor") from None


def _is_of_the_disk(error: sqlite3.DatabaseError) -> bool:
    """The error is about the disk or another process, so that a new index would fix nothing."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _NOT_OF_THE_FILE


def _write(path: str, take: Callable[[sqlite3.Connection], Standing], anew: bool) -> Standing:
    """Keep what ``take`` makes of the index; of an empty one where there is none that can be read."""
    if not anew and is_sound(path):
        try:
            with writing(path) as connection:
                return take(connection)
        except sqlite3.DatabaseError as error:
            if _is_of_the_disk(error):
                raise
    with replacing(path) as connection:
        taken = take(connection)
        join_postings(connection)
        return taken


def _look(shared: str, path: str) -> Stamp | None:
    if path.startswith(f"{KNOWLEDGE}/"):
        return indexing.scan_sources(shared).get(path)
    try:
        return stamp(locate(shared, path)[0])
    except LimpetError:
        return None


def _note_unread(connection: sqlite3.Connection, count: int) -> None:
    """Once no files are left, the note goes, and what many slices wrote is joined."""
    if count:
        connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (UNREAD, count))
    elif read_unread(connection):
        connection.execute("DELETE FROM facts WHERE name = ?", (UNREAD,))
        join_postings(connection)
