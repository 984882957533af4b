"""Git's answers about a repository, and no answer where there is none."""

import os
import shutil
import subprocess

import pytest

from limpet.ground import git
from limpet.ground.clock import iso

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
EARLY, LATE = 1_700_000_000.0, 1_700_500_000.0


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A repository with ``old``, ``new.txt`` committed later, and ``loose`` not at all; ``*.log`` is ignored."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "x")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "x@y.z")

    def commit(name, text, at):
        (tmp_path / name).write_text(text)
        dates = {f"GIT_{who}_DATE": iso(at) for who in ("AUTHOR", "COMMITTER")}
        for words in (("add", name), ("commit", "-q", "-m", name)):
            subprocess.run(["git", *words], cwd=tmp_path, env={**os.environ, **dates}, check=True)

    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    commit(".gitignore", "*.log\n", EARLY)
    commit("old", "1", EARLY)
    commit("new é.txt", "1", LATE)
    (tmp_path / "loose").write_text("1")
    (tmp_path / "x.log").write_text("1")
    return str(tmp_path)


def test_a_path_has_the_time_of_its_last_commit(root):
    """Names beyond ASCII come as they are, and what was never committed has no time."""
    assert git.commit_times(root, ["old", "new é.txt", "loose"], since=0.0) == {"old": EARLY, "new é.txt": LATE}


def test_what_git_knows_unchanged_has_its_id_and_what_changed_or_is_new_has_none(root, tmp_path):
    """Ignored files are left out, and a file that is put back has its id again."""
    before = git.content_ids(root)
    lengths = {".gitignore": 40, "old": 40, "new é.txt": 40, "loose": 0}
    assert {path: len(identity) for path, identity in before.items()} == lengths
    text = (tmp_path / "old").read_bytes()
    (tmp_path / "old").write_text("2")
    assert git.content_ids(root) == before | {"old": ""}
    (tmp_path / "old").write_bytes(text)
    assert git.content_ids(root) == before


@pytest.mark.parametrize("more", [0, 200])
def test_of_the_paths_asked_for_the_changed_and_untracked_are_uncommitted(root, tmp_path, more):
    """However many are asked for: few go onto the command line, many do not."""
    (tmp_path / "old").write_text("2")
    asked = ["old", "new é.txt", "loose", *(f"absent{number}" for number in range(more))]
    assert git.uncommitted(root, asked) == {"old", "loose", *asked[3:]}


def test_listed_files_are_those_that_git_does_not_ignore(root):
    assert git.listed_files(root) == [".gitignore", "loose", "new é.txt", "old"]
    assert (git.is_ignored(root, "x.log"), git.is_ignored(root, "old")) == (True, False)


def test_without_a_repository_there_is_no_answer(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    root = str(tmp_path)
    answers = [git.is_ignored(root, "a"), git.commit_times(root, ["a"], 0.0), git.content_ids(root)]
    assert [*answers, git.listed_files(root), git.uncommitted(root, ["a"])] == [None] * 5


@pytest.mark.parametrize("mark", [".git", ".limpet"])
def test_the_nearest_repository_or_project_is_found_upward(tmp_path, mark):
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "a" / mark).mkdir()
    assert git.repository_or_project(str(tmp_path / "a" / "b" / "c")) == str(tmp_path / "a")
