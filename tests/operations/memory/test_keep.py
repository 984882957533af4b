"""Where a memory is kept and how long."""

import os

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.operations.memory.keep import archive, forget, move, pin, undo
from holdfast.operations.memory.remember import remember

from ..callers import DEV, PERSON, events, indexed


@pytest.fixture
def key(workspace):
    """The id of an agent's memory."""
    return remember(workspace, DEV, {"scope": "private"}, "The queue is Redis.").stored.entry.id


def test_a_pinned_memory_can_be_let_go_again(workspace, key):
    """By a person."""
    assert pin(workspace, PERSON, key).stored.entry.pinned is True
    assert pin(workspace, PERSON, key, False).stored.entry.pinned is False


def test_an_owner_is_named_by_any_spelling(workspace, key):
    """As the agent is called when it is activated."""
    place = move(workspace, PERSON, key, owner="@Architect", storage="durable", why="its own").stored.place
    assert (place.owner, place.storage) == ("architect", "durable")
    assert events(workspace)[-1] == ("memory.moved", "its own")


@pytest.mark.parametrize(("put", "left"), [(archive, ["The queue is Redis."]), (forget, [])])
def test_what_was_put_away_comes_back(workspace, key, put, left):
    """The index follows each time."""
    away = put(workspace, PERSON, key, "not now")
    assert os.path.isfile(away.path) and away.unindexed == ""
    assert indexed(workspace) == left
    back = undo(workspace, PERSON, key)
    assert os.path.isfile(back.path) and not os.path.exists(away.path)
    assert indexed(workspace) == ["The queue is Redis."]


def test_an_agent_brings_nothing_back(workspace, key):
    """Nor pins it."""
    forget(workspace, DEV, key)
    for act in (undo, pin):
        with pytest.raises(HoldfastError, match="Only a person can"):
            act(workspace, DEV, key)
