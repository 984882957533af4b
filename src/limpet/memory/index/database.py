"""The index's database: its path, its opening for reading, and its rows as cards. Readers and writer share these."""

from __future__ import annotations

import os

from limpet.ground.clock import UNHURRIED, Clock
from limpet.ground.digest import digest
from limpet.ground.storage.files import open_regular
from limpet.ground.storage.user_folders import is_own_file, project_cache
from limpet.memory.model.entry import Card

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from typing import Any

NAME = "memory.db"
APPLICATION = 0x484F4C44
# Raised whenever the tables change, or the terms that they hold.
VERSION = 13
NAME_COLUMN = "substr(id, -8)"
"""The part of an id by which people and agents know it."""
# Digest of what ``tables`` makes, as ``_schema`` reads it: a file with anything else in it is not read.
SCHEMA = "e655a0f9720c17d8"
# Seconds that a reader waits while another process opens or closes the database.
PATIENCE = 0.5
# Seconds of the processor that a query may take. What is asked here takes milliseconds; a damaged file may keep it busy
# for ever.
QUERY_PATIENCE = 30.0
# The same for a writer, which may have a whole index to put in order.
WRITE_PATIENCE = 300.0
# Steps of SQLite's machine between two looks at the time: some milliseconds, so that short queries are never counted.
_STEPS = 1_000_000
# Looks at the time that lie further apart are of different queries.
_PAUSE = 1.0
_DEFENSIVE = 1010  # SQLITE_DBCONFIG_DEFENSIVE
_MAGIC = b"SQLite format 3\0"
# Tables that SQLite and its full-text search make by themselves, worded differently from version to version.
_THEIRS = ("postings_", "sqlite_")
# A doc id numbers an entry in ``postings`` and ``texts``: its conversation's number in the high bits, its position in
# the conversation in the low ones, so that neighbours have neighbouring numbers. Search looks two numbers to each side,
# so two are left free at the beginning: beside the first entry lies no other conversation's last.
POSITIONS, FIRST = 20, 2
# Separates the tags, flags and fields in a column.
SEPARATOR = "\n"
# Stands in ``postings`` between a collection's number and a term.
_HOLDS = "\u00a7"

_LISTS = ("tags", "flags")
_TRUTHS = ("pinned", "stale", "resolved")
_AT = tuple((Card.fields.index(name), name in _LISTS) for name in (*_LISTS, *_TRUTHS))
# Columns of ``cards`` c, in the order of Card's fields.
COLUMNS = ", ".join(f"c.{name}" for name in Card.fields)


def database_path(shared: str) -> str:
    return os.path.join(project_cache(shared), NAME)


def open_database(path: str) -> Connection | None:
    """Return a read-only connection, None where there is no sound database of this version. Where nothing can be
    written beside it, SQLite opens it only as one that nobody changes meanwhile."""
    if not has_header(path):
        return None
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23").replace(os.sep, "/")
    address = f"file:{quoted if quoted.startswith('/') else '/' + quoted}?mode=ro"
    if not os.access(os.path.dirname(path), os.W_OK) and not os.path.lexists(f"{path}-wal"):
        address += "&immutable=1"
    connection: Connection | None = None
    import _sqlite3

    try:
        connection = _sqlite3.connect(address, timeout=PATIENCE, uri=True, isolation_level=None)
        defend(connection)
        if is_our_database(connection):
            return connection
    except _sqlite3.Error:
        pass
    if connection is not None:
        connection.close()
    return None


def has_header(path: str) -> bool:
    """A regular file of the user's, and no link, is there that begins as a database does."""
    handle = open_regular(path) if is_own_file(path) else None
    if handle is None:
        return False
    try:
        return os.read(handle, len(_MAGIC)) == _MAGIC
    finally:
        os.close(handle)


def defend(connection: Connection, patience: float = QUERY_PATIENCE) -> None:
    """Make the connection take nothing in the file on trust, and end a query after ``patience`` seconds."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    configure = getattr(connection, "setconfig", None)  # from Python 3.12 on
    if configure is not None:
        configure(_DEFENSIVE, True)
    connection.set_progress_handler(Overdue(patience), _STEPS)


def is_our_database(connection: Connection) -> bool:
    """Of this version, with our tables and nothing else. Raise ``sqlite3.DatabaseError`` for no database."""
    versions = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    return versions == [APPLICATION, VERSION] and _schema(connection) == SCHEMA


def read_card(row: tuple[Any, ...]) -> Card:
    values = list(row)
    for at, is_list in _AT:
        value = values[at]
        if is_list:
            values[at] = tuple(str(value).split(SEPARATOR)) if value else ()
        else:
            values[at] = bool(value)
    return Card(*values)


def card_values(card: Card) -> dict[str, object]:
    values = {name: getattr(card, name) for name in Card.fields}
    values.update({name: SEPARATOR.join(values[name]) for name in _LISTS})
    values.update({name: int(values[name]) for name in _TRUTHS})
    return values


def posting(collection: int, term: str) -> str:
    """Of its collection, so that no search comes across what another holds."""
    return f"{collection}{_HOLDS}{term}"


class Overdue:
    """A progress handler that ends a query once this thread worked at it for ``patience`` seconds."""

    def __init__(self, patience: float, clock: Clock = UNHURRIED) -> None:
        self.patience, self.clock = patience, clock
        self.began = self.last = 0.0

    def __call__(self) -> bool:
        now, worked = self.clock.timer(), self.clock.worked()
        if now - self.last > _PAUSE:
            self.began = worked
        self.last = now
        return worked - self.began > self.patience


def _schema(connection: Connection) -> str:
    """Return a digest of every table, index, trigger and view, "" where one that SQLite makes is no plain table."""
    told = []
    for name, root, sql in connection.execute("SELECT name, rootpage, sql FROM sqlite_master ORDER BY name"):
        if not str(name).startswith(_THEIRS):
            told.append(f"{name}: {sql}")
        elif not root or not (sql is None or str(sql).startswith("CREATE TABLE ")):
            return ""
        else:
            told.append(str(name))
    return digest("\n".join(told))
