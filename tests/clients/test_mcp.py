"""The MCP server in the real clients, where `init --mcp` registered it: the model calls its tools, another client's
model finds what was written, and nothing of it stays.
"""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from .clients import CLIENTS, Client, Run, call
from .test_every_client import FOREIGN, TOLD, client, converse, files, installed, limpet, project, set_up
from .test_memory import finish

pytestmark = pytest.mark.client

__all__ = ["client", "project"]  # fixtures

TOOLS = {
    "claude-code": "mcp__limpet__{}",
    "codex-cli": "mcp__limpet__{}",
    "copilot-cli": "limpet-{}",
    "gemini-cli": "mcp_limpet_{}",
}
"""How each names a server's tools."""
WORDS = {
    "claude-code": ("mcp__limpet",),  # one more that it asks nobody about
    "codex-cli": (
        "-c",
        "mcp_servers.limpet.required=true",
    ),  # else it starts beside an answer that no model is as fast with
}
DENIED = {
    "claude-code": "PreToolUse:mcp__limpet__remember hook error: ",
    "codex-cli": "blocked by PreToolUse hook: ",
    "copilot-cli": "Denied by preToolUse hook: ",
    "gemini-cli": "Tool execution blocked: ",
}
"""What stands before the reason where the hook refuses."""
KEPT_OUT = "Part of this conversation is private, so agents keep nothing of it."
ASKED = "staging database"


def remember(client: Client, sentence: str) -> str:
    """A prompt at which the model has the server keep a sentence."""
    return f"go {call(TOOLS[client.host].format('remember'), sentence=sentence)}"


def search(client: Client, words: str) -> str:
    """A prompt at which the model has the server search."""
    return f"go {call(TOOLS[client.host].format('search'), words=words)}"


def say(client: Client, project: Path, *prompts: str) -> list[Run]:
    """One conversation with the server's tools."""
    return converse(client, project, prompts, WORDS.get(client.host, ()))


def kept(client: Client, project: Path) -> list[tuple[str, str]]:
    """(sentence, whose) of what was written down, conversations apart."""
    cards = json.loads(limpet(client, project, "memory", "list", "--json"))
    return [(card["title"], card["source"]) for card in cards if card["type"] != "episodic"]


@pytest.mark.parametrize(("teacher", "pupil"), [*pairwise([*CLIENTS, "claude-code"])])
def test_what_one_client_has_it_keep_another_finds(teacher: str, pupil: str, project: Path, tmp_path: Path) -> None:
    """Each with a conversation, a server and a home of its own, in one project."""
    first, second = installed(teacher, tmp_path), installed(pupil, tmp_path)
    set_up(project, first, second, words=["--mcp"])
    (told,) = say(first, project, remember(first, TOLD))
    assert "written" in told.tools[0]
    assert kept(first, project) == [(TOLD, "agent")]
    (found,) = say(second, project, search(second, ASKED))
    assert TOLD in found.tools[0]


def test_nothing_of_a_private_conversation_is_kept(client: Client, project: Path) -> None:
    """The hook refuses by the conversation of the call, also when it is private no more; the next conversation may."""
    set_up(project, client, words=["--mcp"])
    runs = say(client, project, "*private", remember(client, "zanzibar"), "*private off", remember(client, "zanzibar"))
    assert [f"{DENIED[client.host]}{KEPT_OUT}" in run.tools[0] for run in runs[1::2]] == [True, True]
    assert kept(client, project) == []
    say(client, project, remember(client, TOLD))
    assert kept(client, project) == [(TOLD, "agent")]


@pytest.mark.parametrize("foreign", [False, True], ids=["empty", "foreign"])
def test_after_uninstalling_no_tool_and_no_byte_is_left(client: Client, project: Path, foreign: bool) -> None:
    """Also where the team has servers of its own, and the client was asked and has answered."""
    (project / "own.py").write_text("", encoding="utf-8")
    own = {"own": {"command": sys.executable, "args": ["own.py"]}}
    servers = {
        ".mcp.json": f'{{ "mcpServers" :\n\t{json.dumps(own)} }}\n\n',
        ".codex/config.toml": FOREIGN[".codex/config.toml"] + "[mcp_servers.own]\ncommand = 'true' # its\n",
        ".gemini/settings.json": FOREIGN[".gemini/settings.json"].replace(
            "{", f'{{"mcpServers": {json.dumps(own)},', 1
        ),
    }
    for name, text in {**FOREIGN, **servers}.items() if foreign else ():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    before = files(project)
    set_up(project, client, words=["--mcp"])
    (with_it,) = say(client, project, search(client, ASKED))
    finish(project)
    limpet(client, project, "uninstall", "--purge", "--yes")
    after, answered = files(project), ".claude/settings.local.json"
    if foreign and client.host == "claude-code":  # what the person said of their own server stays
        kept_answer = json.loads(after.pop(answered))
        assert kept_answer == {**json.loads(before.pop(answered)), "enabledMcpjsonServers": ["own"]}
    assert after == before
    without = client.ask(project, search(client, ASKED))
    # Codex has its model look for a server's tools, and names none.
    assert [is_offered(client, run) for run in (with_it, without)] == [client.host != "codex-cli", False]
    assert ["memories" in run.tools[0] for run in (with_it, without)] == [True, False]


def is_offered(client: Client, run: Run) -> bool:
    """Whether what the model is told names a tool of our server that nobody called."""
    return TOOLS[client.host].format("why") in json.dumps(run.requests)
