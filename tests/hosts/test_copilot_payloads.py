"""Payloads that Copilot CLI hands to Claude Code's hooks (recorded from 1.0.102): known, and met with silence."""

import json
from pathlib import Path

import pytest

from holdfast.hosts.claude_code.events import KINDS, read_event

from ..hook_host import Host, outside

FIXTURES = Path(__file__).parents[1] / "fixtures"
COPILOT = sorted((FIXTURES / "copilot-cli").glob("*.json"))
CLAUDE = sorted(path for path in (FIXTURES / "claude-code").glob("*.json") if not path.name.startswith("Status"))


def event_of(path):
    """The event that a fixture was recorded for, by the hook's own argument."""
    return path.stem.partition("-")[0]


def named(path):
    return path.stem


@pytest.mark.parametrize("path", COPILOT, ids=named)
def test_what_copilot_sends_is_an_event_that_nobody_answers(path):
    """It would read nothing of ours: a block that never arrived must not count as sent. A verdict on a tool call it
    heeds."""
    event = read_event(event_of(path), json.loads(path.read_text(encoding="utf-8")))
    assert event.kind == ("tool_before" if path.stem.startswith("PreToolUse") else "other")
    assert event.host == "copilot-cli"


@pytest.mark.parametrize("path", CLAUDE, ids=named)
def test_what_claude_code_sends_is_what_it_is_called(path):
    """None of its payloads is taken for Copilot's."""
    name = event_of(path)
    assert read_event(name, json.loads(path.read_text(encoding="utf-8"))).kind == KINDS.get(name, "other")


def test_vs_code_which_reads_our_answers_gets_them():
    """It gives its events a time too, and a transcript of another name."""
    payload = {"timestamp": "2026-11-21T12:00:00Z", "transcript_path": "/x/session.jsonl", "prompt": "hello"}
    assert read_event("UserPromptSubmit", payload).kind == "prompt"


def test_the_hook_answers_copilot_nothing_and_keeps_nothing(workspace):
    """Neither a conversation nor a record of it; a Claude Code conversation beside it counts its own prompts only."""
    host = Host(workspace)
    host.prompt()
    before = sorted(Path(workspace.home).rglob("*")), outside(workspace)
    for path in COPILOT:
        payload = json.loads(path.read_text(encoding="utf-8"))
        answer = host.send(event_of(path), **{**payload, "cwd": workspace.root})
        assert (answer.code, answer.out, answer.err) == (0, b"", b"")
    assert (sorted(Path(workspace.home).rglob("*")), outside(workspace)) == before
