"""The form of the state files: days and times, and rows of lists that are changed in place."""

import datetime

import pytest

from limpet.ground.clock import seconds_of
from limpet.ground.errors import LimpetError
from limpet.work.documents.form import read_timestamp, set_rows, write_timestamp


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
