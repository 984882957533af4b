"""Events appended: one file a writer."""

import os

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log.files import Actor, append_event, log_path
from limpet.ground.storage.json_lines import read_objects

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
