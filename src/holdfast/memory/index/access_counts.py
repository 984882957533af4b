"""Accesses from the event log, counted into the index.

An access counts once a session, and only while the entry's own file does not count it yet. This reads on from where it
stopped; ``upkeep.accesses`` reads the log whole.
"""

from __future__ import annotations

import sqlite3

from holdfast.ground.event_log.read import read_new_events
from holdfast.memory.files.audit import ACCESSED, accesses

_ADD = """INSERT INTO accesses VALUES (?, ?, ?, ?) ON CONFLICT (id, session)
    DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)"""
# A file that was written after a session's first access counts that session already.
_FOLD = """UPDATE cards SET
    accesses = written_accesses
        + (SELECT count(*) FROM accesses a WHERE a.id = :id AND a.first > written_access AND a.first <= :now),
    last_accessed = max(written_access,
        coalesce((SELECT max(a.last) FROM accesses a WHERE a.id = :id AND a.last <= :now), 0))
    WHERE id = :id"""


def read_new_accesses(connection: sqlite3.Connection, shared: str) -> set[str]:
    """Take in what the logs hold beyond what was read; return the ids of the entries that were accessed.

    Reading a line twice changes nothing.
    """
    seen = set()
    offsets = dict(connection.execute("SELECT inode, offset FROM logs"))
    for event in read_new_events(shared, ACCESSED, offsets):
        for found, session, at in accesses(event):
            connection.execute(_ADD, (found, session, at, at))
            seen.add(found)
    connection.executemany("INSERT OR REPLACE INTO logs VALUES (?, ?)", offsets.items())
    return seen


def fold_accesses(connection: sqlite3.Connection, name: str, now: float) -> bool:
    """Bring accesses and last access of the entry of this id up to date; return whether any access is known of it."""
    if not connection.execute("SELECT 1 FROM accesses WHERE id = ? LIMIT 1", (name,)).fetchone():
        return False
    connection.execute(_FOLD, {"id": name, "now": now})
    return True
