"""Texts that nobody typed are known again, in the conversation in which they came or in any."""

import os

from limpet.work.untyped import BYTES, is_untyped, note_untyped, untyped_path

from ..conversation import obstruct, write


def test_what_was_announced_is_known_in_every_conversation():
    """However it is spaced, and by its beginning alone."""
    note_untyped(["go  on\n"])
    note_untyped(["x" * 5000])
    assert is_untyped("go on") and is_untyped(" go on", "one") and is_untyped("x" * 4000, "one")
    assert not is_untyped("go on now") and not is_untyped("")


def test_what_came_in_one_conversation_is_known_there():
    """A person may type in another what a script said in this one."""
    note_untyped(["*agent dev"], "one")
    assert is_untyped("*agent dev", "one") and not is_untyped("*agent dev", "two") and not is_untyped("*agent dev")


def test_the_file_stays_small_and_forgets_the_oldest():
    """Nothing is noted twice."""
    note_untyped(["again"])
    size = os.path.getsize(untyped_path())
    note_untyped(["again", "again"])
    assert os.path.getsize(untyped_path()) == size
    for text in ("one", "two", "three"):
        write(untyped_path(), f"{'0' * (size - 1)}\n" * (BYTES // size))
        note_untyped([text])
    assert os.path.getsize(untyped_path()) <= BYTES and os.path.getsize(f"{untyped_path()}.1") <= BYTES
    assert not os.path.exists(f"{untyped_path()}.2") and is_untyped("three") and not is_untyped("again")


def test_what_cannot_be_read_or_written_is_nothing(tmp_path):
    os.makedirs(os.path.dirname(untyped_path()), exist_ok=True)
    for kind in ("folder", "fifo", "nowhere"):
        obstruct(kind, untyped_path())
        note_untyped(["go on"])
        assert not is_untyped("go on")
