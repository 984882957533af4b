"""The text of past conversations, in passages that can be searched: no memories, and not kept by Limpet's files. Their
database is in the project's folder of the user's cache: made of the hosts' transcripts, and at any time again. A
damaged one, and one of another version, is rebuilt."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager

from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import OWNER_ONLY, make_folders
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.memory.index.database import defend, has_header
from limpet.memory.index.database_file import remove_database
from limpet.memory.index.terms import is_stop, terms

NAME = "sessions.db"
APPLICATION = 0x484F5345
# Raised whenever the tables change, or the terms that they hold.
VERSION = 1
PATIENCE = 20.0
# Characters of a passage that an excerpt shows.
SHOWN = 400
# Of them, those before the first word that was looked for.
LEAD = 120
_STATEMENTS = (
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
    # Where the reading of a transcript goes on, and which agent was at work.
    """CREATE TABLE sessions (id TEXT PRIMARY KEY, transcript TEXT NOT NULL, end INTEGER NOT NULL, agent TEXT NOT NULL,
    last REAL NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE passages (passage INTEGER PRIMARY KEY, session TEXT NOT NULL, role TEXT NOT NULL, at REAL NOT NULL,
    flagged INTEGER NOT NULL, text TEXT NOT NULL)""",
    "CREATE INDEX passages_of ON passages (session, at)",
    # The terms of a passage under its number; the ASCII tokenizer parts them at spaces and nowhere else.
    "CREATE VIRTUAL TABLE words USING fts5(terms, tokenize='ascii')",
)


class SessionPassage(Value):
    """Without secrets. ``at``: seconds since 1970, 0 where unknown; ``flagged``: it reads like an instruction."""

    session: str
    role: str
    at: float
    text: str
    flagged: bool = False


class Sessions:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def read_to(self, session: str) -> tuple[str, int]:
        """Return (the conversation's transcript, the byte up to which it was read); ("", 0) for an unknown one."""
        find = "SELECT transcript, end FROM sessions WHERE id = ?"
        return self.connection.execute(find, (session,)).fetchone() or ("", 0)

    def add(self, session: str, agent: str, passages: Sequence[SessionPassage], transcript: str, end: int) -> None:
        for each in passages:
            values = (session, each.role, each.at, each.flagged, each.text)
            insert = "INSERT INTO passages (session, role, at, flagged, text) VALUES (?, ?, ?, ?, ?)"
            number = self.connection.execute(insert, values).lastrowid
            words = " ".join(terms(each.text))
            self.connection.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (number, words))
        last = self.connection.execute("SELECT max(at) FROM passages WHERE session = ?", (session,)).fetchone()[0]
        row = (session, transcript, end, agent, last or 0.0)
        self.connection.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?)", row)

    def remove(self, session: str) -> int:
        find = "SELECT passage FROM passages WHERE session = ?"
        numbers = self.connection.execute(find, (session,)).fetchall()
        self.connection.executemany("DELETE FROM words WHERE rowid = ?", numbers)
        self.connection.execute("DELETE FROM passages WHERE session = ?", (session,))
        return len(numbers)

    def shrink(self, most: int) -> None:
        """Take the oldest passages out until no more than ``most`` characters of text are left."""
        total = self.connection.execute("SELECT coalesce(sum(length(text)), 0) FROM passages").fetchone()[0]
        oldest = self.connection.execute("SELECT passage, length(text) FROM passages ORDER BY at, passage")
        gone = []
        for number, length in oldest:
            if total <= most:
                break
            gone.append((number,))
            total -= length
        self.connection.executemany("DELETE FROM words WHERE rowid = ?", gone)
        self.connection.executemany("DELETE FROM passages WHERE passage = ?", gone)

    def search(
        self,
        text: str,
        limit: int,
        agents: Collection[str] | None = None,
        session: str = "",
        without: str = "",
        since: float = 0.0,
        until: float = 0.0,
    ) -> list[SessionPassage]:
        """Return the passages that hold words of the text, best first. ``agents``: None for all. ``session``: only of
        this one; ``without``: not of it. ``since``, ``until``: bounds of when it was said, in seconds since 1970."""
        asked = search_terms(text)
        if not asked:
            return []
        told = {"p.session = ?": session, "p.session != ?": without, "p.at >= ?": since, "p.at <= ?": until}
        where = ["words MATCH ?", *(condition for condition, value in told.items() if value)]
        given = [" OR ".join(f'"{term}"' for term in sorted(asked)), *(value for value in told.values() if value)]
        if agents is not None:
            where.append(f"s.agent IN ({', '.join('?' * len(agents))})")
            given += agents
        sql = (
            "SELECT p.session, p.role, p.at, p.text, p.flagged FROM words JOIN passages p ON p.passage = words.rowid "
            f"JOIN sessions s ON s.id = p.session WHERE {' AND '.join(where)} ORDER BY bm25(words), p.at DESC LIMIT ?"
        )
        rows = self.connection.execute(sql, (*given, limit))
        return [SessionPassage(session, role, at, text, bool(flagged)) for session, role, at, text, flagged in rows]

    def listed(self) -> list[tuple[str, float, int]]:
        """Return (conversation, when it last said something, its passages), newest first."""
        sql = "SELECT session, max(at), count(*) FROM passages GROUP BY session ORDER BY 2 DESC, 1"
        return self.connection.execute(sql).fetchall()


def search_terms(text: str) -> frozenset[str]:
    found = terms(text)
    return frozenset(term for term in found if not is_stop(term)) or frozenset(found)


def split_text(text: str, longest: int) -> Iterator[str]:
    """Yield parts of at most ``longest`` characters, each of complete lines or words where it can be."""
    rest = text.strip()
    while len(rest) > longest:
        end = max(rest.rfind("\n", longest // 2, longest), 0) or max(rest.rfind(" ", longest // 2, longest), 0)
        yield rest[: end or longest].rstrip()
        rest = rest[end or longest :].lstrip()
    if rest:
        yield rest


def session_excerpt(text: str, asked: frozenset[str]) -> str:
    """Return the passage on one line, or of a long one the part around the first of the terms that it holds."""
    words = text.split()
    line = " ".join(words)
    if len(line) <= SHOWN:
        return line
    first = next((place for place, word in enumerate(words) if asked & set(terms(word))), 0)
    start = len(" ".join(words[:first])) - LEAD
    if start <= 0:
        return clip(line, SHOWN)
    space = line.find(" ", start, start + LEAD)
    return "..." + clip(line[max(space, start) :].lstrip(), SHOWN)


@contextmanager
def open_sessions(cache: str) -> Iterator[Sessions]:
    """What a block that ends well wrote is kept. Raise LimpetError where the database cannot be written or is busy."""
    path = os.path.join(cache, NAME)
    try:
        with closing(_open(path)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield Sessions(connection)
            connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise LimpetError(f"Cannot use the index of past conversations ({error})", "", "Try again.") from None
    except sqlite3.DatabaseError:
        remove_database(path)
        what = "The index of past conversations was damaged and has been removed"
        raise LimpetError(what, "", "Run the command again.") from None
    except OSError as error:
        raise LimpetError(f"Cannot write the index of past conversations ({error.strerror})") from None


def _open(path: str) -> sqlite3.Connection:
    if os.path.lexists(path) and not (has_header(path) and _is_current(path)):
        remove_database(path)
    is_new = not os.path.lexists(path)
    if is_new:
        make_folders(os.path.dirname(path))
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    defend(connection)
    for statement in _STATEMENTS if is_new else ():
        connection.execute(statement)
    return connection


def _is_current(path: str) -> bool:
    with closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
        found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    return found == [APPLICATION, VERSION]
