"""Vectors of the entries, as rows of half precision in a database beside the index, which they follow by its journal.

Separate from ``semantic``, which searches in them.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from importlib import import_module
from typing import Any

from holdfast.ground.storage.files import OWNER_ONLY, Lock, make_folders
from holdfast.ground.storage.user_folders import is_own_file, project_cache
from holdfast.memory.index.changes import docs_since, last_step, read_generation
from holdfast.memory.index.database import WRITE_PATIENCE, defend, file_uri
from holdfast.memory.index.database_file import has_journal, remove_database
from holdfast.memory.search.encoders import Array, Encoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    State = tuple[str, str, int]

FORM = "2"
# What an entry by itself, after its previous one, and between its neighbours are worth in its row: as the question's
# cosine with each would be added up.
ALONE, AFTER, BETWEEN = 0.3, 0.5, 0.5
_BATCH = 512
_TABLES = (
    "CREATE TABLE vectors (doc INTEGER PRIMARY KEY, digest BLOB NOT NULL, row BLOB NOT NULL)",
    "CREATE TABLE state (encoder TEXT NOT NULL, generation TEXT NOT NULL, step INTEGER NOT NULL)",
)
Progress = Callable[[int, int], None]


def vectors_path(shared: str) -> str:
    """Return the path of the vectors."""
    return os.path.join(project_cache(shared), "memory-vectors.db")


def follow(shared: str, connection: Connection, encoder: Encoder, progress: Progress | None = None) -> None:
    """Encode what changed in the index since the last time; what was encoded once is taken from where it lay.

    ``progress`` is called with (entries done, of how many). Nothing is done where another process is at it.
    """
    path = vectors_path(shared)
    if read_state(shared) == state_of(connection, encoder):
        return
    with Lock(os.path.join(shared, "cache", "locks", "memory-vectors.lock"), 0.0) as held:
        if held:
            try:
                _follow(path, connection, encoder, progress)
            except sqlite3.DatabaseError:
                remove_database(path)
                _follow(path, connection, encoder, progress)


def read_state(shared: str) -> State | None:
    """Return (encoder, generation, step) that the vectors are in step with; None where there are none."""
    try:
        with closing(_open(vectors_path(shared), "ro")) as database:
            found: State | None = database.execute("SELECT encoder, generation, step FROM state").fetchone()
            return found
    except sqlite3.Error:
        return None


def state_of(connection: Connection, encoder: Encoder) -> State:
    """Return the state of vectors that are in step with this index."""
    return f"{encoder.name}/{encoder.dimensions}/{FORM}", read_generation(connection), last_step(connection)


def read_rows(shared: str, dimensions: int) -> tuple[Array, Array]:
    """Return all doc ids and their rows, in the order of the doc ids. Raises sqlite3.Error, ValueError."""
    numpy = import_module("numpy")
    with closing(_open(vectors_path(shared), "ro")) as database:
        found = database.execute("SELECT doc, row FROM vectors ORDER BY doc").fetchall()
    rows = numpy.frombuffer(b"".join(row for _, row in found), dtype="<f2").reshape(len(found), dimensions)
    return numpy.array([doc for doc, _ in found], dtype="int64"), rows


def text_of(agent: str, title: str, excerpt: str) -> str:
    """Return an entry as it is encoded."""
    said = f"{title}\n{excerpt}" if title and excerpt else title or excerpt
    return f"{agent}: {said}" if agent else said


def views(doc: int, texts: dict[int, str]) -> tuple[str, str, str]:
    """Return the texts of the entry alone, after its previous one, and between its neighbours."""
    before = f"{texts[doc - 1]}\n" if doc - 1 in texts else ""
    after = f"\n{texts[doc + 1]}" if doc + 1 in texts else ""
    return texts[doc], before + texts[doc], before + texts[doc] + after


def read_entry_texts(connection: Connection, docs: Iterable[int]) -> dict[int, str]:
    """Return doc id -> text, of those that hold an entry."""
    sql = f"SELECT doc, agent, title, excerpt FROM cards WHERE doc IN ({', '.join(map(str, docs))})"
    return {doc: text_of(*rest) for doc, *rest in connection.execute(sql)}


def _follow(path: str, connection: Connection, encoder: Encoder, progress: Progress | None) -> None:
    make_folders(os.path.dirname(path))
    if not os.path.exists(path):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    with closing(_open(path, "rw")) as database:
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            database.execute("PRAGMA journal_mode=WAL")
            for statement in _TABLES:
                database.execute(statement)
        state = state_of(connection, encoder)
        known = database.execute("SELECT encoder, generation, step FROM state").fetchone()
        if known is None or known[0] != state[0]:
            database.execute("DELETE FROM vectors")
        step = known[2] if known is not None and known[:2] == state[:2] else 0
        changed = sorted({doc + near for doc in docs_since(connection, step) for near in (-1, 0, 1)})
        _encode_changed(database, connection, encoder, changed, step, progress)
        database.execute("DELETE FROM state")
        database.execute("INSERT INTO state VALUES (?, ?, ?)", state)


def _open(path: str, mode: str) -> sqlite3.Connection:
    """Return a connection to a file of the user's that holds tables and nothing else. Raises sqlite3.Error.

    There must be no rollback journal beside it: Holdfast writes none, and SQLite would obey a foreign one.
    """
    if not is_own_file(path) or has_journal(path):
        raise sqlite3.DatabaseError("not a database of Holdfast")
    database = sqlite3.connect(file_uri(path, mode), uri=True, isolation_level=None)
    try:
        defend(database, WRITE_PATIENCE)
        others = "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index') OR rootpage = 0"
        if database.execute(others).fetchone()[0]:
            raise sqlite3.DatabaseError("contains more than tables")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _encode_changed(
    database: sqlite3.Connection,
    connection: Connection,
    encoder: Encoder,
    docs: Sequence[int],
    step: int,
    progress: Progress | None,
) -> None:
    """Encode a batch a transaction, so that hours of work are not lost when it is cut short."""
    rows = {} if step else dict(database.execute("SELECT digest, row FROM vectors"))
    for start in range(0, len(docs), _BATCH):
        part = docs[start : start + _BATCH]
        texts = read_entry_texts(connection, {doc + near for doc in part for near in (-1, 0, 1)})
        seen = {doc: views(doc, texts) for doc in part if doc in texts}
        digests = {doc: hashlib.sha256("\0".join(each).encode()).digest() for doc, each in seen.items()}
        rows.update(_encode(encoder, {digests[doc]: seen[doc] for doc in seen if digests[doc] not in rows}))
        database.execute("BEGIN IMMEDIATE")
        database.executemany("DELETE FROM vectors WHERE doc = ?", [(doc,) for doc in part])
        placed = [(doc, digest, rows[digest]) for doc, digest in digests.items()]
        database.executemany("INSERT INTO vectors VALUES (?, ?, ?)", placed)
        database.execute("COMMIT")
        if progress is not None:
            progress(start + len(part), len(docs))
    if not step:
        database.execute("CREATE TEMP TABLE there (doc INTEGER PRIMARY KEY)")
        database.executemany("INSERT INTO there VALUES (?)", [(doc,) for doc in docs])
        database.execute("DELETE FROM vectors WHERE doc NOT IN (SELECT doc FROM there)")


def _encode(encoder: Encoder, views: dict[bytes, tuple[str, str, str]]) -> dict[bytes, bytes]:
    """Return digest -> row."""
    texts = list(dict.fromkeys(text for each in views.values() for text in each))
    if not texts:
        return {}
    rows: dict[str, Any] = dict(zip(texts, encoder.encode(texts), strict=True))
    return {
        digest: (ALONE * rows[alone] + AFTER * rows[after] + BETWEEN * rows[between]).astype("<f2").tobytes()
        for digest, (alone, after, between) in views.items()
    }
