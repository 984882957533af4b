"""The index's database: its path, its opening for reading, and its rows as cards. Readers and writer share these."""

from __future__ import annotations

import os

from holdfast.ground.prompt_path.sqlite import load_sqlite
from holdfast.memory.model.card import Card

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from typing import Any

NAME = "memory.db"
APPLICATION = 0x484F4C44
# Raised whenever the tables change, or the terms that they hold.
VERSION = 4
PATIENCE = 0.2
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
    """Return the database's path; ``shared`` is the ``.holdfast`` of the main worktree."""
    return os.path.join(shared, "cache", NAME)


def open_database(path: str) -> Connection | None:
    """Return a read-only connection, None where there is no sound database of this version."""
    if not os.path.isfile(path):
        return None
    connection: Connection | None = None
    _sqlite3 = load_sqlite()
    try:
        connection = _sqlite3.connect(read_only_uri(path), timeout=PATIENCE, uri=True, isolation_level=None)
        if versions(connection) == (APPLICATION, VERSION):
            return connection
    except _sqlite3.Error:
        pass
    if connection is not None:
        connection.close()
    return None


def versions(connection: Connection) -> tuple[int, int]:
    """Return (whose database it is, its version). Raise ``sqlite3.DatabaseError`` for a file that is no database."""
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return application, version


def read_card(row: tuple[Any, ...]) -> Card:
    """Return the card of a row of COLUMNS."""
    values = list(row)
    for at, is_list in _AT:
        value = values[at]
        values[at] = tuple(str(value).split(SEPARATOR) if value else ()) if is_list else bool(value)
    return Card(*values)


def card_values(card: Card) -> dict[str, object]:
    """Return the card as values of columns, by their names; the opposite of ``read_card``."""
    values = {name: getattr(card, name) for name in Card.fields}
    values.update({name: SEPARATOR.join(values[name]) for name in _LISTS})
    values.update({name: int(values[name]) for name in _TRUTHS})
    return values


def posting(collection: int, term: str) -> str:
    """Return the term as ``postings`` holds it: of its collection, so that no search comes across what another
    holds."""
    return f"{collection}{_HOLDS}{term}"


def read_only_uri(path: str) -> str:
    """Return the address under which SQLite opens the file for reading only."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    quoted = quoted.replace(os.sep, "/")
    return f"file:{quoted if quoted.startswith('/') else '/' + quoted}?mode=ro"
