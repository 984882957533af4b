"""Caches of projects that are gone go too, and no others."""

import os

import pytest

from limpet.engine.steps.start import remove_leftovers
from limpet.ground.storage.last_seen import DAY
from limpet.ground.storage.project_caches import gone_caches, remove_gone_caches
from limpet.ground.storage.user_folders import ROOT, cache_folder

from ...conversation import write

NOW = 2_000_000_000.0


@pytest.fixture
def moved(workspace):
    """The cache folder of a project that was moved away, last written at NOW."""
    remove_leftovers(workspace, 90, NOW)
    write(workspace.cached("status", "abc.json"), "{}")
    age(workspace.cache, NOW)
    os.rename(workspace.root, f"{workspace.root}-elsewhere")
    return workspace.cache


def age(folder, at):
    for place, _, names in os.walk(folder):
        for path in (place, *(os.path.join(place, name) for name in names)):
            os.utime(path, (at, at))


def test_they_go_after_the_days(moved):
    assert gone_caches(90, NOW + 89 * DAY) == ()
    assert gone_caches(0, NOW + 9000 * DAY) == ()
    assert gone_caches(90, NOW + 91 * DAY) == (moved,)
    assert remove_gone_caches(90, NOW + 91 * DAY) == 1
    assert not os.path.exists(moved)


def test_those_of_a_project_that_is_there_stay(workspace):
    """Without any cache nothing is gone."""
    assert not os.path.exists(cache_folder())
    assert remove_gone_caches(90, NOW) == 0
    remove_leftovers(workspace, 90, NOW)
    age(workspace.cache, NOW)
    assert remove_gone_caches(90, NOW + 900 * DAY) == 0


@pytest.mark.parametrize("root", ["", "relative", "/somewhere/else", None])
def test_a_folder_that_does_not_say_whose_it_is_stays(moved, root):
    """Somebody else's, or one that bears another name than its project's."""
    if root is None:
        os.unlink(os.path.join(moved, ROOT))
    else:
        write(os.path.join(moved, ROOT), root)
    age(moved, NOW)
    assert remove_gone_caches(90, NOW + 900 * DAY) == 0


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_among_them_is_not_followed(moved, tmp_path):
    os.rename(moved, tmp_path / "kept")
    os.symlink(tmp_path / "kept", moved)
    assert remove_gone_caches(90, NOW + 900 * DAY) == 0
    assert (tmp_path / "kept" / ROOT).exists()
