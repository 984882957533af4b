"""Maintenance as it is carried out on files: in order, each action by itself."""

import os

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log import Actor
from limpet.memory.files import store
from limpet.memory.model.layout import memories
from limpet.memory.upkeep import (
    Archive,
    FileSession,
    FoldAccess,
    Purge,
    Share,
    UpkeepContext,
    carry_out_upkeep,
    plan_actions,
)

from .cards import make_card
from .indexes import NOW, SETTINGS, make_entry

ACTOR = Actor(writer="tests", now=NOW, retention=DEFAULTS["retention"])


def add(shared, name="b", owner="shared", **fields):
    entry = make_entry(name, f"Title {name}", **fields)
    return store.add_file(shared, entry.__dict__, lambda made: (owner, made.tier), ACTOR)


def do(shared, actions, *stored):
    """The problem of each action, "" for none."""
    cards = [make_card(id=each.entry.id, path=each.path) for each in stored]
    return [done.problem for done in carry_out_upkeep(shared, actions, cards, ACTOR)]


def paths(shared):
    return sorted(path for path, _ in store.scan_files(shared))


def test_accesses_are_written_into_the_file(shared):
    kept = add(shared)
    assert do(shared, [FoldAccess(kept.entry.id, 7, 60.0, "cold")], kept) == [""]
    entry = store.read_entry(shared, kept.path).entry
    assert (entry.access_count, entry.last_accessed, entry.tier) == (7, "1970-01-01T00:01:00Z", "cold")


def test_what_was_for_a_conversation_becomes_daily(shared):
    kept = [add(shared, name, storage="session", session="s") for name in "bc"]
    do(shared, [FileSession("s", tuple(each.entry.id for each in kept), "over")], *kept)
    assert all(path.startswith("shared/daily/2026-11-21/") for path in paths(shared))


def test_what_was_moved_is_found_by_the_next_action(shared):
    kept = add(shared, owner="dev")
    actions = [Share(kept.entry.id, "validated"), Archive(kept.entry.id, "old")]
    assert do(shared, actions, kept) == ["", ""]
    (path,) = paths(shared)
    assert path.startswith("archive/shared/daily/")


@pytest.mark.parametrize("state", ["current", "archive"])
def test_archiving_takes_it_out_of_sight_and_keeps_it(shared, state):
    """Only current entries are worked on."""
    kept = add(shared)
    card = make_card(id=kept.entry.id, path=kept.path, state=state)
    assert len(list(carry_out_upkeep(shared, [Archive(kept.entry.id, "old")], [card], ACTOR))) == (state == "current")
    assert paths(shared) == [f"archive/{kept.path}" if state == "current" else kept.path]


def test_purging_deletes_for_good(shared):
    path = store.forget_file(shared, add(shared).path, ACTOR)
    assert do(shared, [Purge(path, "days ago")]) == [""]
    assert paths(shared) == []


def test_one_that_fails_does_not_stop_the_next(shared):
    broken, good = add(shared, "b"), add(shared, "c")
    with open(os.path.join(memories(shared), *broken.path.split("/")), "w", encoding="utf-8") as file:
        file.write("---\nid: [\n")
    problems = do(shared, [FoldAccess(each.entry.id, 1, 60.0, "cold") for each in (broken, good)], broken, good)
    assert [bool(problem) for problem in problems] == [True, False]
    assert store.read_entry(shared, good.path).entry.tier == "cold"


def test_what_somebody_moved_meanwhile_is_left_to_the_next_maintenance(shared):
    gone, good = add(shared, "b"), add(shared, "c")
    store.archive_file(shared, gone.path, ACTOR)
    actions = [Archive(gone.entry.id, "old"), Archive("mem-2026-11-21-never", "old"), Archive(good.entry.id, "old")]
    assert do(shared, actions, gone, good) == [""]
    assert len(paths(shared)) == 2


def test_a_plan_knows_what_the_memories_files_tell(shared):
    """Forgotten files are read from the disk, whatever the caller knows beside them."""
    path = store.forget_file(shared, add(shared).path, ACTOR)
    later = NOW + 31 * 86_400.0
    assert plan_actions(shared, [], SETTINGS, later, UpkeepContext()) == [
        Purge(path, "Forgotten on 2027-01-15, 30 days ago or more")
    ]
    assert plan_actions(shared, [], SETTINGS, NOW, UpkeepContext()) == []
