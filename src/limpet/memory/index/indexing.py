"""Entries' files taken into the index, with what follows: counts, accesses, stale flags. ``sync`` says when."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from limpet.ground.config.defaults import CACHE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.storage.files import UNRELIABLE, is_larger, is_reliable, read_bytes
from limpet.ground.values import Value
from limpet.memory.files.codec import read_entry_text
from limpet.memory.files.verify import verify_text
from limpet.memory.index import knowledge
from limpet.memory.index.access_counts import fold_accesses, read_new_accesses
from limpet.memory.index.filing import Filing, update_scores
from limpet.memory.index.records import make_record
from limpet.memory.index.staleness import flag_stale
from limpet.memory.model.entry import KEEP_LESS, LARGEST, Entry
from limpet.memory.model.layout import KNOWLEDGE, OF_ENTRY, full_path, read_place
from limpet.memory.model.results import Problem, Refreshed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.storage.files import Stamp

_SCORE_SETTINGS = ("half_life_days", "access_step", "access_most")


class Source(Value):
    """A file as the index reads it. It has neither entries nor problems where it is gone meanwhile.

    ``path`` is from ``memories/``, or one of the knowledge.
    ``entries``: path -> entry; one file of the knowledge has many.
    """

    path: str
    stamp: Stamp
    entries: Mapping[str, Entry]
    problems: tuple[Problem, ...] = ()


def read_sources(shared: str, stamps: Mapping[str, Stamp]) -> Iterator[Source]:
    """Yield the files in the order in which they are given.

    A stamp so fresh that an edit could repeat it is not kept, so that the file is read once more next time.
    """
    for path, seen in stamps.items():
        mark = seen if is_reliable(seen, time.time_ns()) else UNRELIABLE
        full = full_path(shared, path)
        raw = read_bytes(full, CACHE_BYTES)
        if raw is None and is_larger(full, CACHE_BYTES):
            what = f"File is larger than {CACHE_BYTES // 2**20} MB and is ignored"
            yield Source(path, mark, {}, (Problem(path, 0, what, KEEP_LESS),))
        else:
            yield Source(path, mark, {}) if raw is None else _read(path, mark, raw)


def by_name(path: str) -> tuple[str, str]:
    """Return the key that puts files in the order of their names, which begin with their dates."""
    return path.rpartition("/")[2], path


def index_sources(
    connection: sqlite3.Connection,
    shared: str,
    sources: Iterable[Source],
    removed: Iterable[str],
    settings: dict[str, Any],
    now: float,
) -> Refreshed:
    """Put the sources in and take the removed paths out, in the transaction that the connection is in."""
    filing = Filing(connection, settings)
    gone = list(removed)
    for path in gone:
        _forget(connection, filing, path)
    secrets = read_secrets(os.path.dirname(shared))
    changed = sum(_index_one(connection, filing, source, secrets) for source in sources)
    filing.settle()
    _count_accesses(connection, shared, set(filing.fresh.values()), settings, now)
    flag_stale(connection, os.path.dirname(shared), filing.fresh)
    total = connection.execute(
        "SELECT coalesce(sum(entries), 0) FROM collections WHERE state != ?", (KNOWLEDGE,)
    ).fetchone()[0]
    rows = connection.execute("SELECT path, line, what, mend FROM problems ORDER BY path, line")
    problems = tuple(Problem(*row) for row in rows)
    return Refreshed(changed=changed, removed=len(gone), total=total, problems=problems)


def _read(path: str, mark: Stamp, raw: bytes) -> Source:
    if path.startswith(f"{KNOWLEDGE}/"):
        return Source(path, mark, *knowledge.read(path, raw))
    try:
        if len(raw) <= LARGEST:
            return Source(path, mark, {path: read_entry_text(raw.decode(), path)})
    except (LimpetError, UnicodeDecodeError):
        pass
    unreadable = Problem(path, 0, "Unreadable entry", "Run: limpet memory upkeep --check")
    return Source(path, mark, {}, tuple(verify_text(path, raw)) or (unreadable,))


def _index_one(connection: sqlite3.Connection, filing: Filing, source: Source, secrets: frozenset[str]) -> bool:
    """Put in what was read; return whether there was anything."""
    _forget(connection, filing, source.path)
    if not source.entries and not source.problems:
        return False
    connection.execute("INSERT INTO files VALUES (?, ?, ?, ?)", (source.path, *source.stamp))
    problems = [(each.path, each.line, each.what, each.hint) for each in source.problems]
    connection.executemany("INSERT INTO problems VALUES (?, ?, ?, ?)", problems)
    place = read_place(source.path)
    if place is not None:
        for path, entry in source.entries.items():
            filing.put(make_record(path, place, entry, secrets))
    return True


def _forget(connection: sqlite3.Connection, filing: Filing, path: str) -> None:
    filing.remove(path)
    if path.startswith(f"{KNOWLEDGE}/"):
        for (held,) in connection.execute(
            "SELECT path FROM cards WHERE path GLOB ?", (f"{path}{OF_ENTRY}*",)
        ).fetchall():
            filing.remove(held)
    for table in ("files", "problems"):
        connection.execute(f"DELETE FROM {table} WHERE path = ?", (path,))


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
