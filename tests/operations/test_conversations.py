"""The conversations of a project, whatever state their files are in."""

import json
import os

import pytest

from limpet.ground.errors import LimpetError
from limpet.operations.conversations import ended_conversations, last_activity, newest_conversation, read_conversation
from limpet.work.session import change_session, session_path

from ..places import private_path

NOON = 1_795_262_400.0


def write(workspace, name, text):
    """A private file of the project."""
    path = private_path(workspace, *name.split("/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    return path


def test_each_conversation_has_its_last_event(workspace, request):
    """In seconds since 1970; one without a moment was never heard of, and a state that cannot be read is left out."""
    assert last_activity(workspace) == {}
    conversation = request.getfixturevalue("conversation")
    change_session(workspace, conversation, {"last_activity": "2026-11-21T12:00:00Z"})
    assert last_activity(workspace) == {conversation: NOON}
    with open(session_path(workspace, "torn"), "w", encoding="utf-8") as file:
        file.write("{")
    change_session(workspace, conversation, {"last_activity": "soon"})
    assert last_activity(workspace) == {conversation: 0.0}


def test_the_newest_conversation_is_the_one_written_last(workspace):
    """A damaged file is passed over and stays where it is."""
    for age, name in enumerate(["a", "b", "broken"]):
        path = write(workspace, f"sessions/{name}.json", json.dumps({"id": name}) if name != "broken" else "{")
        os.utime(path, (1_000_000 + age, 1_000_000 + age))
    assert newest_conversation(workspace)["id"] == "b"
    assert os.path.exists(private_path(workspace, "sessions", "broken.json"))


def test_an_unknown_conversation_is_refused_with_the_newest_one_named(workspace):
    """So that a person can go on."""
    write(workspace, "sessions/a.json", json.dumps({"id": "a"}))
    with pytest.raises(LimpetError, match="No conversation with this ID: zzz. The newest one is a"):
        read_conversation(workspace, "zzz")


def test_a_state_is_read_with_every_field(workspace):
    """What an older or foreign file lacks, or holds in another shape, is as in a new conversation."""
    write(workspace, "sessions/a.json", json.dumps({"id": "a", "usage": {"used": 3}, "prompt_count": "many"}))
    state = read_conversation(workspace, "a")
    assert (state["usage"], state["prompt_count"], state["claims"]) == (None, 0, [])


def test_a_conversation_is_over_when_its_end_was_told(workspace, conversation):
    """And no other."""
    write(workspace, "sessions/b.json", json.dumps({"id": "b", "ended": "2026-11-21T12:00:00Z"}))
    assert ended_conversations(workspace) == {"b"}
