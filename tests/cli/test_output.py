"""Timestamps as people type them."""

import time

import click
import pytest

from limpet.cli.output import end_timestamp, timestamp
from limpet.ground.clock import seconds_of


@pytest.mark.parametrize("text", ["2026-11-21", "2026-11-21T12:00", " 2026-11-21T12:00+01:00 "])
def test_a_day_or_a_time_is_read_as_files_have_it(text):
    """In UTC unless a zone is said."""
    assert timestamp(text) == seconds_of(text.strip())


@pytest.mark.parametrize(("text", "hours"), [("12h", 12), ("7d", 168), (" 2 w ", 336)])
def test_it_may_be_said_how_long_ago(text, hours, monkeypatch):
    """In hours, days and weeks."""
    monkeypatch.setattr(time, "time", lambda: 1.8e9)
    assert timestamp(text) == 1.8e9 - hours * 3600


def test_a_day_as_an_end_is_its_last_second():
    """Of a time it is the time itself."""
    assert end_timestamp("2026-11-21") == seconds_of("2026-11-21T23:59:59Z")
    assert end_timestamp("2026-11-21T12:00") == seconds_of("2026-11-21T12:00")


@pytest.mark.parametrize("text", ["soon", "", "5y", "2026-02-30"])
def test_what_is_neither_is_refused_with_the_forms_that_are_known(text):
    """As an option's mistake."""
    with pytest.raises(click.BadParameter, match="Use 2026-11-21, 2026-11-21T12:00, 12h, 7d or 2w"):
        timestamp(text)
