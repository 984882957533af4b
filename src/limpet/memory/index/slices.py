"""The files that the index has not read as they are now, and what a transaction takes in of them.

Every slice looks at its own files again, so that it is right whatever other processes did since they were listed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from heapq import nlargest
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import stamp
from limpet.ground.values import Value
from limpet.memory.files import store
from limpet.memory.files.tree import locate
from limpet.memory.index import knowledge
from limpet.memory.index.filing import join_postings
from limpet.memory.index.indexing import Source, by_name, index_sources, read_sources
from limpet.memory.index.reading import UNREAD, read_unread
from limpet.memory.model.layout import KNOWLEDGE
from limpet.memory.model.results import Refreshed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.storage.files import Stamp

# Files of a transaction: what a killed process loses of its work, and a second or two in which others wait.
SLICE = 1000
# The latest files of many go first: what somebody just wrote is found at once.
LATEST = 50
Progress = Callable[[int, int], None]


class Standing(Value):
    """How far a refresh has come.

    ``generation``: the database in which it works.
    ``paths``: files that are to be looked at, in their order.
    ``files``: how many there are or were in all.
    ``looked``: how many were looked at.
    ``done``: what became of them.
    """

    generation: str = ""
    paths: tuple[str, ...] = ()
    files: int = 0
    looked: int = 0
    done: Refreshed = Refreshed(changed=0, removed=0, total=0, problems=())


def begin(connection: sqlite3.Connection, shared: str, standing: Standing, generation: str) -> Standing:
    """Return the standing with the files that this database has not read as they are."""
    rows = connection.execute("SELECT path, modified, size, inode FROM files")
    known, there = {row[0]: row[1:] for row in rows}, {**dict(store.scan(shared)), **knowledge.scan(shared)}
    removed = sorted(known.keys() - there.keys())
    changed = {path: mark for path, mark in there.items() if known.get(path) != mark}
    return standing.replace(generation=generation, paths=(*removed, *in_order(changed)), files=len(there | known))


def in_order(stamps: Mapping[str, Stamp]) -> list[str]:
    """Return the paths by their names, which begin with their dates; of more than a slice the latest files first."""
    ordered = sorted(stamps, key=by_name)
    if len(ordered) <= SLICE:
        return ordered
    latest = set(nlargest(LATEST, ordered, key=lambda path: (stamps[path][0], by_name(path))))
    return sorted(ordered, key=lambda path: path not in latest)


def take_slice(
    connection: sqlite3.Connection,
    shared: str,
    standing: Standing,
    settings: dict[str, Any],
    now: float,
    is_late: Callable[[], bool],
    progress: Progress | None,
    most: int,
) -> Standing:
    """Take in the next ``most`` files, in the transaction that the connection is in: one of them however late it is,
    and no more once ``is_late``."""
    chosen = standing.paths[:most]
    stamps = {path: _look(shared, path) for path in chosen}
    known = "SELECT modified, size, inode FROM files WHERE path = ?"
    seen = {path: connection.execute(known, (path,)).fetchone() for path in chosen}
    changed = {path: mark for path, mark in stamps.items() if mark and mark != seen[path]}
    waiting = dict.fromkeys(changed)
    removed = [path for path, mark in stamps.items() if mark is None]

    def taken() -> Iterator[Source]:
        """Yield sources until it is late, at least one, take each out of ``waiting`` and tell of it."""
        for looked, source in enumerate(read_sources(shared, changed), standing.looked + 1):
            del waiting[source.path]
            yield source
            if progress is not None:
                progress(looked, standing.looked + len(standing.paths))
            if is_late():
                return

    done = index_sources(connection, shared, taken(), removed, settings, now)
    left = (*waiting, *standing.paths[most:])
    _note_unread(connection, len(left))
    return standing.replace(
        paths=left,
        looked=standing.looked + len(chosen) - len(waiting),
        done=done.replace(
            changed=standing.done.changed + done.changed,
            removed=standing.done.removed + done.removed,
            files=standing.files,
            unread=len(left),
        ),
    )


def _look(shared: str, path: str) -> Stamp | None:
    """Return the file's stamp, None where none is there any more, or a link in its place."""
    if path.startswith(f"{KNOWLEDGE}/"):
        return knowledge.scan(shared).get(path)
    try:
        return stamp(locate(shared, path)[0])
    except LimpetError:
        return None


def _note_unread(connection: sqlite3.Connection, count: int) -> None:
    """Note how many files are left; once there are none, the note goes, and what many slices wrote is joined."""
    if count:
        connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (UNREAD, count))
    elif read_unread(connection):
        connection.execute("DELETE FROM facts WHERE name = ?", (UNREAD,))
        join_postings(connection)
