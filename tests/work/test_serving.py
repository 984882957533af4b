"""Which client serves which conversation, as its hooks told."""

import os

import pytest

from limpet.work import serving
from limpet.work.serving import (
    MOST,
    NEW_WINDOW,
    SAME_WINDOW,
    Served,
    all_served,
    begin_serving,
    end_serving,
    has_client,
    is_served,
    read_served,
    serving_path,
)

from ..conversation import write
from ..hook_host import POSIX

GONE = 4_000_000  # no process has it


def served(session, pid=0, began=1.0, **fields):
    return Served(session, "codex-cli", pid or os.getpid(), 5.0, began, **fields)


def begin(session, window="", **fields):
    return begin_serving(served(session, **fields), window)


def known():
    return [one.id for one in all_served()]


def test_what_is_noted_is_read_again():
    """The newest first; only its owner can read it."""
    assert (is_served("a"), read_served("a"), has_client("a")) == (False, None, False)
    begin("a", NEW_WINDOW)
    begin("b", NEW_WINDOW, began=2.0)
    assert (is_served("a"), read_served("a"), has_client("a")) == (True, served("a"), True)
    assert known() == ["b", "a"]


@POSIX
def test_nobody_else_reads_it():
    begin("a", NEW_WINDOW)
    assert os.stat(serving_path("a")).st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("window", "others", "before"),
    [
        (SAME_WINDOW, 1, "0"),
        (SAME_WINDOW, 2, "1"),
        ("", 1, "0"),
        ("", 2, ""),
        (NEW_WINDOW, 1, ""),
    ],
)
def test_a_conversation_takes_the_place_of_another_in_its_window(window, others, before):
    """Where several windows are the client's, only of one that is sure; that one is no longer served."""
    for number in range(others):
        begin(str(number), NEW_WINDOW, began=float(number))
    assert begin("new", window, began=9.0) == before
    assert before not in known() and len(known()) == others + (not before)


def test_one_that_ended_comes_before_those_that_go_on():
    """It is followed once."""
    begin("a", NEW_WINDOW)
    begin("b", NEW_WINDOW, began=2.0)
    end_serving("a", 3.0)
    assert (begin("c", "", began=4.0), begin("d", "", began=5.0)) == ("a", "")


def test_any_name_is_known():
    """Also one that is no file's."""
    begin("a/b c", NEW_WINDOW)
    assert known() == ["a/b c"]


def test_a_second_note_of_the_same_is_none():
    """A compaction has a start of its own."""
    begin("a", NEW_WINDOW)
    begin("b", NEW_WINDOW, began=2.0)
    assert begin("b", SAME_WINDOW, began=3.0) == ""
    assert known() == ["b", "a"]


def test_what_was_served_by_a_client_that_is_gone_goes_with_the_next_note():
    begin("a", NEW_WINDOW, pid=GONE)
    assert not has_client("a")
    begin("b", NEW_WINDOW)
    assert known() == ["b"]


def test_no_more_than_some_are_known():
    for number in range(MOST + 3):
        write(serving_path(f"s{number}"), serving.dumps(served(f"s{number}", began=float(number)).__dict__))
    begin("new", NEW_WINDOW, began=9e9)
    assert len(known()) == MOST + 1 and "s0" not in known()


SOUND = '{"id": "a", "host": "x", "pid": 1, "started": 1, "began": 1, "ended": 0}'
LATE = SOUND.replace('"began": 1', '"began": "1"')
UNSOUND = (SOUND.replace('"a"', '"b"'), SOUND.replace('"pid": 1', '"pid": 0'), LATE)


@pytest.mark.parametrize("text", ["", "no JSON", "[]", "{}", '{"id": "a"}', *UNSOUND])
def test_what_cannot_be_read_is_not_known(text):
    write(serving_path("a"), text)
    assert (read_served("a"), all_served()) == (None, ())
