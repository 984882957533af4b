"""An index whose table of cards is a view with an endless query: it costs a note, and is made anew."""

import sqlite3
from contextlib import closing

import pytest

from limpet.memory.index.database import database_path

from ..hook_host import Host, notes
from ..memories import Memories, configure, fill, wished

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"


@pytest.fixture
def known(workspace):
    """The id of the one memory, whose index is the stranger's. A start waits for the refresh until it is there."""
    configure(workspace)
    known = Memories(workspace).add("JWT is never signed by the endpoint", type="user_correction")
    with closing(sqlite3.connect(database_path(workspace.shared))) as connection:
        connection.executescript(f"ALTER TABLE cards RENAME TO kept; CREATE VIEW cards AS {ENDLESS}")
    return known


def test_a_prompt_says_that_the_index_cannot_be_opened(workspace, known):
    host = Host(workspace)
    answer = host.prompt("How does the endpoint sign the JWT?", transcript_path=fill(workspace, "DEPLETED"))
    assert [note for note in notes(answer) if "memor" in note]


def test_the_start_makes_it_anew(workspace, known):
    """By the refresh, which goes on by itself."""
    host = Host(workspace)
    assert wished(host.send("SessionStart", source="startup")) == ["JWT is never signed by the endpoint"]


def test_a_list_makes_it_anew(workspace, known, run):
    done = run("memory", "list")
    assert (done.returncode, "JWT is never signed" in done.stdout) == (0, True)
