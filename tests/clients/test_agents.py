"""Agents in the real Claude Code: what an activated one brings, and what a subagent begins with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .claude_code import ClaudeCode, seen
from .conversation import Conversation
from .test_claude_code import init
from .test_memory import blocks, finish, limpet
from .test_work_loop import COMMAND

pytestmark = pytest.mark.client

MISSION = "Build what the story says, as the architecture says, with tests"
NO_PUSH = "git push"
OTHERS, OWN = "The zebra key turns left", "The parser trips over tabs"
SUBAGENT = "---\nname: dev\ndescription: Builds a story\n---\nBuild what you are told.\n"


@pytest.fixture
def project(project: Path) -> Path:
    """A project that remembers something for dev alone, and something for the QA of the implementation alone."""
    init(project)
    for key in ("context.allowances_ms.memory", "context.total_ms", "hosts.refresh_deadline_ms"):
        limpet(project, "config", "set", key, "4000", "--yes")
    # The command's path is as long as a test's folder, in each line that names it.
    limpet(project, "config", "set", "context.subagents.tokens", "1800", "--yes")
    limpet(project, "memory", "add", OTHERS, "--agent", "qa-implementation", "--private")
    limpet(project, "memory", "add", OWN, "--agent", "dev", "--private")
    return project


def shell(command: str) -> str:
    """A prompt at which the model runs the command."""
    return f"go [[tool:Bash {json.dumps({'command': command, 'description': 'work'})}]]"


def subagent(kind: str, prompt: str = "look around") -> str:
    """A prompt at which the model starts a subagent of this type, and waits for it."""
    task = {"description": "look", "prompt": prompt, "subagent_type": kind, "run_in_background": False}
    return f"go [[tool:Task {json.dumps(task)}]]"


def agents_told(conversation: Conversation) -> list[int]:
    """How often each request has the whole of an agent, with its mission."""
    return [blocks(request).count(f'mission="{MISSION}"') for request in conversation.requests]


def test_a_typed_agent_is_there_from_that_prompt_on_and_greets_once(claude: ClaudeCode, project: Path) -> None:
    """Mission, authority and steps; dev's own memory and not another agent's; the person is greeted once."""
    conversation = claude.run(project, ["*agent dev", "hello", "what does the parser trip over?"])
    told = blocks(conversation.requests[0])
    assert NO_PUSH in told and "\n1. " in told
    assert agents_told(conversation) == [1, 1, 1]
    assert [OTHERS in blocks(request) for request in conversation.requests] == [False] * 3
    assert OWN in blocks(conversation.requests[-1])
    shown = seen(conversation)  # the first also of what the person agreed to before
    assert shown[0].endswith("\nDev ready.\nLimpet: agent dev, 1 memory listed (limpet why)")
    assert shown[1:] == ["", f'Limpet recalled: "{OWN}"']


def test_an_agent_that_the_model_activates_is_there_at_the_next_prompt(claude: ClaudeCode, project: Path) -> None:
    """``limpet work agent activate`` in the client's shell."""
    conversation = claude.run(project, [shell(f"{COMMAND} work agent activate dev"), "hello", "and now"])
    assert agents_told(conversation)[-2:] == [1, 1]
    assert NO_PUSH in blocks(conversation.requests[-1])
    assert [OTHERS in blocks(request) for request in conversation.requests] == [False] * len(conversation.requests)


def test_a_subagent_is_the_agent_that_its_type_names(claude: ClaudeCode, project: Path) -> None:
    """It begins with three layers and its own memories, however the client describes it; the conversation keeps its
    own agent, and is sent nothing because of it."""
    path = project / ".claude" / "agents" / "dev.md"
    path.parent.mkdir(parents=True)
    path.write_text(SUBAGENT, encoding="utf-8")
    conversation = claude.run(project, ["*agent qa", subagent("dev"), "and now"])
    (request,) = conversation.subagent_requests
    told = blocks(request)
    assert f'mission="{MISSION}"' in told and NO_PUSH in told
    assert OWN in told and OTHERS not in told
    assert agents_told(conversation) == [0] * len(conversation.requests)
    assert [blocks(each).count('<agent name="qa-implementation"') for each in conversation.requests] == [1] * len(
        conversation.requests
    )
    assert [OWN in blocks(each) for each in conversation.requests] == [False] * len(conversation.requests)
    assert seen(conversation)[1:] == ["", ""]


def test_any_other_subagent_begins_with_the_rules_only(claude: ClaudeCode, project: Path) -> None:
    """No agent and no memory, though the conversation has both."""
    limpet(project, "memory", "add", "Amounts are integers of cents")
    conversation = claude.run(project, ["*agent dev", subagent("general-purpose")])
    (request,) = conversation.subagent_requests
    told = blocks(request)
    assert "<constitution>" in told and '<rules domain="GLOBAL"' in told
    assert "<agent" not in told and "<memory" not in told


def test_what_fails_in_a_subagent_is_noted_for_it(claude: ClaudeCode, project: Path) -> None:
    """The client says which subagent a tool ran in."""
    path = project / ".claude" / "agents" / "dev.md"
    path.parent.mkdir(parents=True)
    path.write_text(SUBAGENT, encoding="utf-8")
    failing = {"command": "make no-such-target", "description": "build"}
    claude.run(project, ["*agent qa", subagent("dev", f"look [[tool:Bash {json.dumps(failing)}]]")])
    finish(project)
    entries = json.loads(limpet(project, "log", "--json"))
    assert [one["data"]["agent"] for one in entries if one["kind"] == "tool.failed"] == ["dev"]
