"""Events put on record: without secrets, and never in the way of what they tell of."""

import os

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log import Actor, read_events
from limpet.ground.recording import record
from limpet.ground.storage.durable import write_durably

from ..places import private_path

ACTOR = Actor("person", 1.8e9, DEFAULTS["retention"], why="the token is sk-ant-" + "a1B2" * 10)
ENVIRONMENT = "DATABASE_SECRET=correct-horse-7-battery\n"


@pytest.mark.parametrize("by", ["workspace", "folder"])
def test_neither_data_nor_reason_hold_a_secret(workspace, by):
    """Of a known form, or of the project's ``.env``."""
    with open(os.path.join(workspace.root, ".env"), "w", encoding="utf-8") as file:
        file.write(ENVIRONMENT)
    place = workspace if by == "workspace" else workspace.shared
    record(place, ACTOR, "k", {"a": ["correct-horse-7-battery"], "n": 1})
    (event,) = read_events(workspace.shared, "k")
    assert event["data"] == {"a": ["[redacted:known-secret]"], "n": 1}
    assert event["why"].startswith("the token is [redacted:")


def test_ids_and_paths_stay_as_they_are(workspace):
    """They are what the log is asked for."""
    data = {
        "ids": ["mem-2026-11-21-a1B2c3D4"],
        "path": "session/2f1a7c9e-1b2c-4d5e-8f90-123456789abc/2026-11-21-use-sqlite-for-the-index-a1b2c3d4.md",
        "story": "STORY-12.3",
    }
    record(workspace, ACTOR, "k", data)
    assert next(read_events(workspace.shared, "k"))["data"] == data


@pytest.mark.parametrize("data", [{"a": object()}, {1: "a"}, {}], ids=["value", "key", "a disk that refuses"])
def test_data_that_is_no_json_loses_the_line(workspace, data):
    """Not the change that it tells of; so does a disk that refuses."""
    if not data:
        write_durably(private_path(workspace, "events"), "")
    record(workspace, ACTOR, "k", data)
    assert list(read_events(workspace.shared, "k")) == []
