"""Of what earlier versions left in the project, files of our own names go and nothing else."""

import os

import pytest

from holdfast.ground.storage.old_places import old_files, remove_old_files
from holdfast.ground.storage.user_folders import project_state

from ...conversation import write

OLD = (
    *("plan", "mirror.json", "mirror.failed", "memory.db", "memory.db-wal", "memory-vectors.db", "tidied", "kept"),
    *("maintained", "session.yaml.lock", "status/abc.json", "spawned/abc.log", "holdfast-12-34.tmp"),
    *("memory-fast/meta.json", "memory-fast/0123456789abcdef0123456789abcdef.term"),
)
OTHERS = (
    *("plan.txt", "locks/abc.lock", "removed/2026/global", "status/my notes.json", "spawned/run.txt", "mine/plan"),
    *("memory-fast/thesis.term", "memory.db.aside-1"),
)


@pytest.fixture
def cache(shared):
    """The folder with files of either kind."""
    for name in (*OLD, *OTHERS):
        write(os.path.join(shared, "cache", *name.split("/")), "x")
    return os.path.join(shared, "cache")


def listed(folder):
    found = {os.path.join(place, name) for place, _, names in os.walk(folder) for name in names}
    return {os.path.relpath(path, folder).replace(os.sep, "/") for path in found}


def test_files_of_our_names_go_and_others_stay(shared, cache):
    assert len(old_files(shared)) == len(OLD)
    assert remove_old_files(shared) == len(OLD)
    assert listed(cache) == set(OTHERS)
    assert (old_files(shared), remove_old_files(shared)) == ((), 0)


def test_folders_that_are_empty_then_go(shared):
    write(os.path.join(shared, "cache", "status", "abc.json"), "{}")
    write(os.path.join(shared, "cache", "locks", "abc.lock"), "")
    remove_old_files(shared)
    assert os.listdir(os.path.join(shared, "cache")) == ["locks"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("linked", ["cache", "cache/status", "cache/plan"])
def test_no_link_is_followed(shared, tmp_path, linked):
    """A checkout may name a person's folder."""
    victim = tmp_path / "victim"
    write(str(victim / "status" / "abc.json"), "mine")
    write(str(victim / "abc.json"), "mine")
    write(str(victim / "plan"), "mine")
    place = os.path.join(shared, *linked.split("/"))
    os.makedirs(os.path.dirname(place), exist_ok=True)
    os.symlink(victim / "plan" if linked == "cache/plan" else victim, place)
    remove_old_files(shared)
    assert listed(victim) == {"status/abc.json", "abc.json", "plan"}
    assert os.path.islink(place)


def test_the_record_of_the_installation_goes_once_the_user_has_it(shared):
    write(os.path.join(shared, "install.json"), "{}")
    assert remove_old_files(shared) == 0
    write(os.path.join(project_state(shared), "install.json"), "{}")
    assert remove_old_files(shared) == 1
    assert not os.path.exists(os.path.join(shared, "install.json"))
