"""What a memory says, changed by fields, or by a person in the file itself; where it is kept and how long."""

import os

import pytest

from limpet.ground.errors import LimpetError
from limpet.operations.memory.change import (
    BY_HAND,
    REDACTED,
    archive_memory,
    check_by_hand,
    edit_memory,
    forget_memory,
    move_memory,
    open_by_hand,
    pin_memory,
    remember_memory,
    undo_change,
)
from limpet.operations.memory.view import shown_full_path

from ...leaks import TOKEN, leaks
from ..callers import DEV, events, indexed, opened


@pytest.fixture
def stored(workspace):
    """A memory of a person's."""
    return remember_memory(opened(workspace), {"tags": ("queue", "old")}, "The queue is Redis.").stored


def rewrite(workspace, stored, old, new):
    """Save the file as an editor does."""
    path = shown_full_path(workspace, stored.path)
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text.replace(old, new))


def test_fields_and_tags_change_in_one_go(workspace, stored):
    """The index knows the new words at once."""
    kept = edit_memory(
        opened(workspace), stored.entry.id, {"title": "The queue is RabbitMQ"}, ("new",), ("old",), "we moved"
    )
    assert (kept.stored.entry.tags, kept.changed) == (("queue", "new"), ("title", "tags"))
    assert indexed(workspace) == ["The queue is RabbitMQ"]
    assert events(workspace)[-1] == ("memory.changed", "we moved")


def test_tags_are_added_to_those_that_were_given(workspace, stored):
    """Not to those of before."""
    kept = edit_memory(opened(workspace), stored.entry.id, {"tags": ("a", "b")}, ("c",), ("a",))
    assert kept.stored.entry.tags == ("b", "c")


def test_no_secret_comes_in_by_an_edit(workspace, stored):
    """And its writer is told."""
    kept = edit_memory(opened(workspace), stored.entry.id, {"body": f"It is {TOKEN}."})
    assert (leaks(workspace, kept.stored.entry.body), kept.notices) == ([], (REDACTED,))


def test_an_agent_overrules_no_person(workspace, stored):
    """By this door as by every other."""
    with pytest.raises(LimpetError, match="may not change it"):
        edit_memory(opened(workspace, DEV), stored.entry.id, {"title": "Mine"})


def test_a_file_edited_by_hand_is_recorded_with_what_changed(workspace, stored):
    """The words themselves stay out of the log."""
    before = open_by_hand(opened(workspace), stored.entry.id)
    rewrite(workspace, before, "The queue is Redis.", "The queue is Kafka.")
    assert check_by_hand(opened(workspace), before) == ()
    assert events(workspace)[-1] == ("memory.changed", BY_HAND)
    assert indexed(workspace) == ["The queue is Kafka."]


def test_a_file_left_as_it_was_is_not_recorded(workspace, stored):
    """Looking is no change."""
    before = open_by_hand(opened(workspace), stored.entry.id)
    assert check_by_hand(opened(workspace), before) == ()
    assert [kind for kind, _ in events(workspace)] == ["memory.added"]


def test_a_mistake_is_told_and_nothing_recorded(workspace, stored):
    """Until the file can be read again."""
    before = open_by_hand(opened(workspace), stored.entry.id)
    rewrite(workspace, before, "type: semantic", "type: nonsense")
    assert check_by_hand(opened(workspace), before) != ()
    assert [kind for kind, _ in events(workspace)] == ["memory.added"]


def test_an_agent_edits_no_file_by_hand(workspace, stored):
    """It has the fields."""
    with pytest.raises(LimpetError, match="Only a person can edit the file directly"):
        open_by_hand(opened(workspace, DEV), stored.entry.id)


@pytest.fixture
def key(workspace):
    """The id of an agent's memory."""
    return remember_memory(opened(workspace, DEV), {"scope": "private"}, "The queue is Redis.").stored.entry.id


def test_a_pinned_memory_can_be_let_go_again(workspace, key):
    """By a person."""
    assert pin_memory(opened(workspace), key).stored.entry.pinned is True
    assert pin_memory(opened(workspace), key, False).stored.entry.pinned is False


def test_an_owner_is_named_by_any_spelling(workspace, key):
    """As the agent is called when it is activated."""
    place = move_memory(opened(workspace), key, owner="@Architect", storage="durable", why="its own").stored.place
    assert (place.owner, place.storage) == ("architect", "durable")
    assert events(workspace)[-1] == ("memory.moved", "its own")


@pytest.mark.parametrize(("put", "left"), [(archive_memory, ["The queue is Redis."]), (forget_memory, [])])
def test_what_was_put_away_comes_back(workspace, key, put, left):
    """The index follows each time."""
    away = put(opened(workspace), key, "not now")
    assert os.path.isfile(away.path) and away.notice == ""
    assert indexed(workspace) == left
    back = undo_change(opened(workspace), key)
    assert os.path.isfile(back.path) and not os.path.exists(away.path)
    assert indexed(workspace) == ["The queue is Redis."]


def test_an_agent_brings_nothing_back(workspace, key):
    """Nor pins it."""
    forget_memory(opened(workspace, DEV), key)
    for act in (undo_change, pin_memory):
        with pytest.raises(LimpetError, match="Only a person can"):
            act(opened(workspace, DEV), key)
