"""``/limpet`` in the real Claude Code: the client offers it, the model gets its words and the hook's block."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .claude_code import ClaudeCode, count
from .test_claude_code import init

pytestmark = pytest.mark.client

WORDS = "the hook acted on it"
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


def test_who_does_not_type_it_pays_for_its_description_only(claude: ClaudeCode, project: Path) -> None:
    """By which the model may open it, and then it is told the commands of the work (decision 48)."""
    init(project)
    opened = '[[tool:Skill {"skill": "limpet"}]]'
    first, second = claude.run(project, [f"hello {opened}"]).requests
    assert json.dumps(first).count("how to keep what you found out") == 1
    assert count(first, WORDS) == 0 and "limpet work finish" not in json.dumps(first)
    assert "limpet work finish" in json.dumps(second)


def test_a_users_own_skill_is_left_and_answers(claude: ClaudeCode, project: Path) -> None:
    """``init`` writes none beside it."""
    skill(project).parent.mkdir(parents=True)
    skill(project).write_text("---\nname: limpet\n---\nMINE\n")
    init(project)
    request = claude.run(project, ["/limpet"]).requests[0]
    assert count(request, "\nMINE\n") == 1 and count(request, WORDS) == 0
