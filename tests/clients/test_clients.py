"""The door of clients.py tells the truth: what it reports of each real client is what the client did. The hooks are
probes, registered by hand in the client's own file."""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from .clients import CLIENTS, Client, begins_with
from .conversation import count
from .directives import Json

pytestmark = pytest.mark.client

MARKER = "MARKER-OF-THE-HOOK"
PROMPT_EVENTS = {"copilot-cli": "userPromptSubmitted", "gemini-cli": "BeforeAgent"}


@pytest.fixture(scope="module", params=CLIENTS)
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Client:
    """An installed client with a home folder of its own."""
    found = CLIENTS[request.param](tmp_path_factory.mktemp("client"))
    assert found.executable
    return found


@pytest.fixture(scope="module")
def project(client: Client, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose every prompt is answered by a hook, and which has the person's consent."""
    folder = tmp_path_factory.mktemp("project")
    register_probe(client, folder)
    client.consent(folder)
    return folder


def register_probe(client: Client, project: Path) -> None:
    """Write the file by which a team has the client run our probe before each prompt."""
    event = PROMPT_EVENTS.get(client.host, "UserPromptSubmit")
    nested = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": MARKER}}
    answer = {"additionalContext": MARKER} if client.host == "copilot-cli" else nested
    script = project / "probe.py"
    script.write_text(f"print({json.dumps(answer)!r})", encoding="utf-8")
    handler: Json = {"type": "command", "command": f'"{sys.executable}" "{script}"'}
    file: Json = {"hooks": {event: [{"hooks": [handler]}]}}
    if client.host == "copilot-cli":
        file = {"version": 1, "hooks": {event: [{"type": "command", "bash": handler["command"]}]}}
    path = project / client.settings
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(file), encoding="utf-8")


def test_no_hook_of_a_project_runs_without_consent(client: Client, tmp_path: Path) -> None:
    """Claude Code asks for trust in a terminal only, and Gemini CLI does not even start."""
    register_probe(client, tmp_path)
    runs = {"claude-code": [1], "gemini-cli": []}
    assert [count(each, MARKER) for each in client.ask(tmp_path, "hello").requests] == runs.get(client.host, [0])


def test_a_conversation_grows_and_each_prompt_brings_the_hooks_context(client: Client, project: Path) -> None:
    """With a tool that runs, one that fails and one that edits; nothing that was sent before is sent otherwise later,
    but for Gemini CLI, which sends a tool's result twice when it goes on with a conversation."""
    (project / "file.txt").write_text("a = 1\n")
    calls = client.shell("tr a-z A-Z < file.txt") + client.shell("echo gone >&2; exit 3")
    first = client.ask(project, f"go {calls}{client.edit(project / 'file.txt', 'a = 1', 'a = 2')}")
    second = client.ask(project, "and now [[say:DONE INDEED]]", conversation=first.conversation)
    assert (first.returncode, second.returncode) == (0, 0)
    assert (project / "file.txt").read_text() == "a = 2\n"
    assert "A = 1" in first.tools[0] and "gone" in first.tools[1] and len(first.tools) == first_calls(client)
    assert second.tools == [] and second.answer == "DONE INDEED"
    assert second.conversation == first.conversation
    requests = [*first.requests, *second.requests]
    assert [count(each, MARKER) for each in requests] == [1] * (len(requests) - 1) + [2]
    kept = [begins_with(later, earlier) for earlier, later in pairwise(requests)]
    assert kept == [True] * (len(kept) - 1) + [client.host != "gemini-cli"]
    assert not begins_with(requests[0], requests[-1])
    assert [count(each, "and now") for each in requests] == [0] * (len(requests) - 1) + [1]


def first_calls(client: Client) -> int:
    """How many tools the first prompt calls: Claude Code reads a file before it edits it."""
    return 4 if client.host == "claude-code" else 3


def test_a_new_conversation_knows_nothing_of_the_others(client: Client, project: Path) -> None:
    first = client.ask(project, "a word of old")
    second = client.ask(project, "hello")
    assert first.conversation != second.conversation
    assert count(second.requests[0], "a word of old") == 0


def test_a_compaction_asks_for_a_summary_and_takes_away_what_the_hook_said(client: Client, project: Path) -> None:
    """It is not mistaken for a request of the conversation."""
    first = client.ask(project, "hello")
    compacted = client.compact(project, first.conversation)
    assert "summary" in {each.kind for each in compacted.side}
    assert [count(each, first.answer) for each in compacted.requests] == [0] * len(compacted.requests)
    after = client.ask(project, "go on", conversation=first.conversation)
    assert count(after.requests[0], "FAKE-SUMMARY") == 1
    assert count(after.requests[0], MARKER) == len(compacted.requests) + 1
    assert not begins_with(after.requests[0], first.requests[0])


def test_a_failure_of_the_model_is_seen(client: Client, project: Path) -> None:
    run = client.ask(project, "hello [[fail:400]]")
    assert {each.status for each in run.exchanges if each.kind == "main"} == {400}
    assert run.answer != "FAKE-ANSWER 1"


def test_a_conversation_goes_on_in_a_terminal(client: Client, project: Path) -> None:
    first = client.ask(project, "hello [[say:OLD ANSWER]]")
    with client.terminal(project, first.conversation) as terminal:
        terminal.type("typed here")
        terminal.wait(lambda: "FAKE-ANSWER" in terminal.drawn)
    later = client.ask(project, "again", conversation=first.conversation)
    assert [count(later.requests[0], text) for text in ("OLD ANSWER", "FAKE-ANSWER", MARKER)] == [2, 1, 3]
