"""Records in the tables: doc ids beside each other, counts that come out even, and nothing left behind."""

import sqlite3
from contextlib import closing

import pytest

from limpet.memory.index.database import FIRST, POSITIONS, posting
from limpet.memory.index.database_file import STATEMENTS
from limpet.memory.index.filing import Filing, sort_key
from limpet.memory.index.records import make_record
from limpet.memory.index.terms import terms
from limpet.memory.model.layout import read_place

from ..cards import make_card
from ..indexes import SETTINGS, make_entry, path_of

(REDIS,) = terms("redis")


@pytest.fixture
def connection():
    """An index without entries."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        for statement in STATEMENTS:
            opened.execute(statement)
        yield opened


def put(connection, *placed):
    """File these (path, entry), in one transaction."""
    filing = Filing(connection, SETTINGS)
    for path, entry in placed:
        filing.put(make_record(path, read_place(path), entry))
    filing.settle()
    return filing


def remove(connection, *paths):
    filing = Filing(connection, SETTINGS)
    for path in paths:
        filing.remove(path)
    filing.settle()


def turn(name, minute, owner="shared", **fields):
    """(path, entry) of a conversation's turn."""
    made = f"2026-11-21T10:{minute:02}:00Z"
    return path_of(name, owner), make_entry(name, f"Word {name}", "redis", session="s", created_at=made, **fields)


def docs(connection):
    """Name of each entry -> (its conversation, its position in it)."""
    rows = connection.execute("SELECT path, doc FROM cards ORDER BY doc")
    return {path.rpartition("/")[2][0]: (doc >> POSITIONS, doc % (1 << POSITIONS)) for path, doc in rows}


def counts(connection):
    """All that is counted, and what the postings say of themselves: sqlite3.Error where they are damaged."""
    connection.execute("INSERT INTO postings (postings) VALUES ('integrity-check')")
    collections = connection.execute(
        "SELECT owner, state, entries, length, conversations, conversations_length FROM collections ORDER BY owner"
    ).fetchall()
    words = connection.execute("SELECT term, entries FROM vocabulary ORDER BY term, collection").fetchall()
    return collections, words


@pytest.mark.parametrize("together", [True, False])
def test_a_conversations_entries_stand_beside_each_other_in_the_order_of_time(connection, together):
    """An entry in between moves those behind it."""
    first, late = [turn("d", 3), turn("b", 1)], [turn("c", 2)]
    for placed in [first + late] if together else [first, late]:
        put(connection, *placed)
    assert docs(connection) == {"b": (1, FIRST), "c": (1, FIRST + 1), "d": (1, FIRST + 2)}
    assert connection.execute("SELECT count(*) FROM texts").fetchone() == (3,)


def test_entries_of_no_conversation_are_each_one_of_their_own(connection):
    put(connection, (path_of("b"), make_entry("b")), (path_of("c"), make_entry("c")))
    assert docs(connection) == {"b": (1, FIRST), "c": (2, FIRST)}


def test_what_owners_have_of_one_conversation_is_kept_apart(connection):
    """Nobody's neighbours are another's, and no count tells of what somebody may not see."""
    put(connection, turn("b", 1), turn("c", 2, "dev"), turn("d", 3))
    found = docs(connection)
    assert found["b"][0] == found["d"][0] != found["c"][0]
    collections, _ = counts(connection)
    assert [row[:3] for row in collections] == [("dev", "current", 1), ("shared", "current", 2)]


def test_terms_count_once_an_entry_and_a_conversation_of_one_entry_not_at_all(connection):
    put(connection, turn("b", 1))
    assert [row[4:] for row in counts(connection)[0]] == [(0, 0)]
    put(connection, turn("c", 2))
    collections, words = counts(connection)
    assert ([row[4:] for row in collections], dict(words)[REDIS]) == ([(1, 2)], 2)


def test_an_entry_takes_the_place_of_what_lay_at_its_path(connection):
    put(connection, turn("b", 1), turn("c", 2))
    before = counts(connection), docs(connection)
    put(connection, turn("b", 1, tags=("kafka",)))
    put(connection, turn("b", 1))
    assert (counts(connection), docs(connection)) == before


def test_what_is_removed_leaves_nothing_behind(connection):
    put(connection, turn("b", 1), turn("c", 2), turn("d", 3, "dev"))
    remove(connection, *(turn(name, 1, owner)[0] for name, owner in (("b", "shared"), ("c", "shared"), ("d", "dev"))))
    assert counts(connection) == ([], [])
    for table in ("cards", "texts", "conversations", "citations"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    left = connection.execute("SELECT count(*) FROM postings WHERE postings MATCH ?", (f'"{posting(1, REDIS)}"',))
    assert left.fetchone() == (0,)


def test_removing_what_was_never_there_changes_nothing(connection):
    put(connection, turn("b", 1))
    before = counts(connection)
    remove(connection, "shared/durable/none.md")
    assert counts(connection) == before


def test_what_was_put_in_is_told_by_serial_and_id(connection):
    filing = put(connection, turn("b", 1), turn("c", 2))
    assert sorted(filing.fresh.values()) == ["mem-2026-11-21-baaaaaaa", "mem-2026-11-21-caaaaaaa"]
    serials = {serial for (serial,) in connection.execute("SELECT serial FROM cards")}
    assert filing.fresh.keys() == serials


def test_pinned_cards_order_among_themselves_and_no_confidence_comes_last():
    assert sort_key(make_card(pinned=True), SETTINGS)[0] == "pinned"
    assert sort_key(make_card(storage="daily"), SETTINGS)[0] == "daily"
    assert sort_key(make_card(confidence=0.0), SETTINGS)[1] < sort_key(make_card(confidence=0.01), SETTINGS)[1]
