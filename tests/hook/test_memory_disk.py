"""Memory that fails costs a prompt a note and nothing else, and the next start mends it (decisions 10, 24)."""

import os
import sqlite3
from contextlib import closing

import pytest

from limpet.ground.storage.durable import make_folder
from limpet.memory.index.database import database_path

from ..conversation import obstruct, remove, write
from ..hook_host import POSIX, STARTED, notes, rule_lines
from ..memories import fill, ids, listed, remembered, short, wished
from ..places import private_path

ASKED = "How does the endpoint sign the JWT?"


@pytest.fixture
def known(memories):
    """The id of what a person wants always, that the prompt finds too."""
    return memories.add("JWT is never signed by the endpoint", type="user_correction")


@pytest.fixture
def index(workspace):
    """The path of the index."""
    return database_path(workspace.shared)


def text(path):
    write(path, "no database " * 1000)


def hostile(path):
    """The table of cards is a view with an endless query."""
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"ALTER TABLE cards RENAME TO kept; CREATE VIEW cards AS {endless}")


DAMAGE = {
    "hostile": hostile,
    "text": text,
    "empty": lambda path: write(path, ""),
    "folder": lambda path: obstruct("folder", path),
    "full folder": lambda path: (obstruct("folder", path), write(os.path.join(path, "x"), "x")),
    "loop": lambda path: obstruct("loop", path),
    "device": lambda path: obstruct("device", path),
    "gone": remove,
}


@POSIX
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_index_costs_a_note_and_the_next_start_mends_it(host, known, index, damage):
    """The rules come as ever; without a word it would seem that nothing is remembered."""
    for ending in ("-wal", "-shm"):
        remove(index + ending)
    DAMAGE[damage](index)
    transcript = fill(host.workspace, "DEPLETED")
    spoilt = host.prompt(f"{ASKED} *brief", transcript_path=transcript)
    assert (rule_lines(spoilt, "GLOBAL"), remembered(spoilt), listed(spoilt)) == (["Read first."], [], [])
    assert spoilt.block["commands"] == [{"name": "brief", "lines": ["Short."]}]
    assert [note for note in notes(spoilt) if "memor" in note]
    assert notes(host.prompt(ASKED, transcript_path=transcript)) == []
    start = host.send("SessionStart", source="startup", session_id="next")
    assert (wished(start), notes(start)) == (["JWT is never signed by the endpoint"], [])


def test_an_index_that_another_process_holds_costs_a_note(host, known, index):
    """And comes back once it is let go."""
    transcript = fill(host.workspace, "DEPLETED")
    with closing(sqlite3.connect(index, isolation_level=None)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("UPDATE facts SET value = value")
        held = host.prompt(ASKED, process=STARTED, transcript_path=transcript)
        connection.execute("ROLLBACK")
    assert (rule_lines(held, "GLOBAL"), remembered(held), listed(held)) == (["Read first."], [], [])
    assert [note for note in notes(held) if "memor" in note]
    host.send("SessionStart", source="fork", session_id="after")
    assert ids(host.prompt(ASKED, session_id="after", transcript_path=transcript)) == [short(known)]


def test_where_nothing_was_ever_remembered_nothing_is_said_nor_made(host):
    """Neither a note, nor an index, nor a second process's traces."""
    transcript = fill(host.workspace, "DEPLETED")
    answers = [host.send("SessionStart", source="startup"), host.prompt(ASKED, transcript_path=transcript)]
    assert [notes(answer) for answer in answers] == [[], []]
    assert not os.path.exists(private_path(host.workspace, "memories"))
    assert not os.path.exists(host.workspace.cached("memory.db"))


@POSIX
@pytest.mark.parametrize("kind", ["file", "fifo", "loop", "nowhere"])
def test_something_else_in_the_place_of_the_memories_harms_nothing(host, kind):
    """A start and a prompt answer as if there were none."""
    path = private_path(host.workspace, "memories")
    make_folder(os.path.dirname(path))
    write(path, "x") if kind == "file" else obstruct(kind, path)
    transcript = fill(host.workspace, "MODERATE")
    assert rule_lines(host.send("SessionStart", source="startup"), "GLOBAL") == ["Read first."]
    assert rule_lines(host.prompt(ASKED, transcript_path=transcript), "API") == ["Version it."]
