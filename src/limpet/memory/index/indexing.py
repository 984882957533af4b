"""Entries' files taken into the index, with what follows: counts, accesses, stale flags. ``sync`` says when."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from limpet.ground.config.defaults import CACHE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import event_data, moment_of, read_new_events
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.storage.files import UNRELIABLE, Stamp, is_larger, is_reliable, read_bytes, stamp
from limpet.ground.trust.consent import root_of
from limpet.ground.values import Value
from limpet.learning.briefing import headline
from limpet.learning.model import ACTIVE, ANTI_PATTERN, CONTRADICT, FILES, PROCEDURE, KnowledgeEntry, is_contested
from limpet.learning.stores import read_entries
from limpet.memory.files.codec import read_entry_text
from limpet.memory.files.evidence import ADDED, WORDED
from limpet.memory.files.reviewed import Look, as_reviewed, read_reviewed
from limpet.memory.files.store import COUNTED, accesses
from limpet.memory.files.verify import verify_text
from limpet.memory.index.filing import Filing, update_scores
from limpet.memory.index.gone import read_gone
from limpet.memory.index.reading import visible_rows
from limpet.memory.index.records import make_record
from limpet.memory.index.staleness import flag_stale
from limpet.memory.model.attention import ACCESS_MOST, ACCESS_STEP
from limpet.memory.model.entry import DURABLE, KEEP_LESS, LARGEST, ROLE, MemoryEntry
from limpet.memory.model.ids import ALIAS
from limpet.memory.model.layout import KNOWLEDGE, OF_ENTRY, full_path, read_place
from limpet.memory.model.results import CONTRADICTED, SAID, SHOWN, MemoryEvidence, MemoryProblem, Refreshed, Uses

PATHS = {f"{KNOWLEDGE}/{name}": kind for kind, name in FILES.items()}
CONTESTED = "contested"
SECTORS = {ANTI_PATTERN: "reflective", PROCEDURE: "procedural"}
# Until when an entry held that is not in force.
OVER = "1970-01-02T00:00:00Z"
_ADD = """INSERT INTO uses VALUES (?, ?, ?, ?, ?) ON CONFLICT (id, session, kind)
    DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)"""
_WORDS = """INSERT INTO words VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET says = excluded.says, at = excluded.at WHERE excluded.at >= at"""
# A file that was written after a session's first access counts that session already.
_FOLD = f"""UPDATE cards SET
    accesses = written_accesses + (SELECT count(*) FROM
        (SELECT min(first) AS began FROM uses WHERE id = :id AND kind != '{SHOWN}' GROUP BY session)
        WHERE began > written_access AND began <= :now),
    last_accessed = max(written_access,
        coalesce((SELECT max(last) FROM uses WHERE id = :id AND kind != '{SHOWN}' AND last <= :now), 0))
    WHERE id = :id"""


class IndexSource(Value):
    """A file as the index reads it, with neither entries nor problems where it is gone meanwhile. ``path`` is from
    ``memories/``, or one of the knowledge, whose files have many ``entries`` (path -> entry)."""

    path: str
    stamp: Stamp
    entries: Mapping[str, MemoryEntry]
    problems: tuple[MemoryProblem, ...] = ()


def read_index_sources(shared: str, stamps: Mapping[str, Stamp]) -> Iterator[IndexSource]:
    """Yield the files in the order in which they are given. A stamp so fresh that an edit could repeat it is not kept,
    so that the file is read once more next time."""
    for path, seen in stamps.items():
        mark = seen if is_reliable(seen, time.time_ns()) else UNRELIABLE
        full = full_path(shared, path)
        raw = read_bytes(full, CACHE_BYTES)
        if raw is None and is_larger(full, CACHE_BYTES):
            what = f"File is larger than {CACHE_BYTES // 2**20} MB and is ignored"
            yield IndexSource(path, mark, {}, (MemoryProblem(path, 0, what, KEEP_LESS),))
        else:
            yield IndexSource(path, mark, {}) if raw is None else _read(path, mark, raw)


def by_name(path: str) -> tuple[str, str]:
    return path.rpartition("/")[2], path


def index_sources(
    connection: sqlite3.Connection,
    shared: str,
    sources: Iterable[IndexSource],
    removed: Iterable[str],
    settings: dict[str, Any],
    now: float,
) -> Refreshed:
    """Put the sources in and take the removed paths out, in the transaction that the connection is in."""
    filing = Filing(connection, settings)
    gone = list(removed)
    for path in gone:
        _forget(connection, filing, path)
    secrets, looks = read_secrets(root_of(shared)), read_reviewed(shared)
    changed = sum(_index_one(connection, filing, source, secrets, looks) for source in sources)
    filing.settle()
    _count_accesses(connection, shared, set(filing.fresh.values()), settings, now)
    flag_stale(connection, root_of(shared), filing.fresh, read_gone(shared))
    total = connection.execute(
        "SELECT coalesce(sum(entries), 0) FROM collections WHERE state != ?", (KNOWLEDGE,)
    ).fetchone()[0]
    rows = connection.execute("SELECT path, line, what, mend FROM problems ORDER BY path, line")
    problems = tuple(MemoryProblem(*row) for row in rows)
    return Refreshed(changed=changed, removed=len(gone), total=total, problems=problems)


def scan_sources(shared: str) -> dict[str, Stamp]:
    marks = {path: stamp(full_path(shared, path)) for path in PATHS}
    return {path: mark for path, mark in marks.items() if mark is not None}


def read_indexed(path: str, raw: bytes) -> tuple[dict[str, MemoryEntry], tuple[MemoryProblem, ...]]:
    try:
        found, mistakes = read_entries(PATHS[path], raw.decode(), path)
    except (LimpetError, UnicodeDecodeError):
        return {}, (MemoryProblem(path, 0, "Unreadable", "Run: limpet learn consolidate --dry-run"),)
    problems = tuple(MemoryProblem(path, 0, str(mistake), "") for mistake in mistakes)
    return {f"{path}{OF_ENTRY}{entry.id}": as_memory(entry) for entry in found}, problems


def as_memory(entry: KnowledgeEntry) -> MemoryEntry:
    """What makes an entry of the knowledge doubtful stands in its title, since that is what lists tell."""
    return MemoryEntry(
        id=entry.id,
        type=entry.kind,
        title=headline(entry, is_contested(entry.evidence)),
        body="\n\n".join(filter(None, (entry.failure_mode, *(f"- {one}" for one in entry.guidance)))),
        tags=(
            *dict.fromkeys((*entry.categories, *entry.tags)),
            *(f"{ALIAS}{one}" for one in entry.aliases),
            *(f"{ROLE}{one}" for one in entry.roles),
            *((CONTESTED,) if is_contested(entry.evidence) else ()),
        ),
        confidence=entry.confidence,
        sector=SECTORS.get(entry.kind, "semantic"),
        storage=DURABLE,
        created_at=entry.created,
        evidence_count=entry.source_count,
        evidence=tuple(
            MemoryEvidence(each.at, CONTRADICTED if each.effect == CONTRADICT else SAID) for each in entry.evidence
        ),
        source=entry.source,
        valid_until="" if entry.status == ACTIVE else OVER,
    )


def read_new_accesses(connection: sqlite3.Connection, shared: str) -> set[str]:
    """Return the ids of the entries that were accessed since. Reading a line twice changes nothing."""
    seen = set()
    offsets = dict(connection.execute("SELECT inode, offset FROM logs"))
    for event in read_new_events(shared, (*COUNTED, *WORDED), offsets):
        data = event_data(event)
        if "says" in data or event["kind"] == ADDED:
            told = (str(data.get("memory")), str(data.get("says") or ""), moment_of(event))
            connection.execute(_WORDS, told)
        if event["kind"] not in COUNTED:
            continue
        for found, session, kind, at in accesses(event):
            connection.execute(_ADD, (found, session, kind, at, at))
            if kind != SHOWN:
                seen.add(found)
    connection.executemany("INSERT OR REPLACE INTO logs VALUES (?, ?)", offsets.items())
    return seen


def fold_accesses(connection: sqlite3.Connection, name: str, now: float) -> bool:
    """Bring accesses and last access of the entry up to date; return whether any access is known of it."""
    known = "SELECT 1 FROM uses WHERE id = ? AND kind != ? LIMIT 1"
    if not connection.execute(known, (name, SHOWN)).fetchone():
        return False
    connection.execute(_FOLD, {"id": name, "now": now})
    return True


def count_uses(connection: sqlite3.Connection, name: str = "", owners: tuple[str, ...] | None = None) -> Uses:
    seen, values = visible_rows(owners)
    where = "id = ?" if name else f"id IN (SELECT c.id FROM cards c WHERE {seen})"
    values = [name] if name else values
    return Uses(**dict(connection.execute(f"SELECT kind, count(*) FROM uses WHERE {where} GROUP BY 1", values)))


def shown_in(connection: sqlite3.Connection, session: str) -> dict[str, float]:
    sql = "SELECT id, first FROM uses WHERE session = ? AND kind = ?"
    return dict(connection.execute(sql, (session, SHOWN)))


def _read(path: str, mark: Stamp, raw: bytes) -> IndexSource:
    if path.startswith(f"{KNOWLEDGE}/"):
        return IndexSource(path, mark, *read_indexed(path, raw))
    try:
        if len(raw) <= LARGEST:
            return IndexSource(path, mark, {path: read_entry_text(raw.decode(), path)})
    except (LimpetError, UnicodeDecodeError):
        pass
    unreadable = MemoryProblem(path, 0, "Unreadable entry", "Run: limpet memory upkeep --check")
    return IndexSource(path, mark, {}, tuple(verify_text(path, raw)) or (unreadable,))


def _index_one(
    connection: sqlite3.Connection,
    filing: Filing,
    source: IndexSource,
    secrets: frozenset[str],
    looks: Mapping[str, Look],
) -> bool:
    _forget(connection, filing, source.path)
    if not source.entries and not source.problems:
        return False
    connection.execute("INSERT INTO files VALUES (?, ?, ?, ?)", (source.path, *source.stamp))
    problems = [(each.path, each.line, each.what, each.hint) for each in source.problems]
    connection.executemany("INSERT INTO problems VALUES (?, ?, ?, ?)", problems)
    place = read_place(source.path)
    if place is not None:
        for path, entry in source.entries.items():
            filing.put(make_record(path, *as_reviewed(place, entry, looks), secrets))
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
    """Time-free scores follow from accesses, and from figures that may have changed."""
    accessed = ids | read_new_accesses(connection, shared)
    counted = {name for name in accessed if fold_accesses(connection, name, now)}
    seen = repr([settings["half_life_days"], ACCESS_STEP, ACCESS_MOST])
    known = connection.execute("SELECT value FROM facts WHERE name = 'settings'").fetchone()
    if known is not None and known[0] != seen:
        update_scores(connection, settings, "1", ())
    for name in sorted(counted):
        update_scores(connection, settings, "c.id = ?", (name,))
    connection.execute("INSERT OR REPLACE INTO facts VALUES ('settings', ?)", (seen,))
