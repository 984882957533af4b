"""Holdfast's Claude Code hooks in the real Copilot CLI, which runs them too: no error, no denial, nothing twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .clients import Copilot
from .conversation import count, texts
from .test_claude_code import init

pytestmark = pytest.mark.client

BLOCK = "<holdfast-context"
COMMANDS = '[[tool:bash {"command": "echo done > made.txt", "description": "Make a file"}]]'


@pytest.fixture
def copilot(tmp_path: Path) -> Copilot:
    """The installed Copilot CLI with a home folder of its own."""
    return Copilot(tmp_path / "copilot")


def complaints(copilot: Copilot) -> list[str]:
    """The lines of the client's logs in which it finds fault with a hook."""
    return [line for line in copilot.log().splitlines() if "Hook" in line and "ERROR" in line]


def kept(project: Path) -> list[str]:
    """What the hook has written of conversations."""
    folders = (project / ".holdfast" / name for name in ("sessions", "events", "metrics"))
    return [path.name for folder in folders for path in folder.glob("**/*")]


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
    """Exit 0, our three hooks of a plain prompt ran and succeeded, and nothing of ours came on the user's screen."""
    init(project)
    copilot.consent(project)
    run = copilot.ask(project, "hello, add a failing test")
    assert (run.returncode, run.stderr) == (0, "")
    assert "hello, add a failing test" in texts(run.requests[0])
    kinds = ["agentStop", "sessionEnd", "sessionStart", "userPromptSubmitted"]
    assert sorted(hook["hookType"] for hook in copilot.hooks(run)) == kinds
    assert (copilot.failed_hooks(run), complaints(copilot)) == ([], [])
    # It lists the skills that it found, ours for Claude Code among them.
    told = [line for line in run.stdout.splitlines() if '"session.skills_loaded"' not in line]
    assert [line for line in told if "holdfast" in line] == []


def test_no_tool_is_denied(copilot: Copilot, project: Path) -> None:
    """Copilot takes any failing tool hook for a denial; ours stand in no tool event's way."""
    init(project)
    copilot.consent(project)
    run = copilot.ask(project, COMMANDS)
    assert (project / "made.txt").read_text() == "done\n"
    assert copilot.failed_hooks(run) == []


def test_a_subagent_begins_as_if_holdfast_were_not_there(copilot: Copilot, project: Path) -> None:
    """Its start has a hook of ours too, which succeeds and says nothing (decision 11)."""
    init(project)
    task = json.dumps({"description": "Look", "prompt": "Which files?", "agent_type": "general-purpose", "name": "x"})
    copilot.consent(project)
    run = copilot.ask(project, f"look [[tool:task {task}]]")
    assert "subagentStart" in [hook["hookType"] for hook in copilot.hooks(run)]
    assert (copilot.failed_hooks(run), complaints(copilot), kept(project)) == ([], [], [])
    assert [count(each.body, BLOCK) for each in run.exchanges] == [0] * len(run.exchanges)


def test_nothing_is_injected_and_nothing_counts_as_sent(copilot: Copilot, project: Path) -> None:
    """What Claude Code's hook would print, Copilot does not read: a block that never arrived must not be on record."""
    init(project)
    copilot.consent(project)
    first = copilot.ask(project, "hello, add a test")
    second = copilot.ask(project, "and *brief", conversation=first.conversation)
    assert [count(request, BLOCK) for request in (*first.requests, *second.requests)] == [0, 0]
    assert (copilot.failed_hooks(second), kept(project)) == ([], [])


def test_a_shared_installation_is_silent_on_a_machine_without_holdfast(copilot: Copilot, project: Path) -> None:
    """Decision 14: a clone sees no error and no denial here either."""
    init(project, "--shared")
    (project / ".claude" / "settings.local.json").unlink(missing_ok=True)
    copilot.consent(project)
    run = copilot.ask(project, COMMANDS)
    assert (run.returncode, copilot.failed_hooks(run), complaints(copilot)) == (0, [], [])
    assert (project / "made.txt").exists()
