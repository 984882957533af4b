"""When conversations were last heard of."""

from holdfast.operations.conversations import last_activity
from holdfast.work.session import change_session, session_path

NOON = 1_795_262_400.0


def test_each_conversation_has_its_last_event(workspace, conversation):
    """In seconds since 1970."""
    change_session(workspace, conversation, {"last_activity": "2026-11-21T12:00:00Z"})
    assert last_activity(workspace) == {conversation: NOON}


def test_a_state_that_cannot_be_read_is_left_out(workspace, conversation):
    """And one without a moment was never heard of."""
    with open(session_path(workspace, "torn"), "w", encoding="utf-8") as file:
        file.write("{")
    change_session(workspace, conversation, {"last_activity": "soon"})
    assert last_activity(workspace) == {conversation: 0.0}


def test_without_conversations_there_is_nothing(workspace):
    """The folder need not be there."""
    assert last_activity(workspace) == {}
