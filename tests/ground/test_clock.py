"""A clock says how long may be waited."""

import threading

import pytest

from limpet.ground.clock import Clock, iso, lasting, parse_timestamp, seconds_of


@pytest.mark.parametrize(("now", "wanted", "left"), [(0.0, 2.0, 2.0), (3.0, 2.0, 1.5), (4.5, 2.0, 0.0)])
def test_no_wait_goes_beyond_the_deadline(now, wanted, left):
    """Without one it is as long as wanted."""
    assert Clock(timer=lambda: now, deadline=4.5).left(wanted) == left
    assert Clock().left(wanted) == wanted


def test_a_deadline_lies_ahead():
    assert 59 < lasting(60).left() <= 60


@pytest.mark.parametrize(("worked", "now", "rings"), [(5.9, 8.9, False), (6.0, 7.0, True), (5.0, 9.0, True)])
def test_own_computing_is_late_by_the_processors_time_and_at_the_end(worked, now, rings):
    """Decision 67: what others do with the processor meanwhile is no reason."""
    at = {"worked": 5.0, "timer": 7.0}
    alarm = Clock(worked=lambda: at["worked"], timer=lambda: at["timer"], end=9.0).alarm(1.0)
    at.update(worked=worked, timer=now)
    assert alarm() is rings


def test_the_processors_time_passes_only_with_work():
    """Of a real clock, which a sleep does not set off and work does."""
    alarm = Clock().alarm(0.02)
    threading.Event().wait(0.02)
    assert not alarm()
    while not alarm():
        pass


NOON = 1_795_348_800.0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2026-11-22T12:00:00Z", NOON),
        ("2026-11-22T12:00:00", NOON),
        ("2026-11-22 13:00:00+01:00", NOON),
        ("2026-11-22T12:00:00.250Z", NOON + 0.25),
        ("2026-11-22", NOON - 43_200),
        (iso(NOON), NOON),
    ],
)
def test_a_date_or_time_is_read_in_utc_unless_it_names_a_zone(text, seconds):
    """As files of all writers have it."""
    assert (seconds_of(text), parse_timestamp(text).timestamp()) == (seconds, seconds)


@pytest.mark.parametrize(
    "value", ["", "yesterday", "2026-13-01", "0001-01-01T00:00:00+23:00x", None, 5, ["2026-11-22"]]
)
def test_what_is_no_timestamp_is_the_beginning_of_time(value):
    """For who only compares; who must tell somebody gets an error."""
    assert seconds_of(value) == 0.0
    with pytest.raises(ValueError, match="yesterday"):
        parse_timestamp("yesterday")
