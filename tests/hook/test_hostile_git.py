"""A project that brings a repository whose configuration names programs: nothing of ours makes git run them."""

import os
import shutil
from pathlib import Path

import pytest

from limpet.ground import git as questions

from ..conversation import write
from ..hook_host import POSIX, Host
from ..hostile_git import HOSTILE, Trap, git
from ..memories import Memories

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def trap(tmp_path):
    (tmp_path / "outside").mkdir()
    return Trap(str(tmp_path / "outside"))


@pytest.fixture(params=HOSTILE)
def project(request, workspace, trap, user):
    """The project in that repository, with a memory that cites a file, so that git is asked about it."""
    request.param(workspace.root, trap)
    Memories(workspace).add("The number", "It stands in `a.py`.", paths=("a.py",))
    return workspace


def test_the_trap_is_one(project, trap):
    """Git itself obeys the configuration."""
    git(project.root, "status", "--porcelain")
    assert trap.has_run


def test_a_conversation_starts_without_running_it(project, trap):
    """The start refreshes the memories, which asks git what changed."""
    assert Host(project).send("SessionStart", source="startup").code == 0
    assert not trap.has_run


@pytest.mark.parametrize(
    "words", ["memory list", "doctor", "init --dry-run", "status", "work spec status", "memory stale --json"]
)
def test_no_command_runs_it(project, trap, run, words):
    run(*words.split())
    assert not trap.has_run


@POSIX
def test_no_git_of_the_projects_own_is_run(workspace, trap, user, monkeypatch):
    """An activated environment in the project comes first on the PATH that the client hands down; the agent may have
    put a program there, which the hook would run outside of its sandbox."""
    git(workspace.root, "init", "-q", ".")
    tools = Path(workspace.root, ".venv", "bin")
    tools.mkdir(parents=True)
    for name in ("git", "shfmt", "claude"):
        shutil.copy(trap.program, tools / name)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    Memories(workspace).add("The number", "It stands in `a.py`.", paths=("a.py",))
    host = Host(workspace)
    host.send("SessionStart", source="startup")
    call = {"tool_name": "Bash", "tool_input": {"command": "for x in a; do git push; done"}, "tool_use_id": "t"}
    for event, payload in (("UserPromptSubmit", {"prompt": "go on"}), ("PreToolUse", call), ("Stop", {})):
        assert host.send(event, **payload).code == 0
    assert not trap.has_run


def test_no_question_to_git_runs_it(project, trap):
    """Each one, asked directly."""
    root = project.root
    questions.is_ignored(root, "a.py")
    questions.commit_times(root, ["a.py"], 0.0)
    questions.content_ids(root)
    questions.listed_files(root)
    questions.uncommitted(root, ["a.py"])
    assert not trap.has_run


def test_a_submodule_is_not_asked_with_its_own_configuration(workspace, trap):
    """``git diff`` starts a git in each submodule."""
    inner = f"{workspace.root}/inner"
    git(workspace.root, "init", "-q")
    git(workspace.root, "init", "-q", "inner")
    git(inner, "commit", "-q", "--allow-empty", "-m", "x")
    git(workspace.root, "add", "inner")
    git(workspace.root, "commit", "-q", "-m", "x")
    write(f"{workspace.root}/new", "1")
    with open(f"{inner}/.git/config", "a", encoding="utf-8") as file:
        file.write(trap.config)
    assert questions.content_ids(workspace.root).keys() == {"new"}
    assert not trap.has_run


def test_a_partial_clone_fetches_nothing(workspace, trap):
    """What a promised remote lacks is fetched from an address that may be a command."""
    root = workspace.root
    git(root, "init", "-q")
    with open(f"{root}/a", "w", encoding="utf-8") as file:
        file.write("1")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "x")
    tree = git(root, "rev-parse", "HEAD^{tree}").decode().strip()
    git(root, "config", "core.repositoryFormatVersion", "1")
    git(root, "config", "extensions.partialClone", "origin")
    git(root, "config", "remote.origin.url", f"ext::{trap.program}")
    git(root, "config", "remote.origin.promisor", "true")
    git(root, "config", "protocol.ext.allow", "always")
    (lost := f"{root}/.git/objects/{tree[:2]}/{tree[2:]}")
    shutil.move(lost, f"{root}/lost")
    questions.content_ids(root)
    questions.commit_times(root, ["a"], 0.0)
    assert not trap.has_run


def test_variables_of_git_are_not_obeyed(workspace, trap, monkeypatch):
    """They may name a program, or another repository."""
    git(workspace.root, "init", "-q")
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND"):
        monkeypatch.setenv(name, trap.program)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", trap.program)
    assert questions.listed_files(workspace.root) is not None
    assert not trap.has_run
