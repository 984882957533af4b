"""Sources taken into the index, with what follows from them: counts, accesses, stale flags. ``sync`` says when."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from holdfast.ground.safety.dotenv import read_secrets
from holdfast.memory.index.access_counts import fold_accesses, read_new_accesses
from holdfast.memory.index.filing import Filing, update_scores
from holdfast.memory.index.records import make_record
from holdfast.memory.index.sources import Source
from holdfast.memory.index.stale_flags import flag_stale
from holdfast.memory.model.layout import read_place
from holdfast.memory.model.problem import Problem
from holdfast.memory.model.results import Refreshed

_SCORE_SETTINGS = ("half_life_days", "access_step", "access_most")


def index_sources(
    connection: sqlite3.Connection,
    shared: str,
    sources: Iterable[Source],
    removed: Iterable[str],
    settings: dict[str, Any],
    now: float,
    everything: bool = True,
) -> Refreshed:
    """Put the sources in and take the removed paths out, in the transaction that the connection is in.

    With ``everything`` other entries too are checked for files that changed since.
    """
    filing = Filing(connection, settings)
    gone = sum(_forget(connection, filing, path) for path in removed)
    secrets = read_secrets(Path(os.path.dirname(shared)))
    changed = sum(_index_one(connection, filing, source, secrets) for source in sources)
    filing.settle()
    _count_accesses(connection, shared, set(filing.fresh.values()), settings, now)
    flag_stale(connection, os.path.dirname(shared), filing.fresh, everything)
    total = connection.execute("SELECT coalesce(sum(entries), 0) FROM collections").fetchone()[0]
    return Refreshed(changed=changed, removed=gone, total=total, problems=read_problems(connection))


def read_problems(connection: sqlite3.Connection) -> tuple[Problem, ...]:
    """Return the files that could not be read, by path and line."""
    rows = connection.execute("SELECT path, line, what, mend FROM problems ORDER BY path, line")
    return tuple(Problem(*row) for row in rows)


def _index_one(connection: sqlite3.Connection, filing: Filing, source: Source, secrets: frozenset[str]) -> bool:
    """Put in what was read; return whether there was anything."""
    _forget(connection, filing, source.path)
    if source.entry is None and not source.problems:
        return False
    connection.execute("INSERT INTO files VALUES (?, ?, ?, ?)", (source.path, *source.stamp))
    problems = [(each.path, each.line, each.what, each.hint) for each in source.problems]
    connection.executemany("INSERT INTO problems VALUES (?, ?, ?, ?)", problems)
    place = read_place(source.path)
    if source.entry is not None and place is not None:
        filing.put(make_record(source.path, place, source.entry, secrets))
    return True


def _forget(connection: sqlite3.Connection, filing: Filing, path: str) -> bool:
    filing.remove(path)
    for table in ("files", "problems"):
        connection.execute(f"DELETE FROM {table} WHERE path = ?", (path,))
    return True


def _count_accesses(
    connection: sqlite3.Connection, shared: str, ids: set[str], settings: dict[str, Any], now: float
) -> None:
    """Fold the log in; time-free scores follow from accesses, and from settings that may have changed."""
    accessed = ids | read_new_accesses(connection, shared)
    counted = {name for name in accessed if fold_accesses(connection, name, now)}
    seen = repr([settings[name] for name in _SCORE_SETTINGS])
    known = connection.execute("SELECT value FROM facts WHERE name = 'settings'").fetchone()
    if known is not None and known[0] != seen:
        update_scores(connection, settings, "1", ())
    for name in sorted(counted):
        update_scores(connection, settings, "c.id = ?", (name,))
    connection.execute("INSERT OR REPLACE INTO facts VALUES ('settings', ?)", (seen,))
