"""What nobody comes back for goes; everything else stays."""

import os

import pytest

from limpet.engine.guard.watched import effects_folder
from limpet.engine.steps.start import DAY, remove_leftovers
from limpet.ground.storage.files import write_atomic
from limpet.ground.storage.last_seen import note_seen
from limpet.ground.trust.allowance import ASKED
from limpet.work.conversation import conversations_folder

from ...places import private_path

NOW = 2_000_000_000.0


def tidied(workspace, at):
    """The project is old, and was tidied then."""
    note_seen(workspace.cached("tidied"), at, 0.0)


def left_behind(workspace, name, days):
    """A conversation's state, figures, lock, project and a block, all touched this many days ago."""
    paths = [
        private_path(workspace, "sessions", f"{name}.json"),
        workspace.cached("status", f"{name}.json"),
        private_path(workspace, "locks", f"{name}.lock"),
        os.path.join(workspace.shared, "locks", f"capture-{name}.lock"),
        private_path(workspace, "continuation", f"{name}.md"),
        workspace.cached("spawned", f"{name}.log"),
        private_path(workspace, "events", f"{name}.jsonl"),
        private_path(workspace, "events", "blocks", name),
        os.path.join(conversations_folder(), name),
        workspace.kept(ASKED, name),
        os.path.join(effects_folder(workspace.state, name), "found"),
        os.path.join(effects_folder(workspace.state, name), "texts", "ab12"),
    ]
    for path in paths:
        write_atomic(path, "x")
        os.utime(path, (NOW - days * DAY,) * 2)
    return paths


def test_old_conversations_go_and_young_ones_stay(workspace):
    """Ninety days are kept."""
    tidied(workspace, NOW - 2 * DAY)
    old, young = left_behind(workspace, "old", 91), left_behind(workspace, "young", 89)
    remove_leftovers(workspace, 90, NOW)
    assert [path for path in old if os.path.exists(path)] == []
    assert [path for path in young if not os.path.exists(path)] == []


def test_the_newest_continuation_stays(workspace):
    """Who comes back after half a year goes on from it."""
    tidied(workspace, NOW - 2 * DAY)
    latest = private_path(workspace, "continuation", "latest.md")
    write_atomic(latest, "x")
    os.utime(latest, (NOW - 180 * DAY,) * 2)
    remove_leftovers(workspace, 90, NOW)
    assert os.path.exists(latest)


def test_it_runs_once_a_day(workspace):
    """A second start on the same day looks at nothing; the next day does."""
    tidied(workspace, NOW)
    old = left_behind(workspace, "old", 100)
    remove_leftovers(workspace, 90, NOW + DAY / 2)
    assert all(map(os.path.exists, old))
    remove_leftovers(workspace, 90, NOW + DAY + 1)
    assert not any(map(os.path.exists, old))


def test_zero_days_keep_everything(workspace):
    """Who wants all sessions kept says 0."""
    old = left_behind(workspace, "old", 5000)
    remove_leftovers(workspace, 0, NOW)
    assert all(map(os.path.exists, old))


def test_a_clock_that_jumps_removes_nothing(workspace):
    """Ten years ahead for one session start, and back: what looked old is not."""
    tidied(workspace, NOW)
    young = left_behind(workspace, "young", 1)
    remove_leftovers(workspace, 90, NOW + 3650 * DAY)
    remove_leftovers(workspace, 90, NOW + DAY + 1)
    assert all(map(os.path.exists, young))
    old = left_behind(workspace, "old", 100)
    remove_leftovers(workspace, 90, NOW + 3 * DAY)
    assert not any(map(os.path.exists, old))


@pytest.mark.parametrize("is_known", [True, False])
def test_after_a_jump_ahead_the_days_count_from_there(workspace, is_known):
    """The clock stays wrong, by sixty days; also where nobody knows the last time, as the caches were deleted."""
    if is_known:
        tidied(workspace, NOW)
    young = left_behind(workspace, "young", 1)
    for day in (60, 61, 62, 89):
        remove_leftovers(workspace, 30, NOW + day * DAY + 1)
    assert all(map(os.path.exists, young))
    remove_leftovers(workspace, 30, NOW + 91 * DAY)
    assert not any(map(os.path.exists, young))
