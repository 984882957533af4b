"""The work in the real Claude Code: an agent that lost its context goes on where it stood, and nobody leaves by
accident."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .claude_code import ClaudeCode
from .test_claude_code import init
from .test_memory import blocks, finish, limpet

pytestmark = pytest.mark.client

STORY = ["work", "story", "add", "S-12", "Add the export", "--agent", "dev", "--criterion", "A CSV file is downloaded"]
TASKS = ["--task", "Write the query", "--task", "Build the endpoint", "--task", "Document it"]
DECISION = "Let's go with PostgreSQL for the job queue"
OPEN = "Shall the export hold deleted orders?"
EXIT, LOCK = "sair do limpet", "<lock>active"


@pytest.fixture
def project(project: Path) -> Iterator[Path]:
    """A project whose dev works on task 2 of 3 of a story, within the session lock."""
    init(project)
    for key in ("context.allowances_ms.memory", "context.total_ms", "hosts.command_deadline_ms"):
        limpet(project, "config", "set", key, "4000", "--yes")
    limpet(project, "work", "start", "greenfield")
    limpet(project, "work", "agent", "activate", "dev")
    limpet(project, *STORY, *TASKS)
    limpet(project, "work", "story", "tick", "S-12", "--task", "1")
    limpet(project, "work", "set", "--task", "Add the export", "--id", "S-12")
    yield project
    finish(project)


def last_block(request: dict[str, Any]) -> str:
    """The last block of a request: what this prompt, or the start before it, brought."""
    return "<limpet-context" + blocks(request).rpartition("<limpet-context")[2]


def assert_resumed(request: dict[str, Any]) -> None:
    """The request names the agent, the task, what is done, what is open, and what was decided."""
    told = blocks(request)
    assert '<agent name="dev"' in told
    assert "Add the export" in told and "task 2 of 3: Build the endpoint" in told
    assert "<continuation>" in told and OPEN in told
    assert DECISION in told


def test_after_a_compaction_by_command_the_agent_goes_on(claude: ClaudeCode, project: Path) -> None:
    """The next request to the model holds all that it needs."""
    answer = f"[[say:{OPEN}]]"
    conversation = claude.run(project, ["begin", f"{DECISION}.", f"what is open? {answer}", "/compact", "go on"])
    assert_resumed(conversation.requests[-1])


def test_after_a_really_full_window_the_agent_goes_on(claude: ClaudeCode, project: Path) -> None:
    """The client compacts by itself, in the middle of the work."""
    filler = "word " * 18_000
    prompts = [f"{DECISION}.", f"what is open? [[say:{OPEN}]]", *(f"{number} {filler}" for number in range(5))]
    conversation = claude.run(project, prompts, model="claude-haiku-4-5", window=100_000)
    assert conversation.summary_requests
    told = blocks(conversation.requests[-1])
    assert '<agent name="dev"' in told and "task 2 of 3: Build the endpoint" in told and "<continuation>" in told


def test_a_chat_that_tries_to_leave_by_accident_stays(claude: ClaudeCode, project: Path) -> None:
    """Stop, wait, go back and cancel are no exits; whoever wants to leave is asked back; a name makes it plain."""
    prompts = ["/limpet work", "stop", "wait", "go back", "cancel", "I want to leave", EXIT, "hello"]
    conversation = claude.run(project, prompts)
    requests = conversation.requests
    assert LOCK in last_block(requests[0])
    state = json.loads(limpet(project, "work", "status", "--json"))
    asked, left = last_block(requests[5]), last_block(requests[6])
    assert "Do you want to leave Limpet?" in asked
    assert "Sessão salva" in left or "Session saved" in left
    assert LOCK not in left
    assert not (state["lock"] or {}).get("active")


def test_the_lock_survives_a_restart_and_comes_back(claude: ClaudeCode, project: Path) -> None:
    """The client is closed and opened again; after an exit /limpet work takes it up."""
    claude.run(project, ["/limpet work", "hello"])
    again = claude.run(project, ["hello", EXIT])
    assert LOCK in blocks(again.requests[0])
    back = claude.run(project, ["hello", "/limpet work"])
    assert LOCK not in blocks(back.requests[0])
    assert LOCK in last_block(back.requests[1])
