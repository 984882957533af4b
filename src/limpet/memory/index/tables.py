"""The tables of the index. Only the writer makes them, so the prompt hook does not import this."""

from __future__ import annotations

from limpet.memory.index.database import APPLICATION, VERSION
from limpet.memory.model.card import Card

_REALS = ("created", "last_accessed", "confidence", "expires", "valid_until", "last_evidence")
_INTEGERS = ("accesses", "evidence", "pinned", "stale", "resolved", "size")
# The long one last, so that the others are read without it.
CARD_NAMES = (*(name for name in Card.fields if name != "excerpt"), "excerpt")


def _kind(name: str) -> str:
    return "REAL" if name in _REALS else "INTEGER" if name in _INTEGERS else "TEXT"


# ``serial`` is a card's own number, which stays; ``doc`` its doc id, which may move with its neighbours, and is below 0
# until it is known. ``written_*`` are the file's own figures. ``class`` and ``time_free_score`` order the hottest.
_CARDS = f"""CREATE TABLE cards (
    serial INTEGER PRIMARY KEY, doc INTEGER NOT NULL, conversation INTEGER NOT NULL,
    written_accesses INTEGER NOT NULL, written_access REAL NOT NULL, class TEXT NOT NULL, time_free_score REAL NOT NULL,
    {", ".join(f"{name} {_kind(name)} NOT NULL" for name in CARD_NAMES)}
)"""

STATEMENTS = (
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
    _CARDS,
    "CREATE UNIQUE INDEX card_docs ON cards (doc)",
    "CREATE UNIQUE INDEX card_paths ON cards (path)",
    "CREATE INDEX card_ids ON cards (id)",
    "CREATE INDEX card_times ON cards (state, created)",
    "CREATE INDEX card_sessions ON cards (session)",
    "CREATE INDEX card_conversations ON cards (conversation, created, path)",
    "CREATE INDEX card_scores ON cards (state, owner, class, sector, time_free_score)",
    # ``content`` (title, body, tags, paths) and ``metadata`` (who, date) are terms as ``records.pack`` writes them.
    """CREATE TABLE texts (doc INTEGER PRIMARY KEY, length INTEGER NOT NULL, is_question INTEGER NOT NULL,
    has_time INTEGER NOT NULL, has_number INTEGER NOT NULL, content TEXT NOT NULL, metadata TEXT NOT NULL)""",
    # All terms of an entry by its doc id, as ``database.posting`` writes them; the ASCII tokenizer parts them at spaces
    # and nowhere else.
    "CREATE VIRTUAL TABLE postings USING fts5(terms, content='', detail=none, columnsize=0, tokenize='ascii')",
    # A collection is what one owner has in one state. Conversations, terms and all that is counted are of one, so that
    # nobody's ranking knows of what he may not see.
    """CREATE TABLE collections (collection INTEGER PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL,
    entries INTEGER NOT NULL DEFAULT 0, length INTEGER NOT NULL DEFAULT 0, conversations INTEGER NOT NULL DEFAULT 0,
    conversations_length INTEGER NOT NULL DEFAULT 0, UNIQUE (owner, state))""",
    """CREATE TABLE vocabulary (term TEXT NOT NULL, collection INTEGER NOT NULL, entries INTEGER NOT NULL,
    PRIMARY KEY (term, collection)) WITHOUT ROWID""",
    """CREATE TABLE conversations (conversation INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    collection INTEGER NOT NULL, entries INTEGER NOT NULL DEFAULT 0, length INTEGER NOT NULL DEFAULT 0)""",
    "CREATE TABLE citations (path TEXT NOT NULL, serial INTEGER NOT NULL)",
    "CREATE INDEX citing ON citations (serial)",
    "CREATE INDEX cited ON citations (path, serial)",
    "CREATE TABLE cited_files (path TEXT PRIMARY KEY, modified REAL NOT NULL) WITHOUT ROWID",
    "CREATE TABLE files (path TEXT PRIMARY KEY, modified INTEGER, size INTEGER, inode INTEGER) WITHOUT ROWID",
    "CREATE TABLE problems (path TEXT NOT NULL, line INTEGER NOT NULL, what TEXT NOT NULL, mend TEXT NOT NULL)",
    "CREATE INDEX problem_paths ON problems (path, line)",
    """CREATE TABLE uses (id TEXT, session TEXT, kind TEXT, first REAL, last REAL,
    PRIMARY KEY (id, session, kind)) WITHOUT ROWID""",
    "CREATE INDEX sessions_uses ON uses (session)",
    "CREATE TABLE logs (inode INTEGER PRIMARY KEY, offset INTEGER NOT NULL)",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    # A name of its own for each new database.
    "CREATE TABLE generation (name TEXT NOT NULL)",
    "INSERT INTO generation VALUES (lower(hex(randomblob(16))))",
)
