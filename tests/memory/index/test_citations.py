"""The files that the paths of an entry stand for."""

import os
import shutil
import subprocess
import time

import pytest

from limpet.ground.clock import iso
from limpet.memory.index.staleness import resolve_citations

from ...memories import Memories
from ..indexes import cards

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


@pytest.mark.parametrize(
    ("cited", "file"),
    [
        ("src/auth.py", "src/auth.py"),
        ("./src/auth.py", "src/auth.py"),
        ("auth.py", "src/auth.py"),
        ("setup.py", "setup.py"),
        ("components/Button.tsx", "web/components/Button.tsx"),
        ("src", "src"),
        ("src/planned.py", "src/planned.py"),
        ("index.ts", ""),
        ("y.js", ""),
        ("console.log", ""),
        ("Next.js", ""),
        ("~/.zshrc", ""),
        ("/home/ann/.ssh/config.toml", ""),
        ("https://example.org/src/auth.py", ""),
        ("../other/auth.py", ""),
    ],
)
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
