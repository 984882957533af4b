"""Events appended: one file a writer."""

import os

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log import (
    Actor,
    append_event,
    blocks_folder,
    event_data,
    log_path,
    newest_first,
    read_events,
    read_new_events,
)
from limpet.ground.storage.json_lines import append_object, read_objects

ACTOR = Actor("claude-code hook", 1_795_348_800.5, DEFAULTS["retention"], session="s", agent="dev", why="asked")


def test_an_event_says_who_when_what_and_why(tmp_path):
    """The log is named after the writer, as a file name."""
    append_event(str(tmp_path), ACTOR, "memory.added", {"memory": "m"})
    (name,) = os.listdir(tmp_path / "events")
    (event,) = read_objects(str(tmp_path / "events" / name))
    assert name.startswith("claude-codehook-") and name.endswith(".jsonl")
    assert event == {
        "id": f"{1_795_348_800_500_000:x}-{os.getpid():x}",
        "time": "2026-11-22T12:00:00Z",
        "writer": "claude-code hook",
        "session": "s",
        "agent": "dev",
        "kind": "memory.added",
        "data": {"memory": "m"},
        "why": "asked",
    }


def test_a_log_may_have_a_name_of_its_own(tmp_path):
    """Agent and reason that nobody knows are null."""
    append_event(str(tmp_path), ACTOR.replace(agent="", why=""), "block", {}, file="one")
    (event,) = read_objects(log_path(str(tmp_path), "one"))
    assert (event["agent"], event["why"]) == (None, None)


def test_a_log_that_is_full_is_rotated(tmp_path):
    """As the configuration's ``retention`` says."""
    small = ACTOR.replace(retention={"events_bytes": 400, "rotated_files": 2})
    for _ in range(20):
        append_event(str(tmp_path), small, "k", {}, file="one")
    assert sorted(os.listdir(tmp_path / "events")) == ["one.jsonl", "one.jsonl.1", "one.jsonl.2"]


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
    assert (list(read_events(shared, "k")), list(read_new_events(shared, "k", {}))) == ([], [])
    assert newest_first(shared, "") == []


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


def test_an_event_that_tells_nothing_has_empty_data():
    """Whoever wrote it."""
    assert [event_data(event) for event in ({}, {"data": None}, {"data": [1]})] == [{}] * 3
