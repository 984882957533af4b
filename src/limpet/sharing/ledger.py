"""What this machine knows of a store: every revision that it believed, as it was sent, and for each entry what its file
here said when both were last the same. One database, so that a kill leaves all of a step or nothing."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.storage.durable import make_folder
from limpet.ground.values import Value
from limpet.sharing.revision import Revision, decode

_TABLES = """
CREATE TABLE IF NOT EXISTS revisions (id TEXT PRIMARY KEY, name TEXT UNIQUE, writer TEXT, number INT, store TEXT,
    entry TEXT, parents TEXT, mark TEXT, plain BLOB, sealed BLOB, checksum TEXT, sent INT);
CREATE INDEX IF NOT EXISTS by_entry ON revisions (store, entry);
CREATE INDEX IF NOT EXISTS by_writer ON revisions (writer, number);
CREATE INDEX IF NOT EXISTS unsent ON revisions (sent) WHERE sent = 0;
CREATE TABLE IF NOT EXISTS bases (store TEXT, entry TEXT, heads TEXT, mark TEXT, path TEXT, modified INT, size INT,
    inode INT, PRIMARY KEY (store, entry));
CREATE INDEX IF NOT EXISTS by_path ON bases (store, path);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT);
"""
_LINE = "id, parents FROM revisions"
WRITER = "writer"
"""The fact that says under which name this machine writes."""


class Base(Value):
    """An entry as its file and the store last agreed on it. ``mark``: of what the file said (``Said.mark``).
    ``path``: of the file, "" for none; ``stamp``: its, by which an unchanged one is passed over."""

    entry: str
    heads: tuple[str, ...] = ()
    mark: str = ""
    path: str = ""
    stamp: tuple[int, int, int] = (0, 0, 0)


class Ledger:
    def __init__(self, path: str) -> None:
        self.path = path
        make_folder(os.path.dirname(path))
        try:
            self._rows = sqlite3.connect(path, isolation_level=None)
            self._rows.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_TABLES}")
        except sqlite3.Error as error:
            raise damaged(error, path) from None

    def close(self) -> None:
        self._rows.close()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """All of it is kept, or nothing. Raise LimpetError where the disk refuses."""
        try:
            self._rows.execute("BEGIN IMMEDIATE")
            yield
            self._rows.execute("COMMIT")
        except sqlite3.Error as error:
            what = f"Cannot write the record of what was synchronized ({error})"
            raise LimpetError(what, hint="Nothing was lost. Try again.") from None
        finally:
            if self._rows.in_transaction:
                self._rows.execute("ROLLBACK")

    def fact(self, name: str) -> str:
        row = self._rows.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def note(self, name: str, value: str) -> None:
        self._rows.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def add(self, revision: Revision, plain: bytes, sealed: bytes, checksum: str, sent: bool) -> None:
        said = (revision.id, revision.name, revision.writer, revision.number, revision.store, revision.entry)
        parents = json.dumps(revision.parents)
        values = (*said, parents, revision.said.mark, plain, sealed, checksum, int(sent))
        self._rows.execute(f"INSERT OR IGNORE INTO revisions VALUES ({', '.join('?' * len(values))})", values)

    def last_of(self, writer: str) -> tuple[int, str]:
        sql = "SELECT number, id FROM revisions WHERE writer = ? ORDER BY number DESC LIMIT 1"
        row = self._rows.execute(sql, (writer,)).fetchone()
        return (int(row[0]), str(row[1])) if row else (0, "")

    def revision(self, name: str) -> Revision | None:
        """By its id."""
        row = self._rows.execute("SELECT plain FROM revisions WHERE id = ?", (name,)).fetchone()
        return decode(row[0]) if row else None

    def parents(self, store: str, entry: str) -> dict[str, tuple[str, ...]]:
        """Of each revision of an entry."""
        rows = self._rows.execute(f"SELECT {_LINE} WHERE store = ? AND entry = ?", (store, entry))
        return {name: tuple(json.loads(found)) for name, found in rows}

    def names(self, store: str, entry: str) -> list[str]:
        sql = "SELECT name FROM revisions WHERE store = ? AND entry = ?"
        return [name for (name,) in self._rows.execute(sql, (store, entry))]

    def all_parents(self, store: str) -> dict[str, dict[str, tuple[str, ...]]]:
        """Entry -> the parents of each of its revisions."""
        found = dict[str, dict[str, tuple[str, ...]]]()
        for entry, name, parents in self._rows.execute(f"SELECT entry, {_LINE} WHERE store = ?", (store,)):
            found.setdefault(entry, {})[name] = tuple(json.loads(parents))
        return found

    def with_mark(self, store: str, entry: str, mark: str) -> set[str]:
        """Its revisions that say this."""
        sql = "SELECT id FROM revisions WHERE store = ? AND entry = ? AND mark = ?"
        return {name for (name,) in self._rows.execute(sql, (store, entry, mark))}

    def sums(self) -> dict[str, tuple[str, int]]:
        """Name -> (checksum, whether the store had it at the last look), of all revisions."""
        rows = self._rows.execute("SELECT name, checksum, sent FROM revisions")
        return {name: (checksum, sent) for name, checksum, sent in rows}

    def mark_sent(self, names: Iterable[str], sent: bool) -> None:
        self._rows.executemany("UPDATE revisions SET sent = ? WHERE name = ?", ((int(sent), each) for each in names))

    def unsent(self) -> dict[str, bytes]:
        return dict(self._rows.execute("SELECT name, sealed FROM revisions WHERE sent = 0 ORDER BY writer, number"))

    def drop(self, writer: str, number: int) -> list[Revision]:
        """Forget a writer's revisions from a number on, and return them."""
        where, values = "writer = ? AND number >= ?", (writer, number)
        found = [decode(raw) for (raw,) in self._rows.execute(f"SELECT plain FROM revisions WHERE {where}", values)]
        self._rows.execute(f"DELETE FROM revisions WHERE {where}", values)
        return found

    def contents(self) -> dict[str, bytes]:
        return dict(self._rows.execute("SELECT name, sealed FROM revisions"))

    def stores(self) -> list[str]:
        return [store for (store,) in self._rows.execute("SELECT DISTINCT store FROM revisions")]

    def move_heads(self, store: str, entry: str, head: str) -> None:
        values = (json.dumps([head]), store, entry)
        self._rows.execute("UPDATE bases SET heads = ? WHERE store = ? AND entry = ?", values)

    def clear(self) -> None:
        self._rows.execute("DELETE FROM revisions")

    def stamps(self, store: str) -> dict[str, tuple[int, int, int]]:
        """Path -> stamp of the files of all entries that have one."""
        sql = "SELECT path, modified, size, inode FROM bases NOT INDEXED WHERE store = ? AND path != ''"
        return {path: (modified, size, inode) for path, modified, size, inode in self._rows.execute(sql, (store,))}

    def entries_at(self, store: str, paths: Iterable[str]) -> dict[str, str]:
        """Path -> the entry whose file it is."""
        sql, found = "SELECT entry FROM bases WHERE store = ? AND path = ?", dict[str, str]()
        for path in paths:
            row = self._rows.execute(sql, (store, path)).fetchone()
            found |= {path: row[0]} if row else {}
        return found

    def heads(self, store: str) -> dict[str, tuple[str, ...]]:
        """Of each entry, as they were agreed."""
        rows = self._rows.execute("SELECT entry, heads FROM bases WHERE store = ?", (store,))
        return {entry: tuple(json.loads(found)) for entry, found in rows}

    def base(self, store: str, entry: str) -> Base:
        sql = "SELECT heads, mark, path, modified, size, inode FROM bases WHERE store = ? AND entry = ?"
        row = self._rows.execute(sql, (store, entry)).fetchone()
        return Base(entry, tuple(json.loads(row[0])), row[1], row[2], row[3:]) if row else Base(entry)

    def keep(self, store: str, base: Base) -> None:
        values: tuple[Any, ...] = (store, base.entry, json.dumps(base.heads), base.mark, base.path, *base.stamp)
        self._rows.execute("INSERT OR REPLACE INTO bases VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)


def damaged(error: Exception, path: str) -> LimpetError:
    hint = "Move that file away and run it again: it is made anew from your memories and the store."
    return LimpetError(f"Cannot read the record of what was synchronized ({error})", path, hint)
