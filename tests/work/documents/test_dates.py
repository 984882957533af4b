"""The timestamps of evaluations: a day, and the time beside it."""

import datetime

import pytest

from holdfast.ground.timestamps import seconds_of
from holdfast.work.documents.dates import read_timestamp, seconds_of_day, write_timestamp


@pytest.mark.parametrize(
    ("day", "time", "read"),
    [
        ("2026-02-20", None, ("2026-02-20", "")),
        ("2026-02-20", "12:00:05.931Z", ("2026-02-20", "12:00:05.931Z")),
        ("2026-02-20T12:00:05Z", None, ("2026-02-20", "12:00:05Z")),
        ("2026-02-20T00:30:00+01:00", None, ("2026-02-19", "23:30:00.000Z")),
        (datetime.date(2026, 2, 20), None, ("2026-02-20", "")),
        (datetime.datetime(2026, 2, 20, 12, 0, 5), None, ("2026-02-20", "12:00:05Z")),
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
    assert seconds_of_day(*write_timestamp(1_795_348_800.9319)) == 1_795_348_800.931


def test_a_day_without_a_time_begins_at_midnight():
    """So that nothing of that day is missed; no day is the beginning of time."""
    assert (seconds_of_day("2026-02-20"), seconds_of_day("")) == (seconds_of("2026-02-20T00:00:00Z"), 0.0)
