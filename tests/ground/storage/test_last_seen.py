"""Marks of the last time: what they tell after a jump of the clock, in both directions."""

import os
import sys

import pytest

from limpet.ground.storage.last_seen import DAY, DOUBTFUL, LastSeen, note_seen, read_last_seen, steady_since

NOW = 2_000_000_000.0


@pytest.fixture
def mark(tmp_path):
    return str(tmp_path / "mark")


def test_what_was_noted_is_read(mark, tmp_path):
    """A spoilt mark counts from its own time; one that cannot be written is said."""
    assert read_last_seen(mark) == LastSeen()
    assert note_seen(mark, NOW, NOW - DAY)
    assert read_last_seen(mark) == LastSeen(NOW, NOW - DAY)
    with open(mark, "w", encoding="utf-8") as file:
        file.write("yesterday")
    os.utime(mark, (NOW, NOW))
    assert read_last_seen(mark) == LastSeen(NOW, NOW)
    assert sys.platform == "win32" or not note_seen(f"{mark}/mark", NOW, 0.0)


@pytest.mark.parametrize(
    ("last", "now", "since"),
    [
        (LastSeen(NOW, 5.0), NOW + DAY, 5.0),
        (LastSeen(NOW, 5.0), NOW + DOUBTFUL, NOW + DOUBTFUL),
        (LastSeen(), NOW, NOW),
        (LastSeen(NOW, NOW), NOW - DAY, 0.0),
        (LastSeen(NOW, 5.0), NOW - DAY, 5.0),
    ],
)
def test_since_when_the_clock_runs_without_a_jump(last, now, since):
    assert steady_since(last, now) == since
