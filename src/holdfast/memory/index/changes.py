"""The journal of changed doc ids, by which what is derived from the index follows it without reading all of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

# Each doc id stands in the journal once, at its last step, so that it does not grow with every change. Triggers write
# it, so that no writer can forget to. A new database is another generation, with a journal of all its entries.
_NOTE = "DELETE FROM journal WHERE doc = {0}; INSERT INTO journal (doc) VALUES ({0});"
_OLD, _NEW = _NOTE.format("old.doc"), _NOTE.format("new.doc")

STATEMENTS = (
    "CREATE TABLE journal (step INTEGER PRIMARY KEY AUTOINCREMENT, doc INTEGER NOT NULL UNIQUE)",
    f"CREATE TRIGGER doc_added AFTER INSERT ON texts WHEN new.doc >= 0 BEGIN {_NEW} END",
    f"CREATE TRIGGER doc_removed AFTER DELETE ON texts WHEN old.doc >= 0 BEGIN {_OLD} END",
    f"CREATE TRIGGER doc_renumbered_to AFTER UPDATE OF doc ON texts WHEN new.doc >= 0 BEGIN {_NEW} END",
    f"CREATE TRIGGER doc_renumbered_from AFTER UPDATE OF doc ON texts WHEN old.doc >= 0 BEGIN {_OLD} END",
    "CREATE TABLE generation (name TEXT NOT NULL)",
    "INSERT INTO generation VALUES (lower(hex(randomblob(16))))",
)


def read_generation(connection: Connection) -> str:
    """Return the name that this database was given when it was made."""
    return str(connection.execute("SELECT name FROM generation").fetchone()[0])


def last_step(connection: Connection) -> int:
    """Return the step of the latest change, 0 for none."""
    return int(connection.execute("SELECT coalesce(max(step), 0) FROM journal").fetchone()[0])


def docs_since(connection: Connection, step: int) -> list[int]:
    """Return the doc ids whose text came, changed or went after this step."""
    return [doc for (doc,) in connection.execute("SELECT doc FROM journal WHERE step > ?", (step,))]
