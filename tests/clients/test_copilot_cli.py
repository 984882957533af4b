"""Limpet's Claude Code hooks in the real Copilot CLI, which runs them too: no error, no denial, nothing twice. They
serve it where it has no hooks of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .clients import Copilot
from .conversation import count, texts
from .private import private_at
from .test_claude_code import init

pytestmark = pytest.mark.client

CONSTITUTION = "<constitution>"
COMMANDS = '[[tool:bash {"command": "echo done > made.txt", "description": "Make a file"}]]'


@pytest.fixture
def copilot(tmp_path: Path) -> Copilot:
    """The installed Copilot CLI with a home folder of its own."""
    return Copilot(tmp_path / "copilot")


def complaints(copilot: Copilot) -> list[str]:
    """The lines of the client's logs in which it finds fault with a hook."""
    lines = (line for line in copilot.log().splitlines() if '"type":"user.message"' not in line)  # it quotes our block
    return [line for line in lines if "Hook" in line and "ERROR" in line]


def test_the_client_tells_of_a_hook_that_fails(copilot: Copilot, project: Path) -> None:
    """What the other tests look for is there to be found."""
    settings = project / ".claude" / "settings.local.json"
    settings.parent.mkdir()
    hook = '{"hooks": [{"type": "command", "command": "echo oh >&2; exit 1"}]}'
    settings.write_text(f'{{"hooks": {{"UserPromptSubmit": [{hook}]}}}}', encoding="utf-8")
    copilot.consent(project)
    run = copilot.ask(project, "hello")
    assert [hook["hookType"] for hook in copilot.failed_hooks(run)] == ["userPromptSubmitted"]
    assert len(complaints(copilot)) == 1


def test_the_prompt_reaches_the_model_and_no_hook_is_complained_of(copilot: Copilot, project: Path) -> None:
    """Exit 0, our hooks of a plain prompt ran and succeeded."""
    init(project)
    copilot.consent(project)
    run = copilot.ask(project, "hello, add a failing test")
    assert (run.returncode, run.stderr) == (0, "")
    assert "hello, add a failing test" in texts(run.requests[0])
    kinds = ["agentStop", "sessionEnd", "sessionStart", "userPromptSubmitted"]
    assert sorted(hook["hookType"] for hook in copilot.hooks(run)) == kinds
    assert (copilot.failed_hooks(run), complaints(copilot)) == ([], [])


def test_no_tool_is_denied(copilot: Copilot, project: Path) -> None:
    """Copilot takes any failing tool hook for a denial; ours stand in no tool event's way."""
    init(project)
    copilot.consent(project)
    run = copilot.ask(project, COMMANDS)
    assert (project / "made.txt").read_text() == "done\n"
    assert copilot.failed_hooks(run) == []


def test_a_subagent_gets_its_own_block(copilot: Copilot, project: Path) -> None:
    """Once, before its task; the main conversation got its own (decision 11)."""
    init(project)
    task = json.dumps({"description": "Look", "prompt": "Which files?", "agent_type": "general-purpose", "name": "x"})
    copilot.consent(project)
    run = copilot.ask(project, f"look [[tool:task {task}]]")
    assert "subagentStart" in [hook["hookType"] for hook in copilot.hooks(run)]
    assert (copilot.failed_hooks(run), complaints(copilot)) == ([], [])
    asked = [each.body for each in run.exchanges if "Which files?" in texts(each.body)]
    assert asked and {count(body, CONSTITUTION) for body in asked} == {1}


def test_the_block_comes_once_by_claude_codes_lines_too(copilot: Copilot, project: Path) -> None:
    """With the first prompt, and under Copilot's name."""
    init(project)
    copilot.consent(project)
    first = copilot.ask(project, "hello, add a test")
    second = copilot.ask(project, "and another", conversation=first.conversation)
    requests = (*first.requests, *second.requests)
    assert [count(request, CONSTITUTION) for request in requests] == [1] * len(requests)
    state = private_at(project, "sessions", f"{first.conversation}.json")
    assert (json.loads(state.read_text())["host"], copilot.failed_hooks(second)) == ("copilot-cli", [])


def test_a_shared_installation_is_silent_on_a_machine_without_limpet(copilot: Copilot, project: Path) -> None:
    """Decision 14: a clone sees no error and no denial here either."""
    init(project, "--shared")
    (project / ".claude" / "settings.local.json").unlink(missing_ok=True)
    copilot.consent(project)
    run = copilot.ask(project, COMMANDS)
    assert (run.returncode, copilot.failed_hooks(run), complaints(copilot)) == (0, [], [])
    assert (project / "made.txt").exists()
