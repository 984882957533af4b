"""A move is written, then told to the audit log."""

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.append import Actor
from holdfast.work.journal import make_move
from holdfast.work.pipeline.backlog import add_item, change_item
from holdfast.work.project import read_project

from ..event_log import logged

ACTOR = Actor("person", 1_792_584_000.0, {"events_bytes": 5_000_000, "rotated_files": 3}, "abc")


def test_a_move_is_in_the_session_and_in_the_log(workspace):
    """Who, when, in which conversation, what."""
    session, move = make_move(workspace, lambda session: add_item(session, "Rate limit", ACTOR.now), ACTOR)
    assert session == read_project(workspace)[0]
    (event,) = logged(workspace.shared)
    assert (event["kind"], event["writer"], event["session"]) == ("work.backlog_added", "person", "abc")
    assert (event["time"], event["data"]) == ("2026-10-21T12:00:00Z", move.data)


def test_a_refused_move_is_in_neither(workspace):
    """Nothing happened."""
    with pytest.raises(HoldfastError):
        make_move(workspace, lambda session: change_item(session, "BL-001", status="done"), ACTOR)
    assert (read_project(workspace)[0], logged(workspace.shared)) == ({}, [])


def test_a_log_that_cannot_be_written_does_not_undo_the_move(workspace):
    """The session is the truth."""
    with open(workspace.path("events"), "w", encoding="utf-8"):
        pass
    make_move(workspace, lambda session: add_item(session, "Rate limit", ACTOR.now), ACTOR)
    assert read_project(workspace)[0]["backlog"][0]["title"] == "Rate limit"
