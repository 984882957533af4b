"""The daily maintenance with what the project knows of its conversations."""

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.memory.upkeep.actions import FileSession
from holdfast.operations.memory.offered import offered_cards
from holdfast.operations.memory.remember import remember
from holdfast.operations.memory.upkeep import keep_up
from holdfast.work.session import new_session, write_session

from ..callers import DEV, NOW, PERSON


@pytest.fixture
def over(workspace):
    """A project whose one conversation is over, with a memory for it."""
    state = new_session("talk", "claude-code", workspace.root, NOW)
    write_session(workspace, {**state, "ended": "2026-11-21T12:00:00Z"})
    remember(workspace, DEV, {"storage": "session"}, "For now.")
    return workspace


def places(workspace):
    """How long each memory is kept."""
    return [card.storage for card in offered_cards(workspace, PERSON.reader)]


def filed(cleaned):
    return [done.action.session for done in cleaned.done if isinstance(done.action, FileSession)]


def test_the_memories_of_a_conversation_that_is_over_are_filed(over):
    """Into the day's."""
    assert filed(keep_up(over, PERSON)) == ["talk"]
    assert places(over) == ["daily"]


def test_a_dry_run_says_so_and_does_nothing(over):
    """Twice the same."""
    assert filed(keep_up(over, PERSON, dry_run=True)) == filed(keep_up(over, PERSON, dry_run=True)) == ["talk"]
    assert places(over) == ["session"]


def test_an_agent_does_not_clean_up(over):
    """What goes is a person's to decide."""
    with pytest.raises(HoldfastError, match="only a person may clean up"):
        keep_up(over, DEV)
