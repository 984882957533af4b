"""A client that was killed tells of no end: what its conversation taught is captured when the next one starts."""

import json
import os
import time

import pytest

from limpet.memory.candidates import read_candidate_files
from limpet.operations.memory.conversations.capture import catch_up

from ....conversation import write
from ....hook_host import Host
from ....places import private_path

SAID = {
    "type": "user",
    "uuid": "u1",
    "timestamp": "2026-11-21T10:00:00Z",
    "message": {"role": "user", "content": "Let's go with PostgreSQL for the job queue."},
}


@pytest.fixture
def left(workspace):
    """A project with a conversation whose transcript was left an hour ago; the path."""
    path = os.path.join(workspace.root, "left.jsonl")
    write(path, json.dumps(SAID) + "\n")
    os.utime(path, (time.time() - 3600, time.time() - 3600))
    Host(workspace).send("UserPromptSubmit", session_id="left", prompt="hello", transcript_path=path)
    os.utime(path, (time.time() - 3600, time.time() - 3600))
    return path


def caught(workspace, session="new"):
    return catch_up(workspace, time.time(), session)


def test_a_left_conversation_is_captured_once(workspace, left):
    """The second time there is nothing new in it."""
    assert (caught(workspace), caught(workspace)) == (1, 0)
    assert [one.quote for one in read_candidate_files(workspace.shared)] == [
        "Let's go with PostgreSQL for the job queue."
    ]


def test_one_that_is_still_spoken_in_is_left_alone(workspace, left):
    """Its own end, or the next start, is early enough."""
    os.utime(left)
    assert caught(workspace) == 0


def test_the_starting_conversation_is_not_captured_by_itself(workspace, left):
    """A resumed one goes on."""
    assert caught(workspace, session="left") == 0


def test_a_session_file_that_makes_no_sense_costs_nothing(workspace, left):
    """The others are caught up with."""
    write(private_path(workspace, "sessions", "odd.json"), "[")
    write(private_path(workspace, "sessions", "other.json"), '{"id": 7, "transcript": []}')
    os.remove(left)
    assert caught(workspace) == 0
