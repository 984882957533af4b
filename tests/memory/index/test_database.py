"""The index's file may be a stranger's: nothing in it but our own tables is read, and no query runs for ever."""

import os
import sqlite3
import sys
from contextlib import closing
from itertools import count

import pytest

from limpet.ground.clock import Clock
from limpet.memory.index import database
from limpet.memory.index.database import QUERY_PATIENCE, SCHEMA, Overdue, database_path
from limpet.memory.index.database_file import STATEMENTS, is_sound
from limpet.memory.index.reading import open_index
from limpet.memory.index.sync import refresh_index

from ..indexes import NOW, SETTINGS, cards, make_entry, path_of, write

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
HOSTILE = {
    "endless view": f"ALTER TABLE cards RENAME TO kept; CREATE VIEW cards AS {ENDLESS}",
    "view of an unused name": f"CREATE VIEW more AS {ENDLESS}",
    "trigger": f"CREATE TRIGGER more AFTER INSERT ON facts BEGIN DELETE FROM cards WHERE serial IN ({ENDLESS}); END",
    "view of a shadow table": f"""PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'view', rootpage = 0,
        sql = 'CREATE VIEW postings_idx AS {ENDLESS}' WHERE name = 'postings_idx'""",
    "other index": "CREATE INDEX more ON cards (length(title))",
}


@pytest.fixture
def path(shared):
    """The path of the index of one memory."""
    write(shared, path_of("b"), make_entry("b", "Survivor"))
    refresh_index(shared, SETTINGS, NOW)
    return database_path(shared)


def test_the_schema_is_that_of_the_tables():
    """Whoever changes the tables gets the new digest here, and raises the version."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in STATEMENTS:
            connection.execute(statement)
        assert database._schema(connection) == SCHEMA


@pytest.mark.parametrize("script", HOSTILE.values(), ids=HOSTILE)
def test_an_index_with_anything_else_in_it_is_not_read_but_made_anew(shared, path, script):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    assert (open_index(shared), is_sound(path)) == (None, False)
    refresh_index(shared, SETTINGS, NOW)
    assert [card.title for card in cards(shared)] == ["Survivor"]


@pytest.mark.parametrize(
    ("ticks", "is_given_up"),
    [([5.0, 5.4, 5.9, 6.1], [False, False, False, True]), ([5.0, 5.4, 6.6, 7.0], [False, False, False, False])],
    ids=["one query", "another began meanwhile"],
)
def test_a_query_may_take_so_long_and_no_longer(ticks, is_given_up):
    clock, looked = iter(ticks), iter(ticks)
    overdue = Overdue(1.0, Clock(timer=lambda: next(looked), worked=lambda: next(clock)))
    assert [overdue() for _ in ticks] == is_given_up


def test_a_query_that_does_not_end_is_given_up(shared, path, monkeypatch):
    """As a damaged file could make any of ours: every look at the time finds half a second worked."""
    began, looks = Overdue.__init__, count()
    clock = Clock(timer=lambda: 5.0, worked=lambda: next(looks) / 2)
    monkeypatch.setattr(Overdue, "__init__", lambda self, patience: began(self, patience, clock))
    with closing(open_index(shared)) as connection, pytest.raises(sqlite3.OperationalError, match="interrupted"):
        connection.execute(f"SELECT count(*) FROM ({ENDLESS})").fetchone()
    assert next(looks) / 2 > QUERY_PATIENCE


def test_a_rollback_journal_is_not_obeyed(shared, path, tmp_path):
    """SQLite plays it back, and deletes the file that it names as its master."""
    with open(path + "-journal", "wb") as file:
        file.write(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(504))
    refresh_index(shared, SETTINGS, NOW)
    assert not os.path.exists(path + "-journal")
    assert [card.title for card in cards(shared)] == ["Survivor"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")
def test_a_pipe_in_its_place_is_not_waited_for(shared):
    os.makedirs(os.path.dirname(database_path(shared)))
    os.mkfifo(database_path(shared))
    assert (open_index(shared), is_sound(database_path(shared))) == (None, False)
