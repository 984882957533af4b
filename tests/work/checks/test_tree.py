"""The digest of the working tree."""

import os
import subprocess

import pytest

from limpet.work.checks.run import tree_digest


@pytest.fixture(params=["git", "plain"])
def tree(tmp_path, request):
    """A folder with a file, in a repository and without one."""
    (tmp_path / "a.py").write_text("1")
    if request.param == "git":
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
        (tmp_path / ".gitignore").write_text("*.log\n")
        subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    return tmp_path


@pytest.mark.parametrize(
    "change",
    [
        lambda tree: (tree / "a.py").write_text("2"),
        lambda tree: (tree / "b.py").write_text(""),
        lambda tree: (tree / "a.py").unlink(),
        lambda tree: (tree / "a.py").rename(tree / "c.py"),
        lambda tree: os.symlink("a.py", tree / "link"),
    ],
)
def test_a_change_of_the_files_is_one_of_the_digest(tree, change):
    """Content, a new file, a deleted one, a name, a link."""
    before = tree_digest(str(tree))
    change(tree)
    assert tree_digest(str(tree)) != before


@pytest.mark.skipif(os.name != "posix", reason="executable bits")
def test_the_executable_bit_counts(tree):
    """A script that cannot be started is another one."""
    before = tree_digest(str(tree))
    os.chmod(tree / "a.py", 0o755)
    assert tree_digest(str(tree)) != before


def test_what_we_and_tools_write_does_not_count(tree):
    """Nor when a file was touched."""
    before = tree_digest(str(tree))
    for name in (".limpet/session.yaml", "__pycache__/a.pyc", "node_modules/x/index.js"):
        (tree / name).parent.mkdir(parents=True)
        (tree / name).write_text("x")
    os.utime(tree / "a.py", (1, 1))
    assert tree_digest(str(tree)) == before


def test_what_git_ignores_does_not_count(tree):
    """A log that a check writes."""
    before = tree_digest(str(tree))
    (tree / "x.log").write_text("x")
    assert (tree_digest(str(tree)) == before) is (tree / ".git").exists()


def test_a_repository_inside_is_read_too(tree):
    """Git lists its folder only."""
    subprocess.run(["git", "init", "-q", tree / "inside"], check=True)
    (tree / "inside" / "x.py").write_text("1")
    before = tree_digest(str(tree))
    (tree / "inside" / "x.py").write_text("2")
    assert tree_digest(str(tree)) != before
