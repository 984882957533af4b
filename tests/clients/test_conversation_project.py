"""A conversation in the real Claude Code whose agent goes into a folder with a ``.limpet`` of its own: it stays the
project's, and what the person keeps private stays private."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .claude_code import ClaudeCode, count
from .test_claude_code import QA, switch_on_qa
from .test_guard import NO_PUSH, results, shell
from .test_memory import finish, learned, limpet
from .test_memory import project as project  # noqa: PLC0414
from .test_seen import PAUSED, PRIVATE, files_with

pytestmark = pytest.mark.client

INTO = shell("cd vendor/evil && ls -a")
OUT = shell('cd "$OLDPWD" && pwd')


@pytest.fixture(autouse=True)
def evil(project: Path) -> Path:
    """A folder of the project with an empty ``.limpet``, as a dependency may bring it."""
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    folder = project / "vendor" / "evil"
    (folder / ".limpet").mkdir(parents=True)
    return folder


def test_what_is_private_stays_so_wherever_the_shell_stands(
    claude: ClaudeCode, project: Path, evil: Path, user_folders: Path
) -> None:
    """The agent goes in, the person asks for privacy, the agent comes back: no memory, event or continuation (S16)."""
    prompts = [f"go {INTO}", f"*private {PRIVATE[0]}", f"{PRIVATE[1]} {OUT}", "/compact", "fix the failing tests"]
    conversation = claude.run(project, prompts)
    assert PAUSED in str(conversation.hooks("UserPromptSubmit"))
    claude.run(project, ["hello"])
    finish(project)
    assert [files_with(place, "zanzibar") for place in (project, claude.home, user_folders)] == [[]] * 3
    assert learned(project) == []
    assert list((evil / ".limpet").iterdir()) == []


def test_the_projects_rules_and_its_guard_hold_there(claude: ClaudeCode, project: Path, evil: Path) -> None:
    """The next prompt brings the rules that it calls for, and dev may not push (S17)."""
    switch_on_qa(project)
    limpet(project, "work", "agent", "activate", "dev")
    conversation = claude.run(project, [f"go {INTO}", f"add a failing test {shell('git push')}"])
    assert count(conversation.requests[-1], QA) == 1
    assert NO_PUSH in results(conversation.requests)[-1][1]
    assert list((evil / ".limpet").iterdir()) == []
