"""What to do next: the work's own word, else what follows from the newest move, else nothing."""

import pytest

from limpet.agents.suggestion import AFTER, suggest_next
from limpet.cli import limpet as command_line
from limpet.work.pipeline.briefing import NOTHING, Next


def test_the_work_itself_comes_first():
    """``<next>`` and greeting say the same (decision 48)."""
    following = {"command": "limpet story done", "words": "S-1"}
    assert suggest_next(following, ("story.added",)) == Next("S-1", "limpet story done")


def test_else_the_newest_move_counts():
    """An older one has been followed already."""
    assert suggest_next(None, ("story.added",)).command == "limpet story next"
    assert suggest_next(None, ("story.added", "work.resolved")) == NOTHING


def test_nothing_is_invented():
    """With neither there is no suggestion."""
    assert suggest_next(None, ()) == suggest_next({}, ("*brief",)) == NOTHING


@pytest.mark.parametrize("command", sorted(set(AFTER.values())))
def test_every_command_exists(command):
    """What a greeting names can be run."""
    found = command_line
    for word in command.split()[1:]:
        found = found.get_command(None, word)
    assert found is not None
