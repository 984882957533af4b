"""Which program is started for a name: none that lies in the project, however it came onto PATH."""

import os

import pytest

from limpet.ground.programs import program_on_path

from ..hook_host import POSIX

pytestmark = POSIX


def put(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def places(tmp_path, user):
    """A repository with a project in it, and the system's own folder."""
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "app").mkdir()
    put(tmp_path / "system" / "git")
    return tmp_path


def found(places, *folders, root="repo/app"):
    path = os.pathsep.join([*map(str, folders), str(places / "system")])
    return os.path.relpath(program_on_path("git", str(places / root), path), places)


@pytest.mark.parametrize("inside", ["repo/app/.venv/bin", "repo/.venv/bin", "repo"])
def test_the_projects_own_is_passed_over(places, inside):
    """Also that of the repository around it."""
    put(places / inside / "git")
    assert found(places, places / inside) == "system/git"


def test_a_link_into_the_project_is_passed_over(places):
    """Of the program, or of its folder."""
    real = put(places / "repo" / "bin" / "git")
    (places / "links").mkdir()
    os.symlink(real, places / "links" / "git")
    os.symlink(places / "repo" / "bin", places / "folder")
    assert found(places, places / "links", places / "folder") == "system/git"


def test_a_link_in_the_project_is_passed_over_too(places):
    """Whoever may write there may make it another one."""
    (places / "repo" / "bin").mkdir()
    os.symlink(places / "system" / "git", places / "repo" / "bin" / "git")
    assert found(places, places / "repo" / "bin") == "system/git"


def test_what_is_elsewhere_counts_in_its_order(places):
    put(places / "other" / "git")
    assert found(places, places / "other") == "other/git"
    assert found(places, "", ".", "bin") == "system/git"


def test_where_home_is_the_project_what_is_installed_there_is_the_users(places, user):
    put(user / ".local" / "bin" / "git")
    assert found(places, user / ".local" / "bin", root="home") == "home/.local/bin/git"


def test_where_only_the_project_has_one_there_is_none(places):
    path = os.path.dirname(put(places / "repo" / "bin" / "hg"))
    assert program_on_path("hg", str(places / "repo"), path) == ""
