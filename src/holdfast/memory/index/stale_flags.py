"""Flags in the index for entries that cite files which changed since.

Only new entries are judged, and those that cite a file with another time than when it was last looked at.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable

from holdfast.memory.index.citations import resolve_citations
from holdfast.memory.index.staleness import find_stale

PATIENCE = 1.0
_NEVER = -1.0
_CITED = """SELECT c.serial, max(c.created, c.last_evidence), i.path FROM citations i CROSS JOIN cards c
    ON c.serial = i.serial WHERE i.serial = ? AND c.state = 'current'"""


def flag_stale(connection: sqlite3.Connection, root: str, serials: Iterable[int], everything: bool) -> None:
    """Bring the flags of these cards up to date, with ``everything`` those of all cards whose cited files changed.

    ``root`` is the folder from which entries cite files.
    """
    fresh = set(serials)
    _resolve(connection, root, fresh)
    judged = fresh | (_touched(connection, root) if everything else set())
    cited: dict[str, tuple[list[str], float]] = {}
    for serial in sorted(judged):
        for _, since, path in connection.execute(_CITED, (serial,)):
            cited.setdefault(str(serial), ([], since))[0].append(path)
    stale = find_stale(cited, root, PATIENCE) if cited else {}
    flags = [(str(serial) in stale, serial) for serial in judged]
    connection.executemany("UPDATE cards SET stale = ? WHERE serial = ?", flags)


def _resolve(connection: sqlite3.Connection, root: str, serials: Iterable[int]) -> None:
    """Put the files that these cards cite in the place of the paths that they give; what cites no file goes."""
    find = "SELECT DISTINCT path FROM citations WHERE serial = ?"
    given = [(path, serial) for serial in serials for (path,) in connection.execute(find, (serial,))]
    files = resolve_citations(root, {path for path, _ in given})
    moved = [(files[path], path, serial) for path, serial in given if files[path] not in ("", path)]
    gone = [(path, serial) for path, serial in given if not files[path]]
    connection.executemany("UPDATE citations SET path = ? WHERE path = ? AND serial = ?", moved)
    connection.executemany("DELETE FROM citations WHERE path = ? AND serial = ?", gone)


def _touched(connection: sqlite3.Connection, root: str) -> set[int]:
    """Return the cards that cite a file with another time than when it was last looked at."""
    known = dict(connection.execute("SELECT path, modified FROM cited_files"))
    paths = [path for (path,) in connection.execute("SELECT DISTINCT path FROM citations")]
    times = {path: _time(os.path.join(root, path)) for path in paths}
    changed = [path for path in paths if times[path] != known.get(path)]
    connection.executemany(
        "INSERT OR REPLACE INTO cited_files VALUES (?, ?)", [(path, times[path]) for path in changed]
    )
    gone = [(path,) for path in known if path not in times]
    connection.executemany("DELETE FROM cited_files WHERE path = ?", gone)
    citing = "SELECT serial FROM citations WHERE path = ?"
    return {serial for path in changed for (serial,) in connection.execute(citing, (path,))}


def _time(path: str) -> float:
    try:
        return os.path.getmtime(path)
    except (OSError, ValueError):
        return _NEVER
