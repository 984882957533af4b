"""Access events of the log, folded into the index: an access counts once a session, and only while the entry's own file
does not count it yet.

This reads on from where it stopped; ``upkeep.accesses`` reads the log whole.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator

from holdfast.ground.formats.json_text import loads
from holdfast.ground.timestamps import seconds_of
from holdfast.memory.files.audit import ACCESSED

_MARK = ACCESSED.encode()
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
    for path in _logs(os.path.join(shared, "events")):
        for found, session, moment in _read_log(connection, path):
            connection.execute(_ADD, (found, session, moment, moment))
            seen.add(found)
    return seen


def fold_accesses(connection: sqlite3.Connection, name: str, now: float) -> bool:
    """Bring accesses and last access of the entry of this id up to date; return whether any access is known of it."""
    if not connection.execute("SELECT 1 FROM accesses WHERE id = ? LIMIT 1", (name,)).fetchone():
        return False
    connection.execute(_FOLD, {"id": name, "now": now})
    return True


def _logs(folder: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names if ".jsonl" in name]


def _read_log(connection: sqlite3.Connection, path: str) -> Iterator[tuple[str, str, float]]:
    """Yield the accesses of whole lines that were not read yet; a rotated file is known by its inode."""
    try:
        with open(path, "rb") as file:
            about = os.fstat(file.fileno())
            row = connection.execute("SELECT offset FROM logs WHERE inode = ?", (about.st_ino,)).fetchone()
            start = row[0] if row and row[0] <= about.st_size else 0
            file.seek(start)
            lines = file.read().splitlines(keepends=True) if about.st_size > start else []
    except OSError:
        return
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()
    for line in lines:
        if _MARK in line:
            yield from _accesses(line)
    end = start + sum(map(len, lines))
    connection.execute("INSERT OR REPLACE INTO logs VALUES (?, ?)", (about.st_ino, end))


def _accesses(line: bytes) -> Iterator[tuple[str, str, float]]:
    try:
        event = loads(line.decode("utf-8", "replace"))
    except ValueError:  # a line that a full disk cut off
        return
    if not isinstance(event, dict) or event.get("kind") != ACCESSED or not isinstance(event.get("data"), dict):
        return
    moment, ids = seconds_of(event.get("time")), event["data"].get("ids")
    for found in ids if isinstance(ids, list) and moment else ():
        yield str(found), str(event.get("session") or ""), moment
