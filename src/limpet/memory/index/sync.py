"""Keeps the index in step with the entries' files and with the log of accesses.

The index is derived data: a damaged, foreign or older one is rebuilt.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any, NoReturn

from limpet.ground.errors import LimpetError
from limpet.ground.storage.fair_lock import fair_lock
from limpet.ground.storage.text_file import why_not_locked
from limpet.memory.index.database import database_path
from limpet.memory.index.database_file import (
    copy_in_memory,
    in_transaction,
    is_sound,
    new_in_memory,
    replacing,
    writing,
)
from limpet.memory.index.filing import join_postings
from limpet.memory.index.names import names_path
from limpet.memory.index.naming import write_names
from limpet.memory.index.slices import SLICE, Progress, Standing, begin, take_slice
from limpet.memory.model.results import Refreshed

PATIENCE = 20.0
INDEX = "the memory index"
# SQLite's answers that are about the disk or another process.
_NOT_OF_THE_FILE = frozenset((3, 5, 6, 7, 8, 9, 10, 13, 14, 22, 23))


class IndexUnkept(LimpetError):
    """The index cannot be written; what is asked can still be answered, by ``open_in_memory``."""


def refresh(
    shared: str,
    settings: dict[str, Any],
    now: float,
    progress: Progress | None = None,
    seconds: float = inf,
    anew: bool = False,
) -> Refreshed:
    """Read what changed since the last time, by the files' stamps; ``progress`` gets (files done, of how many).

    Each slice is kept for itself, so that who is killed, or stops after ``seconds`` (with ``unread`` files
    left), leaves less to the next. With ``anew`` nothing of what the index holds is believed, and it is
    made again from all files. Raise LimpetError where it cannot be written.
    """
    is_late, standing = _alarm(seconds), Standing()

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
    """Make again the index in which reading met this error, unless the disk or another process is to blame.

    Raises LimpetError that says which.
    """
    if _is_of_the_disk(error):
        raise LimpetError(f"Cannot read {INDEX} ({error})", "", "Try again.") from None
    refresh(shared, settings, now, None, seconds, anew=True)
    what = "The memory index was damaged and has been rebuilt"
    raise LimpetError(what, "", "Run the command again.") from None


def open_in_memory(
    shared: str, settings: dict[str, Any], now: float, seconds: float = inf
) -> tuple[sqlite3.Connection, Refreshed]:
    """Return an index that no disk keeps, as the files stand now, for whom the kept one cannot be written.

    It begins with a copy of the kept one, where that can be read. After ``seconds`` no more files are read.
    """

    def take(connection: sqlite3.Connection) -> Refreshed:
        found = begin(connection, shared, Standing(), "")
        return take_slice(connection, shared, found, settings, now, _alarm(seconds), None, len(found.paths)).done

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


@contextmanager
def _sole_writer(shared: str) -> Iterator[str]:
    """Yield the database's path, for a block in which no other process writes it."""
    lock = os.path.join(shared, "cache", "locks", "index.lock")
    with fair_lock(lock, PATIENCE) as held:
        if not held:
            raise IndexUnkept(f"Cannot lock ({why_not_locked(lock)})", INDEX, "Try again.")
        try:
            yield database_path(shared)
        except (OSError, sqlite3.Error) as error:
            raise IndexUnkept(f"Cannot write ({error})", INDEX, "Run: limpet doctor") from None


def _is_of_the_disk(error: sqlite3.DatabaseError) -> bool:
    """Return whether the error is about the disk or another process, so that a new index would fix nothing."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _NOT_OF_THE_FILE


def _alarm(seconds: float) -> Callable[[], bool]:
    """Return a function that says whether so many seconds have passed."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def _write(path: str, take: Callable[[sqlite3.Connection], Standing], anew: bool) -> Standing:
    """Return what ``take`` makes of the index, which is kept; of an empty one where there is none that can be read."""
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
