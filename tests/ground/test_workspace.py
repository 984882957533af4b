"""A project's folders: found upward, and from a linked worktree in the main one. No git is run, so none is needed."""

import os
import sys

import pytest

from limpet.ground import workspace
from limpet.ground.repository import ID
from limpet.ground.workspace import find_workspace, home_out_of_project, main_root, workspace_at, worktrees


@pytest.fixture
def main(tmp_path):
    """The root of a repository with a project in it."""
    root = tmp_path / "main"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / ID).write_text("main-0123456789abcdef\n")
    (root / ".limpet").mkdir()
    return root


@pytest.fixture
def linked(main, tmp_path):
    """The root of a linked worktree of it, as git lays it out, without a project of its own."""
    git = main / ".git" / "worktrees" / "linked"
    git.mkdir(parents=True)
    root = tmp_path / "linked"
    root.mkdir()
    (git / "commondir").write_text("../..\n")
    (git / "gitdir").write_text(f"{root / '.git'}\n")
    (root / ".git").write_text(f"gitdir: {git}\n")
    return root


def test_the_nearest_project_above_is_found(main, tmp_path, monkeypatch):
    """A file of that name is none; outside a project there is none."""
    inner = main / "packages" / "inner"
    (inner / ".limpet").mkdir(parents=True)
    (inner / "src").mkdir()
    (inner / "src" / ".limpet").write_text("")
    assert find_workspace(str(inner / "src")) == workspace_at(str(inner))
    monkeypatch.setattr(workspace, "FOLDER", ".limpet-of-no-project")  # whatever lies above the tests' folder
    assert find_workspace(str(tmp_path)) is None


def test_a_linked_worktree_shares_memories_with_the_main_one(main, linked):
    """Without a project of its own it uses that one, with a state of its own."""
    found, there = find_workspace(str(linked)), workspace_at(str(main))
    assert (found.root, found.home, found.shared) == (there.root, there.home, there.shared)
    assert found.state != there.state
    (linked / ".limpet").mkdir()
    found, there = find_workspace(str(linked)), workspace_at(str(main))
    assert (found.root, found.shared) == (str(linked), there.shared)
    assert found.state != there.state


def test_a_package_of_a_linked_worktree_belongs_to_that_of_the_main_one(main, linked):
    """Its own ``.limpet`` shares memories with the same package's there; without one, that of the package serves."""
    for root in (main, linked):
        (root / "packages" / "web").mkdir(parents=True)
    package = main / "packages" / "web"
    (package / ".limpet").mkdir()
    found, there = find_workspace(str(linked / "packages" / "web")), workspace_at(str(package))
    assert (found.home, found.shared) == (there.home, there.shared)
    (linked / "packages" / "web" / ".limpet").mkdir()
    found = find_workspace(str(linked / "packages" / "web"))
    assert (found.root, found.shared) == (str(linked / "packages" / "web"), workspace_at(str(package)).shared)
    assert found.shared != workspace_at(str(main)).shared


def test_the_main_root_is_that_of_the_repository_around(main, linked, tmp_path):
    """From any folder of any worktree; outside a repository there is none."""
    (linked / "src").mkdir()
    assert main_root(str(linked / "src")) == main_root(str(main)) == str(main)


@pytest.mark.parametrize("which", ["main", "linked"])
def test_all_worktrees_are_listed_from_any_of_them_its_own_first(main, linked, which):
    roots = {"main": str(main), "linked": str(linked)}
    first, *others = worktrees(roots[which])
    assert (first, {first, *others}) == (roots[which], set(roots.values()))


def test_a_pointer_that_names_no_repository_makes_no_worktree(tmp_path):
    """A submodule has such a file too, without ``commondir``."""
    (tmp_path / ".git").write_text("gitdir: ../.git/modules/x\n")
    assert worktrees(str(tmp_path)) == (str(tmp_path),)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX owners")
def test_a_strangers_folder_is_no_project(tmp_path, monkeypatch):
    """As in a shared parent such as /tmp."""
    (tmp_path / ".limpet").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: os.stat(tmp_path).st_uid + 1)
    assert find_workspace(str(tmp_path)) is None


def test_a_worktree_that_the_repository_does_not_name_is_its_own(main, linked, tmp_path):
    """Its ``.git`` file was copied, or made by hand."""
    copied = tmp_path / "copied"
    (copied / ".limpet").mkdir(parents=True)
    (copied / ".git").write_bytes((linked / ".git").read_bytes())
    assert workspace_at(str(copied)).shared != workspace_at(str(main)).shared


def test_a_record_outside_the_repository_proves_nothing(main, tmp_path):
    """It names the folder, but lies where the folder's maker may write."""
    forged = tmp_path / "forged"
    record = forged / "worktrees" / "x"
    record.mkdir(parents=True)
    (record / "commondir").write_text(f"{main / '.git'}\n")
    (record / "gitdir").write_text(f"{forged / '.git'}\n")
    (forged / ".git").write_text("gitdir: worktrees/x\n")
    assert workspace_at(str(forged)).shared != workspace_at(str(main)).shared


def test_a_relative_record_is_believed(main, linked):
    """As git writes with ``worktree.useRelativePaths``."""
    (main / ".git" / "worktrees" / "linked" / "gitdir").write_text("../../../../linked/.git\n")
    (linked / ".git").write_text("gitdir: ../main/.git/worktrees/linked\n")
    assert workspace_at(str(linked)).shared == workspace_at(str(main)).shared


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_linked_project_folder_counts_only_inside_the_project(main, tmp_path):
    inner = main / "inner"
    inner.mkdir()
    (inner / ".limpet").symlink_to("../.limpet")
    assert find_workspace(str(inner)) == workspace_at(str(main))
    assert home_out_of_project(str(inner)) == str(inner / ".limpet")
    (inner / "real").mkdir()
    (inner / ".limpet").unlink()
    (inner / ".limpet").symlink_to("real")
    assert find_workspace(str(inner)) == workspace_at(str(inner))
