"""The index's file as its writer handles it: checked, opened, or made aside and put in place atomically."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from limpet.ground.storage.files import OWNER_ONLY, make_folders, remove_file, replace_patiently
from limpet.memory.index.database import (
    APPLICATION,
    NAME_COLUMN,
    VERSION,
    WRITE_PATIENCE,
    defend,
    has_header,
    is_our_database,
    open_database,
)
from limpet.memory.model.entry import Card

PATIENCE = 20.0
_DRAFT = ".draft"
# What SQLite keeps beside a database; in a new one's place they would be taken for its own.
_JOURNAL = "-journal"
_COMPANIONS = (_JOURNAL, "-wal", "-shm")
_REALS = ("created", "last_accessed", "confidence", "expires", "valid_until", "last_evidence")
_INTEGERS = ("accesses", "evidence", "pinned", "stale", "resolved", "size")
# The long one last, so that the others are read without it.
CARD_NAMES = (*(name for name in Card.fields if name != "excerpt"), "excerpt")


def is_sound(path: str) -> bool:
    """There is a database of Limpet and of this version, with its tables and its counts. There must be no rollback
    journal beside it: Limpet writes none, and SQLite would obey a foreign one."""
    if os.path.lexists(path + _JOURNAL) or not has_header(path):
        return False
    lost = "SELECT EXISTS (SELECT 1 FROM cards) AND NOT EXISTS (SELECT 1 FROM collections)"
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
            defend(connection)
            return is_our_database(connection) and not connection.execute(lost).fetchone()[0]
    except sqlite3.DatabaseError:
        return False


@contextmanager
def writing(path: str) -> Iterator[sqlite3.Connection]:
    """The transaction is kept if the block ends well. Readers never wait for it."""
    with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
        defend(connection, WRITE_PATIENCE)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA temp_store=MEMORY")
        with in_transaction(connection):
            yield connection


@contextmanager
def in_transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.execute("COMMIT")


@contextmanager
def replacing(path: str) -> Iterator[sqlite3.Connection]:
    """The new database takes the place of whatever is at ``path`` if the block ends well."""
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
        # The old database goes before its companions, so that neither it nor the new one is ever seen with the wrong
        # ones.
        with open(draft, "rb+") as file:
            os.fsync(file.fileno())
        remove_database(path)
        if os.path.isdir(path) and not os.path.islink(path):
            os.rename(path, f"{path}.aside-{time.time_ns()}")  # whoever put a folder there may want what is in it
        replace_patiently(draft, path)
    finally:
        remove_database(draft)


def copy_in_memory(path: str) -> sqlite3.Connection | None:
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
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in STATEMENTS:
        connection.execute(statement)
    return connection


def remove_database(path: str) -> None:
    for name in (path, *(path + ending for ending in _COMPANIONS)):
        remove_file(name)


def _kind(name: str) -> str:
    if name in _REALS:
        return "REAL"
    return "INTEGER" if name in _INTEGERS else "TEXT"


# ``serial`` is a card's own number, which stays; ``doc`` its doc id, which may move with its neighbours, and is below 0
# until it is known. ``written_*`` are the file's own figures. ``class`` and ``time_free_score`` order the hottest.
_CARDS = f"""CREATE TABLE cards (
    serial INTEGER PRIMARY KEY, doc INTEGER NOT NULL, conversation INTEGER NOT NULL,
    written_accesses INTEGER NOT NULL, written_access REAL NOT NULL,
    says TEXT NOT NULL, class TEXT NOT NULL, time_free_score REAL NOT NULL,
    {", ".join(f"{name} {_kind(name)} NOT NULL" for name in CARD_NAMES)}
)"""

STATEMENTS = (
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
    _CARDS,
    "CREATE UNIQUE INDEX card_docs ON cards (doc)",
    "CREATE UNIQUE INDEX card_paths ON cards (path)",
    "CREATE INDEX card_ids ON cards (id)",
    f"CREATE INDEX card_names ON cards ({NAME_COLUMN})",
    "CREATE INDEX card_times ON cards (state, created)",
    "CREATE INDEX card_sessions ON cards (session)",
    "CREATE INDEX card_conversations ON cards (conversation, created, path)",
    "CREATE INDEX card_scores ON cards (state, owner, class, sector, time_free_score)",
    # ``content`` (title, body, tags, paths) and ``metadata`` (who, date) are terms as ``records.pack`` writes them.
    """CREATE TABLE texts (doc INTEGER PRIMARY KEY, length INTEGER NOT NULL, is_question INTEGER NOT NULL,
    has_time INTEGER NOT NULL, has_number INTEGER NOT NULL, content TEXT NOT NULL, metadata TEXT NOT NULL)""",
    # All terms of an entry by its doc id, as ``database.posting`` writes them; the ASCII tokenizer parts them at spaces
    # and nowhere else.
    "CREATE VIRTUAL TABLE postings USING fts5(terms, content='', detail=none, columnsize=0, tokenize='ascii')",
    # A collection is what one owner has in one state. Conversations, terms and all that is counted are of one, so that
    # nobody's ranking knows of what he may not see.
    """CREATE TABLE collections (collection INTEGER PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL,
    entries INTEGER NOT NULL DEFAULT 0, length INTEGER NOT NULL DEFAULT 0, conversations INTEGER NOT NULL DEFAULT 0,
    conversations_length INTEGER NOT NULL DEFAULT 0, UNIQUE (owner, state))""",
    """CREATE TABLE vocabulary (term TEXT NOT NULL, collection INTEGER NOT NULL, entries INTEGER NOT NULL,
    PRIMARY KEY (term, collection)) WITHOUT ROWID""",
    """CREATE TABLE conversations (conversation INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    collection INTEGER NOT NULL, entries INTEGER NOT NULL DEFAULT 0, length INTEGER NOT NULL DEFAULT 0)""",
    # An entry's sentences in their order, and the terms of each, a line each, as ``records`` makes them.
    "CREATE TABLE passages (serial INTEGER PRIMARY KEY, sentences TEXT NOT NULL, terms TEXT NOT NULL)",
    "CREATE TABLE citations (path TEXT NOT NULL, serial INTEGER NOT NULL)",
    "CREATE INDEX citing ON citations (serial)",
    "CREATE INDEX cited ON citations (path, serial)",
    "CREATE TABLE cited_files (path TEXT PRIMARY KEY, modified REAL NOT NULL) WITHOUT ROWID",
    "CREATE TABLE files (path TEXT PRIMARY KEY, modified INTEGER, size INTEGER, inode INTEGER) WITHOUT ROWID",
    "CREATE TABLE problems (path TEXT NOT NULL, line INTEGER NOT NULL, what TEXT NOT NULL, mend TEXT NOT NULL)",
    "CREATE INDEX problem_paths ON problems (path, line)",
    """CREATE TABLE uses (id TEXT, session TEXT, kind TEXT, first REAL, last REAL,
    PRIMARY KEY (id, session, kind)) WITHOUT ROWID""",
    "CREATE INDEX sessions_uses ON uses (session)",
    # The words that the log says an entry was given here, as the column ``says`` has those of its file; "" for any.
    "CREATE TABLE words (id TEXT PRIMARY KEY, says TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE logs (inode INTEGER PRIMARY KEY, offset INTEGER NOT NULL)",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    # A name of its own for each new database.
    "CREATE TABLE generation (name TEXT NOT NULL)",
    "INSERT INTO generation VALUES (lower(hex(randomblob(16))))",
)
