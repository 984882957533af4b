"""Which seats of the index changed, so that what is derived from it can follow without reading it whole. Apart from
``tables``, because only the optional extras look at it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

# Each seat stands in the journal once, at its last step; a new database is another generation, with a journal of all.
_NOTE = "DELETE FROM journal WHERE seat = {0}; INSERT INTO journal (seat) VALUES ({0});"
_OLD, _NEW = _NOTE.format("old.seat"), _NOTE.format("new.seat")

STATEMENTS = (
    "CREATE TABLE journal (step INTEGER PRIMARY KEY AUTOINCREMENT, seat INTEGER NOT NULL UNIQUE)",
    f"CREATE TRIGGER seat_filled AFTER INSERT ON texts WHEN new.seat >= 0 BEGIN {_NEW} END",
    f"CREATE TRIGGER seat_left AFTER DELETE ON texts WHEN old.seat >= 0 BEGIN {_OLD} END",
    f"CREATE TRIGGER seat_moved_to AFTER UPDATE OF seat ON texts WHEN new.seat >= 0 BEGIN {_NEW} END",
    f"CREATE TRIGGER seat_moved_from AFTER UPDATE OF seat ON texts WHEN old.seat >= 0 BEGIN {_OLD} END",
    "CREATE TABLE generation (name TEXT NOT NULL)",
    "INSERT INTO generation VALUES (lower(hex(randomblob(16))))",
)


def read_generation(connection: Connection) -> str:
    """The name that this database was given when it was made."""
    return str(connection.execute("SELECT name FROM generation").fetchone()[0])


def last_step(connection: Connection) -> int:
    """The step of the latest change, 0 for none."""
    return int(connection.execute("SELECT coalesce(max(step), 0) FROM journal").fetchone()[0])


def seats_since(connection: Connection, step: int) -> list[int]:
    """The seats whose text came, changed or went after this step."""
    return [seat for (seat,) in connection.execute("SELECT seat FROM journal WHERE step > ?", (step,))]
