"""Flags in the index the entries that cite files which changed since. Git is asked only when a cited file's time or the
citations changed."""

from __future__ import annotations

import os
import sqlite3
import zlib

from holdfast.memory.staleness import find_stale

PATIENCE = 1.0
_CITED = """SELECT c.serial, max(c.created, c.last_evidence), i.path
    FROM citations i JOIN cards c ON c.serial = i.serial WHERE c.state = 'current' ORDER BY c.serial, i.path"""


def flag_stale(connection: sqlite3.Connection, root: str) -> None:
    """Bring the flag of every card up to date; ``root`` is the folder from which entries cite files."""
    cited: dict[str, tuple[list[str], float]] = {}
    for serial, since, path in connection.execute(_CITED):
        cited.setdefault(str(serial), ([], since))[0].append(path)
    seen = _fingerprint(cited, root)
    known = connection.execute("SELECT value FROM facts WHERE name = 'cited'").fetchone()
    if known and known[0] == seen:
        return
    stale = find_stale(cited, root, PATIENCE)
    connection.execute("UPDATE cards SET stale = 0 WHERE stale")
    connection.executemany("UPDATE cards SET stale = 1 WHERE serial = ?", [(int(serial),) for serial in stale])
    connection.execute("INSERT OR REPLACE INTO facts VALUES ('cited', ?)", (seen,))


def _fingerprint(cited: dict[str, tuple[list[str], float]], root: str) -> int:
    paths = sorted({path for paths, _ in cited.values() for path in paths})
    times = [(path, _time(os.path.join(root, path))) for path in paths]
    return zlib.crc32(repr((sorted(cited.items()), times)).encode("utf-8", "replace"))


def _time(path: str) -> float:
    try:
        return os.path.getmtime(path)
    except (OSError, ValueError):
        return -1.0
