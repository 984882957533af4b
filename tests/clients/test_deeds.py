"""Memories that a tool call brings, in the real Claude Code: a statement with the file that it names, and a commit that
waits for what the person wants of it (decision 61)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .claude_code import ClaudeCode, count
from .private import private_at
from .test_claude_code import init
from .test_guard import git, prefix_is_kept, results, shell, tool
from .test_memory import finish, limpet, quoted

pytestmark = pytest.mark.client

LOCK, WISH = "The lock is taken before the journal is opened", "Always run the linter before a commit"


@pytest.fixture
def project(project: Path) -> Path:
    """A repository with a file that a memory names, and time enough for a slow machine."""
    git(project, "init", "-q", "-b", "main")
    (project / "src").mkdir()
    for name in ("lock.py", "other.py"):
        (project / "src" / name).write_text("a = 1\n")
    git(project, "add", "src")
    init(project)
    # The prompt that has the model read the file names it, and is to bring nothing.
    settings = {"memory.gate.identifier": "2", "memory.gate.evidence": "100", "memory.contents.shown.first": "0"}
    patience = dict.fromkeys(("context.allowances_ms.memory", "hosts.refresh_deadline_ms"), "4000")
    for key, value in {**settings, **patience}.items():
        limpet(project, "config", "set", key, value, "--yes")
    limpet(project, "memory", "add", LOCK, "--path", "src/lock.py", "--confidence", "0.5")
    return project


def read(project: Path, name: str) -> str:
    """What has the fake model read a file."""
    return tool("Read", file_path=str(project / "src" / name))


def test_a_statement_comes_with_the_read_of_its_file_and_once(claude: ClaudeCode, project: Path) -> None:
    """At the request that carries the file's text; nothing before it changes."""
    calls = [read(project, name) for name in ("other.py", "lock.py", "lock.py")]
    conversation = claude.run(project, [f"go {' '.join(calls)}", "go on"])
    finish(project)
    assert [count(request, LOCK) for request in conversation.requests] == [0, 0, 1, 1, 1]
    assert [failed for failed, _ in results(conversation.requests)] == [False] * 3
    assert any(LOCK in line for line in quoted(conversation.requests[-1]))
    assert prefix_is_kept(conversation)


def test_a_commit_is_refused_once_with_the_wish(claude: ClaudeCode, project: Path) -> None:
    """The agent reads it, and its second call is run."""
    limpet(project, "memory", "add", WISH, "--type", "user_correction")
    commit = shell("git -c user.name=t -c user.email=t@example.org commit -qm first")
    conversation = claude.run(project, [f"go {shell('git status --short')} {commit} {commit}"])
    finish(project)
    (before, _), (refused, why), (after, _) = results(conversation.requests)
    assert (before, refused, after) == (False, True, False)
    assert WISH in why and "refused only this once" in why
    assert git(project, "log", "--format=%s") == "first\n"
    assert prefix_is_kept(conversation)


def test_what_another_conversation_left_is_asked_with_the_first_prompt(claude: ClaudeCode, project: Path) -> None:
    """Once; and the end of each turn passes quietly."""
    said = {
        "id": "k7q2",
        "session": "gone",
        "at": 1,
        "agent": "",
        "quote": "Amounts are cents",
        "before": "",
        "near": [],
    }
    left = private_at(project, "candidates", "open.json")
    left.parent.mkdir()
    left.write_text(json.dumps({"open": [said]}), encoding="utf-8")
    conversation = claude.run(project, [f"hello {'x' * 3000}", "go on"])
    finish(project)
    assert [count(request, 'k7q2 "Amounts are cents"') for request in conversation.requests] == [1, 1]
    assert conversation.statuses("Stop") == [0, 0]
    assert [hook["stdout"] for hook in conversation.hooks("Stop")] == ["", ""]
    (state,) = private_at(project, "sessions").glob("*.json")
    kept = json.loads(state.read_text(encoding="utf-8"))
    assert kept["asked"] == ["k7q2"] and kept["heard"] > 3000
