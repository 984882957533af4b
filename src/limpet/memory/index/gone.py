"""Names of code that a scan of the project found once and finds no more: an entry that is older than that and names one
is stale. A file, because who scans and who keeps the index are two."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import digest
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import read_text, write_atomic
from limpet.memory.index.names import identifiers

GONE = "gone"


def note_gone(shared: str, names: Iterable[str], now: float) -> None:
    """A name keeps the time at which it was first missed. Raise OSError."""
    before = read_gone(shared)
    after = {name: before.get(name, now) for name in names}
    if after != before:
        write_atomic(os.path.join(shared, GONE), dumps(after), follow=False)


def read_gone(shared: str) -> dict[str, float]:
    """Name -> when it was missed, in seconds since 1970."""
    found = read_object(read_text(os.path.join(shared, GONE), STATE_BYTES))
    return {name: at for name, at in found.items() if isinstance(at, (int, float))}


def has_changed(connection: sqlite3.Connection, gone: Mapping[str, float]) -> bool:
    """Whether it is another list than at the last time; note it."""
    seen = digest(dumps(dict(gone))) if gone else ""
    known = connection.execute("SELECT value FROM facts WHERE name = ?", (GONE,)).fetchone()
    if seen == (known[0] if known else ""):
        return False
    connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (GONE, seen))
    return True


def find_naming(connection: sqlite3.Connection, gone: Mapping[str, float]) -> set[int]:
    """The cards that name one and are older."""
    rows = connection.execute("SELECT serial, max(created, last_evidence), title, excerpt FROM cards") if gone else ()
    found = set()
    for serial, written, title, excerpt in rows:
        named = (name.removesuffix("(") for name in identifiers(f"{title} {excerpt}"))
        if any(gone.get(name.rpartition(".")[2], 0.0) > written for name in named):
            found.add(int(serial))
    return found
