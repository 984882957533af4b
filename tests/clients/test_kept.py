"""What a person says once, in the real clients: with no answer from any model it is there in the next conversation,
after a compaction of that, and in Claude Code for a subagent."""

from __future__ import annotations

from pathlib import Path

import pytest

from .claude_code import ClaudeCode
from .clients import Client
from .conversation import count, texts
from .test_agents import subagent
from .test_claude_code import init
from .test_every_client import CONSTITUTION, converse, finish, installed, project, set_up
from .test_memory import blocks

pytestmark = pytest.mark.client

__all__ = ["project"]  # fixture

SAID = "No, use pnpm here, never npm: our lock file is pnpm's."
KEPT = "use pnpm here, never npm"
TASK = "Add a script that installs the packages, and say with which command it does"


@pytest.fixture(params=["claude-code", "codex-cli", "copilot-cli", "gemini-cli"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Client:
    """Each installed client."""
    return installed(request.param, tmp_path)


def test_what_was_said_once_opens_the_next_conversation(client: Client, project: Path) -> None:
    """In the person's own words, with the day on which they were said; after a compaction too."""
    set_up(project, client)
    converse(client, project, ["Install the packages, please.", SAID])
    finish(project)
    first = client.ask(project, TASK)
    assert KEPT in texts(first.requests[-1]) and "Said on " in texts(first.requests[-1])
    client.compact(project, first.conversation)
    after = client.ask(project, "go on with it", conversation=first.conversation)
    assert [count(after.requests[-1], each) for each in (KEPT, CONSTITUTION)] == [1, 1]


def test_a_subagent_is_told_what_bears_on_its_task(claude: ClaudeCode, project: Path) -> None:
    """Of a conversation after the one in which it was said."""
    init(project)
    claude.run(project, ["Install the packages, please.", SAID])
    finish(project)
    conversation = claude.run(project, [subagent("general-purpose", TASK)])
    (request,) = conversation.subagent_requests
    assert KEPT in blocks(request)
