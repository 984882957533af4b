"""The daily maintenance with what the project knows of its conversations."""

import os

import pytest

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import write_atomic
from limpet.memory.files.store import maintained_path
from limpet.memory.upkeep import FileSession, Purge
from limpet.operations.figures import offered_cards
from limpet.operations.memory.change import forget_memory, remember_memory, undo_change
from limpet.operations.memory.upkeep import keep_up
from limpet.work.session import new_session, write_session

from ...places import private_path
from ..callers import DEV, NOW, PERSON, opened

DAY = 86_400


@pytest.fixture
def over(workspace):
    """A project whose one conversation is over, with a memory for it."""
    state = new_session("talk", "claude-code", workspace.root, NOW)
    write_session(workspace, {**state, "ended": "2026-11-21T12:00:00Z"})
    remember_memory(opened(workspace, DEV), {"storage": "session"}, "For now.")
    return workspace


def places(workspace):
    """How long each memory is kept."""
    return [card.storage for card in offered_cards(workspace, PERSON.reader)]


def filed(cleaned):
    return [done.action.session for done in cleaned.done if isinstance(done.action, FileSession)]


def test_the_memories_of_a_conversation_that_is_over_are_filed(over):
    """Into the day's, by a person; a dry run says so, twice the same, and does nothing."""
    with pytest.raises(LimpetError, match="Only a person can clean up"):
        keep_up(opened(over, DEV))
    assert filed(keep_up(opened(over), dry_run=True)) == filed(keep_up(opened(over), dry_run=True)) == ["talk"]
    assert places(over) == ["session"]
    assert filed(keep_up(opened(over))) == ["talk"]
    assert places(over) == ["daily"]


def at(days):
    """A person, so many days later."""
    return PERSON.replace(now=NOW + days * DAY)


@pytest.fixture
def forgotten(workspace):
    """A project that is maintained, in which a person has just forgotten a memory; its id."""
    kept = remember_memory(opened(workspace), {"storage": "durable"}, "Wrong.")
    keep_up(opened(workspace, at(-1)))
    keep_up(opened(workspace))
    forget_memory(opened(workspace), kept.stored.entry.id)
    return kept.stored.entry.id


def purged(workspace, caller):
    return any(isinstance(done.action, Purge) for done in keep_up(opened(workspace, caller)).done)


@pytest.mark.parametrize(
    ("kept", "gone"),
    [(range(1, 30), 30), ((60, 61, 75, 89), 90), ((60, 1, 2, 15, 29), 30)],
    ids=["maintained every day", "sixty days ahead, and stays there", "sixty days ahead and back"],
)
def test_what_was_forgotten_goes_after_thirty_days(workspace, forgotten, kept, gone):
    """Whatever the clock does meanwhile: after a jump to stay, they count from then."""
    assert not any(purged(workspace, at(day)) for day in kept)
    assert purged(workspace, at(gone))


def test_what_is_forgotten_by_a_clock_that_went_back_can_be_undone(workspace, forgotten):
    """Forgotten in 1970, as by a flat battery; the clock is right again the next day."""
    kept = remember_memory(opened(workspace), {"storage": "durable"}, "Wrong too.").stored.entry.id
    forget_memory(opened(workspace, PERSON.replace(now=1000.0)), kept)
    assert not purged(workspace, at(1))
    assert undo_change(opened(workspace, at(2)), kept)


def test_without_a_mark_nothing_goes_yet(workspace, forgotten):
    """A deleted cache begins the days anew; a dry run begins nothing."""
    os.unlink(maintained_path(workspace.shared))
    keep_up(opened(workspace, at(40)), dry_run=True)
    assert not os.path.exists(maintained_path(workspace.shared))
    assert not any(purged(workspace, at(day)) for day in (40, 41, 69))
    assert purged(workspace, at(70))


def test_drafts_that_killed_writers_left_go_after_an_hour(workspace):
    """Wherever they lie in the project's folder; a person's file of a like name stays."""
    old, young, own = (
        private_path(workspace, "sessions", name) for name in ("limpet-1-2.tmp", "s.json.3.4.tmp", "mine.tmp")
    )
    for path, age in ((old, 3601), (young, 60), (own, 9999)):
        write_atomic(path, "x")
        os.utime(path, (NOW - age,) * 2)
    assert keep_up(opened(workspace), dry_run=True).drafts == (old,)
    assert keep_up(opened(workspace)).drafts == (old,)
    assert [os.path.exists(path) for path in (old, young, own)] == [False, True, True]


@pytest.mark.parametrize("jumps", [(60, 0), (-60, 0), (60, 60.5), (-60, -59.5)], ids=str)
def test_a_clock_that_jumps_puts_no_memory_away(workspace, forgotten, jumps):
    """There and back, or to stay: what is unused, what expires and what belongs to a conversation stays where it is."""
    soon = iso(NOW + 30 * DAY)
    for fields in ({"storage": "daily"}, {"storage": "daily", "expires_at": soon}, {"storage": "session"}):
        remember_memory(opened(workspace, PERSON.replace(surroundings=DEV.surroundings)), fields, f"For {fields}")
    write_session(workspace, new_session("talk", "claude-code", workspace.root, NOW))
    for day in jumps:
        keep_up(opened(workspace, at(day)))
        assert places(workspace) == ["daily", "daily", "session"]
    assert undo_change(opened(workspace, at(jumps[-1])), forgotten)
