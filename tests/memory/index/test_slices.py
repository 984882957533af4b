"""A refresh in slices: each is kept, whoever stops it, and in the end the index is as if it had been made at once."""

import os
import subprocess
import sys
from contextlib import closing

import pytest

import limpet
from limpet.memory.index import sync
from limpet.memory.index import sync as index
from limpet.memory.index.database_file import replacing
from limpet.memory.index.reading import open_index, read_unread

from ..indexes import NOW, SETTINGS, age, cards, found, make_entry, path_of, titles, write

SOURCE = os.path.dirname(os.path.dirname(limpet.__file__))
NAMES = "bcdefg"
# Refreshes in slices of two files, and is gone in the midst of the third.
KILLED = """
import os, sys
from limpet.ground.config.defaults import DEFAULTS
from limpet.memory.index import sync
sync.SLICE = 2
sync.refresh(sys.argv[1], DEFAULTS["memory"], 1.8e9, lambda done, files: done == 5 and os._exit(9))
"""


@pytest.fixture(params=["new", "kept"])
def files(request, shared):
    """Six files, of which the index knows none; it File already exists, or not."""
    if request.param == "kept":
        index.refresh_index(shared, SETTINGS, NOW)
    for name in NAMES:
        write(shared, path_of(name), make_entry(name, f"Title {name}"))
    return shared


def refresh(shared, seconds=0.0):
    return index.refresh_index(shared, SETTINGS, NOW, seconds=seconds)


def unread(shared):
    """What the index says of itself."""
    with closing(open_index(shared)) as connection:
        return read_unread(connection)


def test_without_time_each_refresh_reads_one_file_more(files):
    """However little time there is, the work comes to an end."""
    seen = []
    for _ in range(7):
        done = refresh(files)
        seen.append((done.changed, done.total, done.unread, done.files, unread(files)))
    assert seen == [(1, n, 6 - n, 6, 6 - n) for n in range(1, 7)] + [(0, 6, 0, 6, 0)]


def test_what_a_killed_refresh_had_done_is_kept(files):
    """But for the slice in which it was."""
    command = [sys.executable, "-c", KILLED, files]
    assert subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCE}).returncode == 9
    assert (len(cards(files)), unread(files)) == (4, 2)
    done = refresh(files, 1e9)
    assert (done.changed, done.total, done.unread) == (2, 6, 0)


def test_files_that_come_change_and_go_between_slices_are_seen(files):
    for _ in range(3):
        refresh(files)
    read, waiting = NAMES[:3], NAMES[3:]
    for name in (read[0], waiting[0]):
        os.unlink(os.path.join(files, "memories", *path_of(name).split("/")))
    for name in (read[1], waiting[1]):
        age(write(files, path_of(name), make_entry(name, "Other words")), 1_700_000_001)
    write(files, path_of("h"), make_entry("h", "Newcomer"))
    done = refresh(files)
    assert (done.removed, done.changed, done.total, done.unread) == (1, 1, 2, 3)
    while refresh(files).unread:
        pass
    assert {card.path for card in cards(files)} == {path_of(name) for name in "cdfgh"}
    assert len(found(files, "other words")) == 2


def test_a_file_that_goes_while_its_slice_waits_is_left_out(files, monkeypatch):
    monkeypatch.setattr(index, "SLICE", 2)
    last = os.path.join(files, "memories", *path_of("g").split("/"))
    done = index.refresh_index(files, SETTINGS, NOW, lambda done, files: done == 2 and os.unlink(last))
    assert (done.changed, done.total, done.unread) == (5, 5, 0)
    assert {card.path for card in cards(files)} == {path_of(name) for name in "bcdef"}


def test_of_more_than_a_slice_the_latest_files_come_first(monkeypatch):
    monkeypatch.setattr(sync, "SLICE", 3)
    monkeypatch.setattr(sync, "LATEST", 1)
    stamps = {path_of(name): (when, 1, 1) for name, when in (("e", 5), ("d", 5), ("c", 9), ("b", 5))}
    assert sync.paths_in_order(stamps) == [path_of(name) for name in "cbde"]
    stamps.pop(path_of("e"))
    assert sync.paths_in_order(stamps) == [path_of(name) for name in "bcd"]


def test_an_index_that_is_replaced_meanwhile_is_filled_too(files, monkeypatch):
    """It lacks what this refresh had put into the one before."""
    monkeypatch.setattr(index, "SLICE", 2)
    written, write_slice = [], index._write

    def write_after_another(path, *rest):
        written.append(path)
        if len(written) == 2:
            with replacing(path):
                pass
        return write_slice(path, *rest)

    monkeypatch.setattr(index, "_write", write_after_another)
    assert index.refresh_index(files, SETTINGS, NOW).total == 6
    assert len(cards(files)) == 6


def test_in_memory_no_more_is_read_than_there_is_time_for(files):
    connection, done = index.open_in_memory(files, SETTINGS, NOW, 0.0)
    with closing(connection):
        assert (done.total, done.unread) == (1, 5)
    connection, done = index.open_in_memory(files, SETTINGS, NOW)
    with closing(connection):
        assert (done.total, done.unread) == (6, 0)


def test_search_finds_what_is_read(files):
    refresh(files)
    assert titles(found(files, "title")) == [card.title for card in cards(files)] != []


def test_files_that_are_gone_count_among_all_until_their_cards_are(files, monkeypatch):
    refresh(files, 1e9)
    monkeypatch.setattr(index, "SLICE", 4)
    for name in NAMES:
        os.unlink(os.path.join(files, "memories", *path_of(name).split("/")))
    seen = [(done.removed, done.unread, done.files, done.total) for done in (refresh(files), refresh(files))]
    assert seen == [(4, 2, 6, 2), (2, 0, 2, 0)]
