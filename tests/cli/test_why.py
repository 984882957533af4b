"""``limpet why --text --for`` by its door."""

import json
import os
from pathlib import Path

import pytest

from limpet.engine import handle
from limpet.ground.clock import Clock
from limpet.ground.event import Event


@pytest.fixture
def project(workspace):
    os.mkdir(workspace.path("rules"))
    Path(workspace.path("rules", "manifest")).write_text("QA_STATE=active\n")
    return workspace


def test_the_block_is_printed_as_the_model_gets_it(project, run):
    """The hook's own text, and nothing else."""
    printed = run("why", "--text", "--for", "fix the failing tests").stdout
    event = Event(kind="prompt", host="claude-code", session="s", cwd=project.root, prompt="fix the failing tests")
    assert printed == handle(event, project, Clock()).block + "\n"


def test_nothing_new_is_said_in_words(project, run):
    """A conversation that has it all gets no block."""
    handle(Event(kind="prompt", host="claude-code", session="s", cwd=project.root, prompt="hello"), project, Clock())
    assert run("why", "--text", "--for", "hello", "--session", "s").stdout == "(no block: nothing new to send)\n"


def test_explain_gives_every_piece_its_state_tokens_and_reason(project, run):
    """In, off in the bracket, and silent layers; then sums, the figure's source and the domains."""
    lines = run("why", "--for", "fix the tests", "--bracket", "critical", "--agent", "dev").stdout.splitlines()
    rows = [line.split(maxsplit=5) for line in lines]
    assert rows[0] == ["layer", "piece", "tokens", "state", "why"]
    assert ["L1", "agent", "dev"] in [row[:3] for row in rows]
    assert ["L6", "QA", "0", "out", "L6", "is off in CRITICAL"] in rows
    assert ["L7", "-", "0", "out", "no", "star-command in the prompt"] in rows
    text = "\n".join(lines)
    assert " of 800 (CRITICAL)" in text
    assert " of 9500" in text
    assert "window: 12.5% left, according to --bracket" in text
    assert "=tests" in next(line for line in lines if line.startswith("fires  QA"))


def test_the_figures_are_those_of_the_block(project, run):
    """Tokens within the budget, characters counted, every piece in the block named."""
    data = json.loads(run("why", "--text", "--for", "fix the failing tests", "--json").stdout)
    assert (data["bracket"], data["budget"], data["usage"]) == ("FRESH", 2500, "start")
    assert 0 < data["tokens"] <= data["budget"]
    assert data["characters"] == len(data["block"])
    assert {"CONSTITUTION", "GLOBAL", "QA"} <= {one["name"] for one in data["pieces"] if one["state"] != "out"}
    (story,) = [one for one in data["domains"] if one["name"] == "STORY"]
    assert (story["kind"], story["fires"]) == ("keyword", False)


def test_a_session_start_is_shown_without_a_prompt(project, run):
    """With one it is a mistake in the call."""
    assert "<constitution>" in run("why", "--text", "--for", "--start").stdout
    done = run("why", "--start", "--for", "tests")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nor PROMPT with --start" in done.stderr


def test_without_a_project_it_says_how_to_make_one(run, tmp_path):
    """Outside a project there are no rules."""
    done = run("why", "--text", "--for", "hello", cwd=tmp_path)
    assert done.returncode == 1
    assert "Run: limpet init" in done.stderr


@pytest.mark.parametrize(
    "words", [("--bracket", "FRESH"), ("--agent", "dev"), ("--for", "x", "--not", "y"), ("2", "--for", "x")]
)
def test_what_a_prompt_would_get_is_asked_alone(project, run, words):
    assert run("why", *words).returncode == 2
