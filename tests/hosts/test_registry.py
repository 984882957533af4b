"""Which host sent an event, where one runs another one's lines."""

import json
from pathlib import Path

import pytest

from limpet.hosts.copilot.events import KINDS
from limpet.hosts.registry import find_sender

from ..hook_host import Host
from ..places import private_path

FIXTURES = Path(__file__).parents[1] / "fixtures"
COPILOT = sorted((FIXTURES / "copilot-cli").glob("*.json"))
CLAUDE = sorted(path for path in (FIXTURES / "claude-code").glob("*.json") if not path.name.startswith("Status"))


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


SENT = [*((path, "copilot-cli") for path in COPILOT), *((path, "claude-code") for path in CLAUDE)]


@pytest.mark.parametrize(("path", "sender"), SENT, ids=[path.stem for path, _ in SENT])
def test_what_copilot_sends_to_a_line_of_claude_code_is_its_own(path, sender):
    """It runs them beside its own, with payloads that differ in little."""
    assert find_sender("claude-code", read(path)) == sender


def test_other_payloads_with_a_time_are_not_taken_for_copilots():
    """VS Code gives its events one too, and a transcript of another name; other hosts' lines have their own."""
    payload = {"timestamp": "2026-11-21T12:00:00Z", "transcript_path": "/x/session.jsonl", "prompt": "hello"}
    assert find_sender("claude-code", {**payload, "hook_event_name": "UserPromptSubmit"}) == "claude-code"
    assert find_sender("claude-code", {**payload, "hookEventName": "UserPromptSubmit"}) == "vscode"
    assert find_sender("codex-cli", {"timestamp": "2026-11-21T12:00:00Z"}) == "codex-cli"


def prompt_of_copilot(workspace):
    """Copilot's prompt, sent to a line of Claude Code."""
    payload = read(FIXTURES / "copilot-cli" / "UserPromptSubmit.json")
    return Host(workspace).send("UserPromptSubmit", **{**payload, "cwd": workspace.root})


def test_claude_codes_line_serves_copilot_where_it_has_none(workspace):
    """In the shape that Copilot reads, and under its name."""
    answer = prompt_of_copilot(workspace)
    assert "<limpet-context" in json.loads(answer.out)["additionalContext"] and answer.err == b""
    (state,) = Path(private_path(workspace, "sessions")).glob("*.json")
    assert json.loads(state.read_text())["host"] == "copilot-cli"


def test_claude_codes_line_is_silent_where_copilot_has_its_own(workspace):
    """Nothing comes twice, and nothing counts twice."""
    own = Path(workspace.root, ".github", "copilot", "settings.local.json")
    own.parent.mkdir(parents=True)
    line = '\\"/state/hook\\" copilot-cli UserPromptSubmit 2>/dev/null || exit 0'
    own.write_text(f'{{"hooks": {{"UserPromptSubmit": [{{"hooks": [{{"type": "command", "command": "{line}"}}]}}]}}}}')
    answer = prompt_of_copilot(workspace)
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")
    assert not list(Path(private_path(workspace, "sessions")).glob("*.json"))


def test_each_event_that_copilot_is_answered_has_a_recorded_payload():
    assert {*KINDS} <= {path.stem.partition("-")[0] for path in COPILOT}
