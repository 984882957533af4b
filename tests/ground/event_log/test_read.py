"""The event log read: by kind, since the last time, or the newest first."""

import os

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log.files import Actor, append_event, blocks_folder, log_path
from limpet.ground.event_log.read import event_data, newest_first, read_events, read_new_events
from limpet.ground.storage.json_lines import append_object


def append(shared, number, kind="k", file="one", retention=DEFAULTS["retention"]):
    append_event(shared, Actor("test", 1.8e9, retention), kind, {"n": number}, file)


def numbers(events):
    return [event_data(event)["n"] for event in events]


def test_events_of_a_kind_come_from_all_logs(shared):
    """One log after another; what merely speaks of the kind is none, nor is a block that was kept."""
    append(shared, 1, file="b")
    append(shared, 2, file="a")
    append(shared, 3, kind="other")
    append_object(log_path(shared, "a"), {"kind": "other", "data": {"n": "k"}}, 10**6)
    os.makedirs(blocks_folder(shared))
    assert numbers(read_events(shared, "k")) == [2, 1]
    assert numbers(read_events(shared, "k", file="b")) == [1]


def test_where_nothing_was_logged_there_is_nothing(shared):
    """The folder is not there yet."""
    assert (list(read_events(shared, "k")), list(read_new_events(shared, "k", {})), newest_first(shared, "")) == (
        [],
        [],
        [],
    )


def test_events_are_read_once_though_their_log_is_rotated(shared):
    """A log is known by its inode."""
    offsets = {}
    append(shared, 1)
    first = numbers(read_new_events(shared, "k", offsets))
    append(shared, 2)
    os.rename(log_path(shared, "one"), log_path(shared, "one") + ".1")
    append(shared, 3)
    assert (first, sorted(numbers(read_new_events(shared, "k", offsets)))) == ([1], [2, 3])
    assert numbers(read_new_events(shared, "k", offsets)) == []


def test_the_newest_come_first_log_by_log(shared):
    """Of the logs that were asked for, each with what was rotated out of it."""
    small = {"events_bytes": 400, "rotated_files": 9}
    for number in range(8):
        append(shared, number, file="errors-a", retention=small)
    append(shared, 9, file="errors-b")
    append(shared, 10, file="other")
    assert [numbers(log) for log in newest_first(shared, "errors-")] == [[7, 6, 5, 4, 3, 2, 1, 0], [9]]


@pytest.mark.parametrize("event", [{}, {"data": None}, {"data": [1]}])
def test_an_event_that_tells_nothing_has_empty_data(event):
    """Whoever wrote it."""
    assert event_data(event) == {}
