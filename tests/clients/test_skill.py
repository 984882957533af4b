"""``/limpet`` in the real Claude Code: the client offers it, the model gets its words and the hook's block."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .claude_code import ClaudeCode, count, texts
from .fake_model import read_log
from .process import REQUESTS
from .test_claude_code import init
from .test_memory import blocks, entries, finish, limpet

pytestmark = pytest.mark.client

WORDS = "its hook did what they ask"
BLOCK = "<limpet-context"


def skill(project: Path) -> Path:
    return project / ".claude" / "skills" / "limpet" / "SKILL.md"


@pytest.mark.parametrize("scope", [[], ["--shared"]])
def test_the_typed_line_brings_the_skill_and_reaches_the_hook(
    claude: ClaudeCode, project: Path, scope: list[str]
) -> None:
    """In a repository of git too, which keeps the local one out of sight. What is shared finds Limpet on PATH."""
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    init(project, *scope)
    around = {"PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))}
    conversation = claude.run(project, ["/limpet status", "hello"], env=around)
    assert count(conversation.requests[0], WORDS) == 1
    assert count(conversation.requests[0], "ARGUMENTS: status") == 1
    assert count(conversation.requests[0], BLOCK) >= 1
    command = ["git", "status", "--porcelain", "--", ".claude/skills"]
    shown = subprocess.run(command, cwd=project, capture_output=True, text=True, check=True)
    assert bool(shown.stdout) is bool(scope)


def test_the_words_of_every_day_are_answered_on_the_screen(claude: ClaudeCode, project: Path) -> None:
    """What is remembered is kept once, and the model is told in one line that the person sees it."""
    init(project)
    limpet(project, "config", "set", "hosts.command_deadline_ms", "4000", "--yes")
    with claude.terminal(project) as terminal:
        terminal.type("/limpet remember Never squash commits.")
        terminal.wait_for("Remembered as mem-")
        terminal.wait_for("FAKE-ANSWER 1")
        terminal.type("/limpet")
        terminal.wait_for("Limpet: 0 rules of yours, 1 memory kept.")
        terminal.wait_for("FAKE-ANSWER 2")
        terminal.type("/limpet remembr x")
        terminal.wait_for('No "remembr". Did you mean remember?')
        terminal.wait_for("FAKE-ANSWER 3")
    (log,) = claude.folder.rglob(REQUESTS)
    request = [each.body for each in read_log(log) if each.kind == "main"][-1]
    assert blocks(request).count("Limpet answered that on the user's screen.") == 3
    assert "Show the user" not in texts(request) and "Remembered as" not in texts(request)
    finish(project)
    assert [each["title"] for each in entries(project) if "digest" not in each["tags"]] == ["Never squash commits."]


def test_who_does_not_type_it_pays_for_its_description_only(claude: ClaudeCode, project: Path) -> None:
    """By which the model may open it, and then it is told how to write down what it found out (decision 48)."""
    init(project)
    opened = '[[tool:Skill {"skill": "limpet"}]]'
    first, second = claude.run(project, [f"hello {opened}"]).requests
    assert json.dumps(first).count("how to write down what you found out") == 1
    assert count(first, WORDS) == 0 and "limpet memory search" not in json.dumps(first)
    assert "limpet memory search" in json.dumps(second)


def test_a_users_own_skill_is_left_and_answers(claude: ClaudeCode, project: Path) -> None:
    """``init`` writes none beside it."""
    skill(project).parent.mkdir(parents=True)
    skill(project).write_text("---\nname: limpet\n---\nMINE\n")
    init(project)
    request = claude.run(project, ["/limpet"]).requests[0]
    assert count(request, "\nMINE\n") == 1 and count(request, WORDS) == 0
