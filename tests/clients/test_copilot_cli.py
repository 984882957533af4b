"""Holdfast's Claude Code hooks in the real Copilot CLI, which runs them too: no error, no denial, nothing twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .copilot import CopilotCli, CopilotRun, find_copilot
from .test_claude_code import init

pytestmark = pytest.mark.client

BLOCK = "<holdfast-context"
COMMANDS = '[[tool:bash {"command": "echo done > made.txt", "description": "Make a file"}]]'


@pytest.fixture
def copilot(tmp_path: Path) -> CopilotCli:
    """The installed Copilot CLI with a home folder of its own."""
    return CopilotCli(find_copilot(), tmp_path / "copilot")


def complaints(run: CopilotRun) -> list[str]:
    """The lines of the client's log in which it finds fault with a hook."""
    return [line for line in run.log.splitlines() if "Hook" in line and "ERROR" in line]


def kept(project: Path) -> list[str]:
    """What the hook has written of conversations."""
    folders = (project / ".holdfast" / name for name in ("sessions", "events", "metrics"))
    return [path.name for folder in folders for path in folder.glob("**/*")]


def test_the_client_tells_of_a_hook_that_fails(copilot: CopilotCli, project: Path) -> None:
    """What the other tests look for is there to be found."""
    settings = project / ".claude" / "settings.local.json"
    settings.parent.mkdir()
    hook = '{"hooks": [{"type": "command", "command": "echo oh >&2; exit 1"}]}'
    settings.write_text(f'{{"hooks": {{"UserPromptSubmit": [{hook}]}}}}', encoding="utf-8")
    run = copilot.ask(project, "hello")
    assert [hook["hookType"] for hook in run.failed_hooks] == ["userPromptSubmitted"]
    assert len(complaints(run)) == 1


def test_the_prompt_reaches_the_model_and_no_hook_is_complained_of(copilot: CopilotCli, project: Path) -> None:
    """Exit 0, our three hooks of a plain prompt ran and succeeded, and nothing of ours came on the user's screen."""
    init(project)
    run = copilot.ask(project, "hello, add a failing test")
    assert (run.status, run.stderr) == (0, "")
    assert "hello, add a failing test" in run.requests[0]
    kinds = ["agentStop", "sessionEnd", "sessionStart", "userPromptSubmitted"]
    assert sorted(hook["hookType"] for hook in run.hooks) == kinds
    assert (run.failed_hooks, complaints(run)) == ([], [])
    # It lists the skills that it found, ours for Claude Code among them.
    told = [line for line in run.output.splitlines() if '"session.skills_loaded"' not in line]
    assert [line for line in told if "holdfast" in line] == []


def test_no_tool_is_denied(copilot: CopilotCli, project: Path) -> None:
    """Copilot takes any failing tool hook for a denial; ours stand in no tool event's way."""
    init(project)
    run = copilot.ask(project, COMMANDS)
    assert (project / "made.txt").read_text() == "done\n"
    assert run.failed_hooks == []


def test_a_subagent_begins_as_if_holdfast_were_not_there(copilot: CopilotCli, project: Path) -> None:
    """Its start has a hook of ours too, which succeeds and says nothing (decision 11)."""
    init(project)
    task = json.dumps({"description": "Look", "prompt": "Which files?", "agent_type": "general-purpose", "name": "x"})
    run = copilot.ask(project, f"look [[tool:task {task}]]")
    assert "subagentStart" in [hook["hookType"] for hook in run.hooks]
    assert (run.failed_hooks, complaints(run), kept(project)) == ([], [], [])
    assert [BLOCK in request for request in run.requests] == [False] * len(run.requests)


def test_nothing_is_injected_and_nothing_counts_as_sent(copilot: CopilotCli, project: Path) -> None:
    """What Claude Code's hook would print, Copilot does not read: a block that never arrived must not be on record."""
    init(project)
    first = copilot.ask(project, "hello, add a test")
    second = copilot.ask(project, "and *brief", resume=first.session_id)
    assert [BLOCK in request for request in (*first.requests, *second.requests)] == [False, False]
    assert (second.failed_hooks, kept(project)) == ([], [])


def test_a_shared_installation_is_silent_on_a_machine_without_holdfast(copilot: CopilotCli, project: Path) -> None:
    """Decision 14: a clone sees no error and no denial here either."""
    init(project, "--shared")
    (project / ".claude" / "settings.local.json").unlink(missing_ok=True)
    run = copilot.ask(project, COMMANDS)
    assert (run.status, run.failed_hooks, complaints(run)) == (0, [], [])
    assert (project / "made.txt").exists()
