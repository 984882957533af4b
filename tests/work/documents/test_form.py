"""The form of the state files: days and times, and rows of lists that are changed in place."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.clock import seconds_of
from limpet.ground.errors import LimpetError
from limpet.work.documents.form import (
    LONGEST,
    PRIORITIES,
    BacklogItem,
    is_same_form,
    rank,
    read_backlog_item,
    read_timestamp,
    set_rows,
    shorten_text,
    show_form,
    union,
    write_timestamp,
)


@pytest.mark.parametrize(
    ("day", "time", "read"),
    [
        ("2026-02-20", None, ("2026-02-20", "")),
        ("2026-02-20", "12:00:05.931Z", ("2026-02-20", "12:00:05.931Z")),
        ("2026-02-20T12:00:05Z", None, ("2026-02-20", "12:00:05.000Z")),
        ("2026-02-20T00:30:00+01:00", None, ("2026-02-19", "23:30:00.000Z")),
        (datetime.date(2026, 2, 20), None, ("2026-02-20", "")),
        (datetime.datetime(2026, 2, 20, 12, 0, 5), None, ("2026-02-20", "12:00:05.000Z")),
        ("2026-02-20", "25:00:00", ("2026-02-20", "")),
        ("2026-02-30", "12:00:00", ("", "")),
        ("0001-01-01T00:00:00+23:00", None, ("", "")),
        ("soon", None, ("", "")),
        (None, None, ("", "")),
    ],
)
def test_a_day_and_its_time_are_read_from_what_files_hold(day, time, read):
    """Whoever wrote them, with whatever YAML."""
    assert read_timestamp(day, time) == read


def test_what_was_written_is_read_to_the_millisecond():
    """Cut, not rounded: never after the evaluation."""
    assert seconds_of("T".join(write_timestamp(1_795_348_800.9319))) == 1_795_348_800.931


ROWS = "# a\nlog:  # ours\n  - 'one'\n# between\n  - {odd: [1,  2]}\n  - \"three\"  # third\nmore: 1\n"


@pytest.mark.parametrize(
    ("after", "wanted"),
    [
        (("one", "three"), ROWS),
        (("new", "one", "three"), ROWS.replace("  - 'one'", "  - new\n  - 'one'")),
        (("one", "new", "three"), ROWS.replace("# between\n", "  - new\n# between\n")),
        (("three",), ROWS.replace("  - 'one'\n", "")),
        (("one", "one", "three"), ROWS.replace("# between\n", "  - one\n# between\n")),
    ],
)
def test_rows_that_stay_keep_their_bytes_and_so_do_odd_ones(after, wanted):
    """Also where two are alike; what the reader makes nothing of stays where it is."""
    assert set_rows(ROWS, "log", after, lambda row: row if isinstance(row, str) else None, str, "f") == wanted


def test_a_list_that_is_none_is_not_written_over():
    with pytest.raises(LimpetError, match="log is not a list: f"):
        set_rows("log: 3\n", "log", ["a"], str, str, "f")


LONG = "The section on caching does not say when entries become invalid, nor who may clear them"


def test_a_shortened_text_is_the_same_problem():
    """Two long ones that begin alike are two; a union has the first list's copy in full, the most urgent first."""
    short = BacklogItem("a", shorten_text(LONG))
    assert is_same_form(BacklogItem("a", LONG), short)
    assert not is_same_form(BacklogItem("b", LONG), short)
    assert not is_same_form(BacklogItem("a", LONG), BacklogItem("a", LONG + " again"))
    full, other = BacklogItem("a", LONG, "low"), BacklogItem("a", "x", "high")
    assert union([full], [BacklogItem("a", shorten_text(LONG), "low"), other]) == (other, full)


def test_bad_rows_are_left_out_and_bad_priorities_are_medium():
    """By whatever hand."""
    rows = ["x", {"item": ""}, {"item": 3}]
    rows += [{"item": " a\n b ", "priority": "URGENT"}, {"item": "c", "priority": "High"}]
    found = [(item.artifact, item.item, item.priority) for row in rows if (item := read_backlog_item(row, "k"))]
    assert found == [("k", "a b", "medium"), ("k", "c", "high")]


@given(st.text(max_size=80))
def test_a_shortened_text_fits_and_stays_as_it_is(text):
    """In bytes, of any script."""
    assert len(shorten_text(text).encode()) <= LONGEST
    assert shorten_text(shorten_text(text)) == shorten_text(text)


@given(st.lists(st.sampled_from(PRIORITIES), max_size=30))
def test_the_manifest_never_shows_more_than_ten_and_never_a_lesser_one(priorities):
    """Whatever comes in which order."""
    shown: tuple[BacklogItem, ...] = ()
    for number, priority in enumerate(priorities):
        shown, gone = show_form(shown, BacklogItem("a", str(number), priority), 10)
        assert not gone or len(gone) == 1 and rank(gone[0]) >= max(map(rank, shown))
    assert len(shown) == min(10, len(priorities))
    assert [rank(item) for item in shown] == sorted(map(PRIORITIES.index, priorities))[:10]
