"""The index's database: where it lies, how it is opened for reading, and how its rows become cards. Apart from
``reading``, because the writer needs the same words."""

from __future__ import annotations

import os
import sys

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
# An entry's seat: its conversation's number, then its position in it; so neighbours are next to each other. Two places
# are left free at the beginning, so that what lies beside the first entry is no other conversation's.
POSITIONS, FIRST = 20, 2
# What separates the tags, flags and fields in a column.
SEPARATOR = "\n"
# What stands in ``postings`` between a collection's number and a term.
_HOLDS = "\u00a7"

_LISTS = ("tags", "flags")
_TRUTHS = ("pinned", "stale", "resolved")
_AT = tuple((Card.fields.index(name), name in _LISTS) for name in (*_LISTS, *_TRUTHS))
# Columns of ``cards`` c, in the order of Card's fields.
COLUMNS = ", ".join(f"c.{name}" for name in Card.fields)


def database_path(shared: str) -> str:
    """The database's path; ``shared`` is the ``.holdfast`` of the main worktree."""
    return os.path.join(shared, "cache", NAME)


def is_led_astray(shared: str) -> bool:
    """Whether the database's folder or the file itself is a link, which a clone may bring and nobody follows."""
    path = database_path(shared)
    return os.path.islink(os.path.dirname(path)) or os.path.islink(path)


def open_database(path: str) -> Connection | None:
    """A read-only connection, None where there is no sound database of this version."""
    if not os.path.isfile(path):
        return None
    connection: Connection | None = None
    _sqlite3 = _load_sqlite()
    try:
        connection = _sqlite3.connect(_uri(path), timeout=PATIENCE, uri=True, isolation_level=None)
        if versions(connection) == (APPLICATION, VERSION):
            return connection
    except _sqlite3.Error:
        pass
    if connection is not None:
        connection.close()
    return None


def _load_sqlite() -> Any:
    """The C module. In a bare process without ``functools``: it wants ``lru_cache`` for statements that are used again,
    which in the hook's few milliseconds none is, and importing that costs it more than all the rest."""
    kept = sys.modules.get("functools")
    if kept is None and "_sqlite3" not in sys.modules:
        stand_in: Any = type(sys)("functools")
        stand_in.lru_cache = lambda most: lambda make: make
        sys.modules["functools"] = stand_in
    try:
        import _sqlite3
    finally:
        if kept is None:
            sys.modules.pop("functools", None)
    return _sqlite3


def versions(connection: Connection) -> tuple[int, int]:
    """Whose database it is and of which version. Raises ``sqlite3.DatabaseError`` for what is none."""
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return application, version


def read_card(row: tuple[Any, ...]) -> Card:
    """The card of a row of COLUMNS."""
    values = list(row)
    for at, is_list in _AT:
        value = values[at]
        values[at] = tuple(str(value).split(SEPARATOR) if value else ()) if is_list else bool(value)
    return Card(*values)


def card_values(card: Card) -> dict[str, object]:
    """The card as values of columns, by their names; the opposite of ``read_card``."""
    values = {name: getattr(card, name) for name in Card.fields}
    values.update({name: SEPARATOR.join(values[name]) for name in _LISTS})
    values.update({name: int(values[name]) for name in _TRUTHS})
    return values


def posting(collection: int, term: str) -> str:
    """The term as ``postings`` holds it: of its collection, so that no search comes across what another holds."""
    return f"{collection}{_HOLDS}{term}"


def _uri(path: str) -> str:
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23").replace("\\", "/")
    return f"file:{quoted if quoted.startswith('/') else '/' + quoted}?mode=ro"
