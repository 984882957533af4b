"""What a person says, recorded from inside the real Claude Code: by the agent itself, and by a model that is asked."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .claude_code import ClaudeCode, texts
from .private import private_at
from .test_claude_code import SOURCE, init
from .test_memory import entries, finish, limpet, run_tool

pytestmark = pytest.mark.client

# What no cue of capture hears.
UNHEARD = "On the invoices, the amounts as integers of cents: that is how our accountant reads them."
QUOTE, TITLE = "the amounts as integers of cents", "Invoices: amounts as integers of cents"
ITEM = {"message": "u1", "quote": QUOTE, "type": "lesson", "sentence": TITLE}
# Waits until the model's answer was worked in: the fake ends with the client. No command may name the log.
WAIT = """\
import pathlib, time
end = time.monotonic() + 40
log = pathlib.Path({!r})
while time.monotonic() < end and not (log.exists() and "extraction.outcome" in log.read_text()):
    time.sleep(0.1)
"""


@pytest.fixture
def project(project: Path) -> Iterator[Path]:
    """A project with Limpet; no process outlives the test."""
    init(project)
    limpet(project, "config", "set", "context.total_ms", "4000", "--yes")
    yield project
    finish(project)


def test_the_agent_is_told_the_command_and_runs_it_in_a_sandbox(claude: ClaudeCode, project: Path) -> None:
    """With no home and no cache that it can write; it is the agent's word, and the person finds it."""
    words = [sys.executable, "-m", "limpet", "memory", "add", "--type", "decision", "--", TITLE]
    sandbox = f"HOME=/proc/nowhere XDG_CACHE_HOME=/dev/null PYTHONPATH={shlex.quote(str(SOURCE))}"
    conversation = claude.run(project, [f"{UNHEARD} {run_tool(f'{sandbox} {shlex.join(words)}')}"])
    assert 'limpet memory write "gotcha:' in texts(conversation.requests[0])
    (entry,) = [each for each in entries(project) if each["title"] == TITLE]
    assert (entry["type"], entry["storage"], entry["source"]) == ("decision", "daily", "agent")


def test_a_model_that_was_chosen_extracts_before_a_compaction(claude: ClaudeCode, project: Path) -> None:
    """By one call with no tools, no hooks and nothing of the project; what it quotes is kept, and its cost is told."""
    limpet(project, "config", "set", "memory.capture_model", "haiku", "--yes")
    log = private_at(project, "events", "extraction.jsonl")
    (project / "wait.py").write_text(WAIT.format(str(log)))
    # In JSON an accent is escaped, so that this quote does not stand in the prompt that brings the answer.
    answer = f"[[say:{json.dumps({'items': [ITEM, {**ITEM, 'quote': 'inventé par le modèle'}]})}]]"
    prompts = [f"{UNHEARD} {answer}", "/compact", f"go on {run_tool(f'{sys.executable} wait.py')}"]
    around = {"LIMPET_CLAUDE": str(claude.executable)}
    conversation = claude.run(project, prompts, env=around, timeout=120)
    asked = [each for each in conversation.exchanges if "You read messages that a user typed" in json.dumps(each.body)]
    (body,) = [each.body for each in asked if each.kind == "main"]
    assert not body.get("tools")
    assert "limpet-context" not in json.dumps(body)
    assert [entry["source"] for entry in entries(project) if entry["title"] == TITLE] == ["model:haiku"]
    lines = log.read_text(encoding="utf-8").splitlines()
    outcome = next(event["data"] for event in map(json.loads, lines) if event["kind"] == "extraction.outcome")
    assert (outcome["added"], outcome["dropped"], outcome["in"] > 0) == (1, 1, True)
    assert re.search(r"^model +haiku: ", limpet(project, "status"), re.MULTILINE)
