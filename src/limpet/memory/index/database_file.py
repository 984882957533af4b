"""The index's file as its writer handles it: checked, opened, or made aside and put in place atomically."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from limpet.ground.storage.files import OWNER_ONLY, make_folders, remove_file, replace_patiently
from limpet.memory.index.database import WRITE_PATIENCE, defend, has_header, is_ours, open_database
from limpet.memory.index.tables import STATEMENTS

PATIENCE = 20.0
_DRAFT = ".draft"
# What SQLite keeps beside a database; in a new one's place they would be taken for its own.
_JOURNAL = "-journal"
_COMPANIONS = (_JOURNAL, "-wal", "-shm")


def is_sound(path: str) -> bool:
    """Return whether there is a database of Limpet and of this version, with its tables and its counts.

    There must be no rollback journal beside it: Limpet writes none, and SQLite would obey a foreign one.
    """
    if os.path.lexists(path + _JOURNAL) or not has_header(path):
        return False
    lost = "SELECT EXISTS (SELECT 1 FROM cards) AND NOT EXISTS (SELECT 1 FROM collections)"
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
            defend(connection)
            return is_ours(connection) and not connection.execute(lost).fetchone()[0]
    except sqlite3.DatabaseError:
        return False


@contextmanager
def writing(path: str) -> Iterator[sqlite3.Connection]:
    """Open a connection in a transaction, which is kept if the block ends well. Readers never wait for it."""
    with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
        defend(connection, WRITE_PATIENCE)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA temp_store=MEMORY")
        with in_transaction(connection):
            yield connection


@contextmanager
def in_transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Hold a transaction, which is kept if the block ends well."""
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.execute("COMMIT")


@contextmanager
def replacing(path: str) -> Iterator[sqlite3.Connection]:
    """Open a connection to a new database, which takes the place of whatever is at ``path`` if the block ends
    well."""
    draft = path + _DRAFT
    remove_database(draft)
    make_folders(os.path.dirname(path))
    os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    try:
        with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            # Nothing guards it, because nobody sees it before it is whole.
            for setting in ("journal_mode=OFF", "synchronous=OFF", "temp_store=MEMORY", "cache_size=-65536"):
                connection.execute(f"PRAGMA {setting}")
            with in_transaction(connection):
                for statement in STATEMENTS:
                    connection.execute(statement)
                yield connection
            connection.execute("PRAGMA journal_mode=WAL")
        _put_in_place(draft, path)
    finally:
        remove_database(draft)


def copy_in_memory(path: str) -> sqlite3.Connection | None:
    """Return a connection to a copy of the database that no disk keeps; None where there is no sound one."""
    source = open_database(path)
    if source is None:
        return None
    copy = sqlite3.connect(":memory:", isolation_level=None)
    try:
        with closing(source):
            source.backup(copy)
        defend(copy, WRITE_PATIENCE)
    except sqlite3.Error:
        copy.close()
        return None
    return copy


def new_in_memory() -> sqlite3.Connection:
    """Return a connection to a new database that no disk keeps."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in STATEMENTS:
        connection.execute(statement)
    return connection


def _put_in_place(draft: str, path: str) -> None:
    """Put the draft in place of the old database.

    The old one goes before its companions, so that neither it nor the new one is ever seen with the wrong ones.
    """
    with open(draft, "rb+") as file:
        os.fsync(file.fileno())
    remove_database(path)
    if os.path.isdir(path) and not os.path.islink(path):
        os.rename(path, f"{path}.aside-{time.time_ns()}")  # whoever put a folder there may want what is in it
    replace_patiently(draft, path)


def remove_database(path: str) -> None:
    """Remove the database and what SQLite keeps beside it."""
    for name in (path, *(path + ending for ending in _COMPANIONS)):
        remove_file(name)
