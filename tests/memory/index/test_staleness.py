"""Staleness: what git and the files' own times say about the files that entries cite."""

import os
import shutil
import subprocess
import time

import pytest

from limpet.ground.clock import Patience, iso
from limpet.memory.index import staleness
from limpet.memory.index.staleness import find_stale, read_changes, resolve_citations

from ...memories import Memories
from ..indexes import cards

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
WRITTEN = 1_700_000_000.0
BEFORE, AFTER = WRITTEN - 1000, WRITTEN + 1000


class Project:
    """A folder, with a repository if it is told so, in which the test sets the time of each change."""

    def __init__(self, root):
        self.root = str(root)

    def write(self, name, text, timestamp):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.utime(path, (timestamp, timestamp))

    def git(self, *words, timestamp=BEFORE):
        identity = {f"GIT_{who}_{what}": "x@y.z" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        dates = {"GIT_AUTHOR_DATE": iso(timestamp), "GIT_COMMITTER_DATE": iso(timestamp)}
        environment = {**os.environ, **identity, **dates}
        subprocess.run(["git", *words], cwd=self.root, env=environment, check=True, capture_output=True)

    def commit(self, timestamp):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x", timestamp=timestamp)

    def stale(self, *paths, since=WRITTEN):
        return find_stale({"m": (paths, since)}, self.root).get("m", ())


@pytest.fixture
def plain(tmp_path, monkeypatch):
    monkeypatch.setattr(staleness, "PATIENCE", Patience(40.0))
    return Project(tmp_path)


@pytest.fixture
def repository(plain):
    plain.git("init", "-q", "-b", "main")
    plain.write("src/a.py", "one", BEFORE)
    plain.commit(BEFORE)
    return plain


# The judging


def test_a_path_is_stale_that_changed_in_a_later_second(plain):
    """And none of an entry of no known date."""
    for name, timestamp in (("a", 99.5), ("b", 100.9), ("c", 101.0)):
        plain.write(name, "x", timestamp)
    assert plain.stale("a", "b", "c", "unknown", since=100.4) == ("c",)
    assert plain.stale("a", "gone.py", since=0.0) == ()


# The reading, without git


def test_without_git_the_files_own_times_decide(plain):
    """Also of a path from the disk's root that leads into the project; a folder is not judged."""
    plain.write("old.py", "x", BEFORE)
    plain.write("src/new.py", "x", AFTER)
    full = os.path.join(plain.root, "src", "new.py")
    assert plain.stale("old.py", "src/new.py", full, "src") == ("src/new.py", full)


def test_without_git_a_file_that_is_missing_from_its_folder_is_gone(plain):
    plain.write("src/file.py", "x", BEFORE)
    assert plain.stale("src/gone.py", "gone.py", "src/file.py/not-a-folder.py", "and/or.py") == ("src/gone.py",)


@pytest.mark.parametrize("path", [
    "../outside.py", "/etc/hostname", "src/../../outside.py", ".", "", "a\0b", "C:/x\ny", "~/a.py",
    "https://a.b/c.js",
])  # fmt: skip
def test_what_lies_outside_or_is_no_path_is_not_looked_at(plain, path):
    plain.root = os.path.join(plain.root, "project")
    plain.write("src/a.py", "x", BEFORE)
    plain.write("../outside.py", "x", AFTER)
    assert plain.stale(path) == ()


# The reading, with git


@needs_git
@pytest.mark.parametrize(
    ("text", "written", "commits", "is_stale"),
    [
        ("second", AFTER, [AFTER], True),
        ("second", BEFORE, [AFTER], False),
        ("one", AFTER, [], False),
        ("second", AFTER, [AFTER, BEFORE], True),
    ],
    ids=["committed later", "known to the entry", "only written anew", "a commit of a slow clock comes after"],
)
def test_a_change_after_the_entry_makes_it_stale(repository, text, written, commits, is_stale):
    """A file that git never knew is not gone."""
    repository.write("src/a.py", text, written)
    for each in commits:
        repository.commit(each)
    assert repository.stale("src/a.py", "src/planned.py") == (("src/a.py",) if is_stale else ())


@needs_git
@pytest.mark.parametrize(("committed", "is_stale"), [(None, True), (AFTER, True), (WRITTEN - 2 * 86_400, False)])
def test_a_file_that_was_removed_after_the_entry_makes_it_stale(repository, committed, is_stale):
    os.remove(os.path.join(repository.root, "src", "a.py"))
    if committed:
        repository.commit(committed)
    assert repository.stale("src/a.py") == (("src/a.py",) if is_stale else ())


@needs_git
@pytest.mark.parametrize("staged", [False, True])
def test_an_uncommitted_edit_after_the_entry_makes_it_stale(repository, staged):
    repository.write("src/a.py", "second", AFTER)
    if staged:
        repository.git("add", "-A")
    assert repository.stale("src/a.py") == ("src/a.py",)


@needs_git
@pytest.mark.parametrize("ignored", ["", "new.py"])
def test_a_file_that_git_does_not_keep_is_judged_by_its_own_time(repository, ignored):
    repository.write(".gitignore", ignored, BEFORE)
    repository.write("new.py", "x", AFTER)
    assert repository.stale("new.py") == ("new.py",)


@needs_git
def test_a_merge_brings_its_changes_at_its_own_time(repository):
    repository.git("checkout", "-q", "-b", "feature")
    repository.write("src/a.py", "second", BEFORE)
    repository.commit(BEFORE)
    repository.git("checkout", "-q", "main")
    repository.commit(BEFORE)
    repository.git("merge", "-q", "feature", "-m", "x", timestamp=AFTER)
    assert repository.stale("src/a.py") == ("src/a.py",)


@needs_git
def test_a_project_below_the_repositorys_top_is_found(repository):
    repository.write("part/b [x] é.py", "one", BEFORE)
    repository.write("part/c.py", "kept", AFTER)
    repository.commit(BEFORE)
    repository.write("part/b [x] é.py", "second", AFTER)
    repository.commit(AFTER)
    repository.root = os.path.join(repository.root, "part")
    assert repository.stale("b [x] é.py", "c.py") == ("b [x] é.py",)


@needs_git
def test_a_repository_without_a_commit_leaves_it_to_the_files_times(plain):
    plain.git("init", "-q")
    plain.write("a.py", "x", AFTER)
    assert plain.stale("a.py") == ("a.py",)


@needs_git
def test_hundreds_of_paths_are_asked_about_at_once(repository, monkeypatch):
    names = [f"f{number}.py" for number in range(300)]
    for name in names:
        repository.write(name, "one", AFTER)
    repository.commit(BEFORE)
    repository.write("f7.py", "second", AFTER)
    asked = []
    monkeypatch.setattr(staleness, "commit_times", lambda *args: asked.append("log") or {})
    cited = {name: ((name,), WRITTEN) for name in names}
    assert find_stale(cited, repository.root) == {"f7.py": ("f7.py",)}
    assert asked == ["log"]


def test_git_is_not_asked_where_no_file_was_touched(plain, monkeypatch):
    plain.write("a.py", "x", BEFORE)
    monkeypatch.setattr(staleness, "commit_times", None)
    assert read_changes(plain.root, ["a.py"], WRITTEN) == {"a.py": BEFORE}


def test_each_entry_is_judged_by_its_own_date(plain):
    plain.write("a.py", "x", WRITTEN)
    cited = {"old": (("a.py",), BEFORE), "young": (("a.py",), AFTER)}
    assert find_stale(cited, plain.root) == {"old": ("a.py",)}


FILES = (
    "src/auth.py",
    "src/a/index.ts",
    "src/b/index.ts",
    "web/components/Button.tsx",
    "setup.py",
    "node_modules/x/y.js",
)


@pytest.fixture(params=["git", "no git"])
def root(tmp_path, request):
    """A project with some files, in git or not."""
    if request.param == "git" and shutil.which("git") is None:
        pytest.skip("git is not installed")
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    if request.param == "git":
        (tmp_path / ".gitignore").write_text("node_modules/")
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return str(tmp_path)


@pytest.mark.parametrize(("cited", "file"), [
    ("src/auth.py", "src/auth.py"), ("./src/auth.py", "src/auth.py"), ("auth.py", "src/auth.py"),
    ("setup.py", "setup.py"), ("components/Button.tsx", "web/components/Button.tsx"), ("src", "src"),
    ("src/planned.py", "src/planned.py"), ("index.ts", ""), ("y.js", ""), ("console.log", ""), ("Next.js", ""),
    ("~/.zshrc", ""), ("/home/ann/.ssh/config.toml", ""), ("https://example.org/src/auth.py", ""),
    ("../other/auth.py", ""),
])  # fmt: skip
def test_a_path_stands_for_the_one_file_that_bears_it(root, cited, file):
    """A last name that several files bear, or none, cites nothing; nor does what only looks like a path."""
    assert resolve_citations(root, [cited]) == {cited: file}


def test_too_many_files_are_not_looked_through(root, monkeypatch):
    """A last name then cites nothing, and a path with its folder stands for itself."""
    monkeypatch.setattr("limpet.memory.index.staleness.MOST_FILES", 1)
    monkeypatch.setattr("limpet.memory.index.staleness.listed_files", lambda *_: None)
    cited = resolve_citations(root, ["auth.py", "src/auth.py"])
    assert cited == {"auth.py": "", "src/auth.py": "src/auth.py"}


def test_the_flag_follows_the_file_that_a_last_name_stands_for(workspace):
    """And no entry is stale by a word that looks like a path."""
    path = os.path.join(workspace.root, "src", "auth.py")
    os.makedirs(os.path.dirname(path))
    memories, written = Memories(workspace), time.time() - 1000
    with open(path, "w", encoding="utf-8") as file:
        file.write("x")
    os.utime(path, (written - 1000, written - 1000))
    created = {"created_at": iso(written)}
    memories.add("By its last name", paths=("auth.py",), **created)
    memories.add("A method", paths=("console.log", "index.ts", "~/.bashrc"), **created)
    assert [card.title for card in cards(workspace.shared) if card.stale] == []
    os.utime(path, (written + 100, written + 100))
    memories.tell_index()
    assert [card.title for card in cards(workspace.shared) if card.stale] == ["By its last name"]
