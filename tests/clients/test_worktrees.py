"""A git worktree of a project, and a folder of it, are served by the real client without a step of their own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from limpet.cli.init import init

from .claude_code import ClaudeCode, count
from .private import private_at

pytestmark = pytest.mark.client

BLOCK = "<limpet-context"
OPTIONS = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")


@pytest.fixture
def main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a repository in which ``limpet init`` ran."""
    root = tmp_path / "main"
    (root / "packages" / "web").mkdir(parents=True)
    (root / "packages" / "web" / "index.js").write_text("")
    git(root, "init", "-q")
    monkeypatch.chdir(root)
    init.main(["--yes", "--host", "claude-code"], standalone_mode=False)
    return root


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *OPTIONS, *words], cwd=root, check=True, capture_output=True)


def committed(root: Path, *paths: str) -> Path:
    """A new worktree of what was committed."""
    git(root, "add", "-f", *paths)
    git(root, "commit", "-qm", "x")
    git(root, "worktree", "add", "-q", str(root.parent / "tree"))
    return root.parent / "tree"


def blocks(claude: ClaudeCode, folder: Path) -> list[int]:
    return [count(request, BLOCK) for request in claude.run(folder, ["hello"]).requests]


def events(root: Path) -> list[str]:
    lines = private_at(root, "metrics", "hook.jsonl").read_text().splitlines()
    return [json.loads(line)["event"] for line in lines]


def test_a_worktree_without_rules_of_its_own_has_the_main_ones(claude: ClaudeCode, main: Path) -> None:
    tree = committed(main, "packages")
    assert blocks(claude, tree) == [1] and "prompt" in events(tree)


def test_a_worktree_with_committed_rules_is_trusted_and_served(claude: ClaudeCode, main: Path) -> None:
    (main / ".limpet" / "rules").mkdir()
    (main / ".limpet" / "rules" / "global").write_text("GLOBAL_RULE_0=Amounts are in cents.\n")
    tree = committed(main, ".limpet/rules", "packages")
    assert blocks(claude, tree) == [1] and "prompt" in events(tree)


def test_a_folder_of_the_project_is_served(claude: ClaudeCode, main: Path) -> None:
    assert blocks(claude, main / "packages" / "web") == [1] and "prompt" in events(main)
