"""In the real sandboxes of Claude Code and Codex CLI an agent's command reaches the user's data folder by the hook."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from limpet.work.inbox import HANDED

from .clients import Claude, Client, Codex
from .test_every_client import converse, finish, limpet, project, set_up

__all__ = ["project"]
pytestmark = pytest.mark.client

TITLE = "The quokka cache is emptied every night at three."
BOX = {"sandbox": {"enabled": True, "allowUnsandboxedCommands": False, "failIfUnavailable": True}}


class BoxedCodex(Codex):
    """Codex CLI with its sandbox, as it is by default."""

    def headless(self, prompt: str, conversation: str | None) -> list[str]:
        return [
            word.replace("danger-full-access", "workspace-write") for word in super().headless(prompt, conversation)
        ]


@pytest.fixture(params=[Claude, BoxedCodex])
def boxed(request: pytest.FixtureRequest, tmp_path: Path, project: Path) -> Client:
    """An installed client whose commands run in its sandbox, the project set up for it."""
    client: Client = request.param(tmp_path / "user")
    assert client.executable
    if client.host == "claude-code":
        (project / ".claude").mkdir()
        (project / ".claude" / "settings.json").write_text(json.dumps(BOX))
    set_up(project, client)
    return client


@pytest.mark.parametrize("folder", ["", "cd src && "])
def test_a_memory_of_an_agent_arrives_with_the_next_prompt(boxed: Client, project: Path, folder: str) -> None:
    """From the root and from a folder below; the agent is told what came of it."""
    command = f'{folder}{sys.executable} -m limpet memory write "gotcha: {TITLE}"'
    first, second = converse(boxed, project, [f"go {boxed.shell(command)}", "go on"])
    assert HANDED in first.tools[0], first.tools
    finish(project)
    listed = json.loads(limpet(boxed, project, "memory", "list", "--type", "gotcha", "--json"))
    assert [entry["title"] for entry in listed] == [TITLE]
    assert "limpet memory write:" in json.dumps(second.requests[0])
