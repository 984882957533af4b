"""Agents in the real Claude Code: what an activated one brings, and what a subagent begins with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .claude_code import ClaudeCode, texts
from .conversation import Conversation
from .test_claude_code import init
from .test_memory import blocks, holdfast
from .test_work import last_block

pytestmark = pytest.mark.client

MISSION = "Build what the story says, as the architecture says, with tests"
NO_PUSH = "NEVER run git push"
OTHERS, OWN = "The zebra key turns left", "The parser trips over tabs"
SUBAGENT = "---\nname: dev\ndescription: Builds a story\n---\nBuild what you are told.\n"


@pytest.fixture
def project(project: Path) -> Path:
    """A project that remembers something for dev alone, and something for the QA of the implementation alone."""
    init(project)
    for key in ("context.allowances_ms.memory", "context.total_ms", "hosts.refresh_deadline_ms"):
        holdfast(project, "config", "set", key, "4000")
    holdfast(project, "memory", "add", OTHERS, "--agent", "qa-implementation")
    holdfast(project, "memory", "add", OWN, "--agent", "dev")
    return project


def shell(command: str) -> str:
    """A prompt at which the model runs the command."""
    return f"go [[tool:Bash {json.dumps({'command': command, 'description': 'work'})}]]"


def subagent(kind: str) -> str:
    """A prompt at which the model starts a subagent of this type, and waits for it."""
    task = {"description": "look", "prompt": "look around", "subagent_type": kind, "run_in_background": False}
    return f"go [[tool:Task {json.dumps(task)}]]"


def agents_told(conversation: Conversation) -> list[int]:
    """How often each request has the whole of an agent, with its mission."""
    return [blocks(request).count(f'mission="{MISSION}"') for request in conversation.requests]


def test_probe(claude: ClaudeCode, project: Path) -> None:
    (project / ".claude" / "agents").mkdir(parents=True)
    (project / ".claude" / "agents" / "dev.md").write_text(SUBAGENT)
    c = claude.run(project, ["*agent qa", subagent("dev"), subagent("general-purpose"), "and now"])
    for r in c.subagent_requests:
        print("SUB ======"); print(blocks(r)); print(json.dumps(r["messages"])[:3000])
    for r in c.requests:
        print("MAIN ======", last_block(r))
    print(c.hooks("SubagentStart"))
    assert 0
