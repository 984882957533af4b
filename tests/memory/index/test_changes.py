"""The journal of the index."""

import os
from contextlib import closing

from holdfast.memory.index import sync as index
from holdfast.memory.index.changes import docs_since, last_step, read_generation
from holdfast.memory.index.reading import open_index
from holdfast.memory.model.layout import memories

from ..indexes import NOW, SETTINGS, indexed, make_entry, path_of, write


def read(shared, step=0):
    """Generation, last step, and texts by doc since a step; None for a doc that is empty now."""
    with closing(open_index(shared)) as connection:
        texts = dict(connection.execute("SELECT doc, content FROM texts"))
        changed = {doc: texts.get(doc) for doc in docs_since(connection, step)}
        return read_generation(connection), last_step(connection), changed


def test_a_new_index_has_a_journal_of_every_entry(shared):
    indexed(shared, [make_entry("b"), make_entry("c")])
    assert len(read(shared)[2]) == 2


def test_an_index_made_anew_is_another_generation(shared):
    indexed(shared, [make_entry("b")])
    before = read(shared)[0]
    indexed(shared, [make_entry("b")])
    assert read(shared)[0] != before


def test_only_what_changed_stands_in_the_journal_since(shared):
    for name in "bcde":
        write(shared, path_of(name), make_entry(name, body="old"))
    index.refresh(shared, SETTINGS, NOW)
    step = read(shared)[1]
    write(shared, path_of("c"), make_entry("c", body="something new"))
    index.refresh(shared, SETTINGS, NOW)
    changed = read(shared, step)[2]
    assert [text for text in changed.values() if text] == [text for text in changed.values() if text and "new" in text]
    assert any(changed.values())


def test_a_seat_that_is_left_stands_in_the_journal(shared):
    full = write(shared, path_of("b"), make_entry("b"))
    index.refresh(shared, SETTINGS, NOW)
    step = read(shared)[1]
    os.unlink(full)
    index.refresh(shared, SETTINGS, NOW)
    assert list(read(shared, step)[2].values()) == [None]


def test_who_moves_up_in_a_conversation_stands_in_the_journal_with_both_seats(shared):
    for name in "cd":
        write(shared, path_of(name), make_entry(name, session="s", created_at=f"2026-11-21T10:0{ord(name) - 98}:00Z"))
    index.refresh(shared, SETTINGS, NOW)
    step = read(shared)[1]
    write(shared, path_of("b"), make_entry("b", session="s", created_at="2026-11-21T10:00:00Z"))
    index.refresh(shared, SETTINGS, NOW)
    assert len(read(shared, step)[2]) == 3


def test_nothing_changed_is_no_step(shared):
    write(shared, path_of("b"), make_entry("b"))
    index.refresh(shared, SETTINGS, NOW)
    step = read(shared)[1]
    index.refresh(shared, SETTINGS, NOW)
    assert read(shared)[1] == step
    assert os.path.isdir(memories(shared))
