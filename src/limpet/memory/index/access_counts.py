"""Uses from the event log, counted into the index.

Each kind counts once a session. What was opened or confirmed is an access, and counts only while the entry's own file
does not count it yet. This reads on from where it stopped.
"""

from __future__ import annotations

import sqlite3

from limpet.ground.event_log.read import read_new_events
from limpet.memory.files.audit import COUNTED, accesses
from limpet.memory.index.reading import visible
from limpet.memory.model.evidence import SHOWN, Uses

_ADD = """INSERT INTO uses VALUES (?, ?, ?, ?, ?) ON CONFLICT (id, session, kind)
    DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)"""
# A file that was written after a session's first access counts that session already.
_FOLD = f"""UPDATE cards SET
    accesses = written_accesses + (SELECT count(*) FROM
        (SELECT min(first) AS began FROM uses WHERE id = :id AND kind != '{SHOWN}' GROUP BY session)
        WHERE began > written_access AND began <= :now),
    last_accessed = max(written_access,
        coalesce((SELECT max(last) FROM uses WHERE id = :id AND kind != '{SHOWN}' AND last <= :now), 0))
    WHERE id = :id"""


def read_new_accesses(connection: sqlite3.Connection, shared: str) -> set[str]:
    """Take in what the logs hold beyond what was read; return the ids of the entries that were accessed.

    Reading a line twice changes nothing.
    """
    seen = set()
    offsets = dict(connection.execute("SELECT inode, offset FROM logs"))
    for event in read_new_events(shared, COUNTED, offsets):
        for found, session, kind, at in accesses(event):
            connection.execute(_ADD, (found, session, kind, at, at))
            if kind != SHOWN:
                seen.add(found)
    connection.executemany("INSERT OR REPLACE INTO logs VALUES (?, ?)", offsets.items())
    return seen


def fold_accesses(connection: sqlite3.Connection, name: str, now: float) -> bool:
    """Bring accesses and last access of the entry of this id up to date; return whether any access is known of it."""
    known = "SELECT 1 FROM uses WHERE id = ? AND kind != ? LIMIT 1"
    if not connection.execute(known, (name, SHOWN)).fetchone():
        return False
    connection.execute(_FOLD, {"id": name, "now": now})
    return True


def count_uses(connection: sqlite3.Connection, name: str = "", owners: tuple[str, ...] | None = None) -> Uses:
    """Return the uses of the entry of this id, without one of all entries that these owners have (None: everybody)."""
    seen, values = visible(owners)
    where = "id = ?" if name else f"id IN (SELECT c.id FROM cards c WHERE {seen})"
    values = [name] if name else values
    return Uses(**dict(connection.execute(f"SELECT kind, count(*) FROM uses WHERE {where} GROUP BY 1", values)))


def shown_in(connection: sqlite3.Connection, session: str) -> dict[str, float]:
    """Return id -> when the conversation was shown the entry first."""
    sql = "SELECT id, first FROM uses WHERE session = ? AND kind = ?"
    return dict(connection.execute(sql, (session, SHOWN)))
