"""Limpet in the real Claude Code: what the model is really sent, when, and what happens when something is missing."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from limpet.ground.workspace import workspace_at

from .claude_code import ClaudeCode, count, texts, write_settings

pytestmark = pytest.mark.client

SOURCE = Path(__file__).parents[2] / "src"
CONSTITUTION = "<constitution>"
QA = '<rules domain="QA"'


def init(project: Path, *options: str, python: str = sys.executable, source: Path = SOURCE) -> None:
    """Run ``limpet init`` in the project, as its user does."""
    subprocess.run(
        [python, "-m", "limpet", "init", "--host", "claude-code", "--yes", *options],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(source)},
        check=True,
        capture_output=True,
    )


def brackets(request: dict[str, object]) -> list[str]:
    """The brackets of all blocks in a request, in order."""
    return [found or "FRESH" for found in re.findall(r'<limpet-context(?: bracket="(\w+)"[^>]*)?>', texts(request))]


def test_the_first_prompt_carries_the_rules(claude: ClaudeCode, project: Path) -> None:
    """Constitution and global rules reach the model with the first prompt, once; no mode is said before any work."""
    init(project)
    request = claude.run(project, ["hello"]).requests[0]
    assert count(request, CONSTITUTION) == 1
    assert count(request, "<mode") == 0
    assert count(request, '<rules domain="GLOBAL"') == 1
    assert count(request, QA) == 0


def test_no_committed_setting_silences_the_hook(claude: ClaudeCode, project: Path) -> None:
    """S25: only a call that Limpet makes itself has the token."""
    init(project)
    write_settings(project, env={"LIMPET_SILENT": "1"})
    assert count(claude.run(project, ["hello"]).requests[0], CONSTITUTION) == 1


def switch_on_qa(project: Path) -> None:
    """Have its keywords call the shipped domain QA."""
    manifest = project / ".limpet" / "rules" / "manifest"
    manifest.parent.mkdir(exist_ok=True)
    manifest.write_text("QA_STATE=active\n")


def test_a_domain_arrives_when_its_keyword_appears(claude: ClaudeCode, project: Path) -> None:
    """The QA domain, once it is on, comes with the prompt that speaks of tests, and is not repeated by the next one."""
    init(project)
    switch_on_qa(project)
    requests = claude.run(project, ["hello", "add a failing test", "and more tests"]).requests
    assert [count(request, QA) for request in requests] == [0, 1, 1]
    assert count(requests[2], "<in-force>QA</in-force>") == 1


@pytest.mark.parametrize("before", [["hello"], ["hello", "add a test", "thanks"]])
def test_after_a_compaction_the_stable_part_is_there_once(claude: ClaudeCode, project: Path, before: list[str]) -> None:
    """Decision 5: within one process the block is back after /compact and never stands twice in one request."""
    init(project)
    conversation = claude.run(project, [*before, "/compact", "go on", "and on"])
    assert conversation.summary_requests
    assert [count(request, CONSTITUTION) for request in conversation.requests] == [1] * len(conversation.requests)


def test_a_resumed_conversation_carries_the_stable_part_once(claude: ClaudeCode, project: Path) -> None:
    """Each resume starts a session anew while the old injections still stand in the conversation."""
    init(project)
    first = claude.ask(project, "hello")
    second = claude.ask(project, "again", resume=first.session_id)
    third = claude.run(project, ["/compact", "more"], resume=first.session_id)
    fourth = claude.ask(project, "last", resume=first.session_id)
    for conversation in (second, third, fourth):
        assert count(conversation.requests[-1], CONSTITUTION) == 1


def test_a_forked_conversation_carries_the_stable_part_once(claude: ClaudeCode, project: Path) -> None:
    """A fork has a new id and its parent's words."""
    init(project)
    first = claude.ask(project, "hello")
    fork = claude.ask(project, "elsewhere", resume=first.session_id, fork=True)
    assert fork.session_id != first.session_id
    assert count(fork.requests[-1], CONSTITUTION) == 1


def test_an_edited_rule_shows_at_the_next_prompt(claude: ClaudeCode, project: Path) -> None:
    """What the stable part says changed, so it goes out again."""
    init(project)
    first = claude.ask(project, "hello")
    rules = project / ".limpet" / "rules" / "global"
    rules.parent.mkdir(exist_ok=True)
    rules.write_text("GLOBAL_RULE_50=Mind the gap\n")
    second = claude.ask(project, "again", resume=first.session_id)
    assert count(second.requests[-1], "- Mind the gap") == 1


@pytest.mark.parametrize(("model", "bracket"), [("claude-haiku-4-5", "CRITICAL"), (None, "FRESH")])
def test_the_bracket_follows_the_models_window(
    claude: ClaudeCode, project: Path, model: str | None, bracket: str
) -> None:
    """190,000 tokens used are CRITICAL of 200,000 and FRESH of 1,000,000."""
    init(project)
    options = {"model": model} if model else {}
    conversation = claude.run(project, ["hello [[usage:190000]]", "*explain tests"], **options)  # type: ignore[arg-type]
    assert brackets(conversation.requests[-1])[-1] == bracket
    warned = count(conversation.requests[-1], "<handoff-warning>")
    assert warned == (1 if bracket == "CRITICAL" else 0)


def test_a_star_command_arrives_in_the_critical_bracket(claude: ClaudeCode, project: Path) -> None:
    """What the user typed is never dropped."""
    init(project)
    prompts = ["hello [[usage:190000]]", "*review the change"]
    request = claude.run(project, prompts, model="claude-haiku-4-5").requests[-1]
    assert count(request, '<command name="review">') == 1


def test_no_hook_says_anything_but_json(claude: ClaudeCode, project: Path) -> None:
    """Every hook of a whole session ends with 0 and an empty stderr."""
    init(project)
    conversation = claude.run(project, ["hello", "add a test", "/compact", "go on"])
    for event in ("SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact"):
        for hook in conversation.hooks(event):
            assert (hook["exit_code"], hook["stderr"]) == (0, ""), event


@pytest.mark.parametrize("missing", ["package", "interpreter", "project"])
def test_the_prompt_goes_through_when_something_vanished(
    claude: ClaudeCode, project: Path, tmp_path: Path, missing: str
) -> None:
    """Decision 14: whatever is removed after the installation, the user is not blocked. A project that lost its folder,
    as on a branch without it, is still this person's, with the rules that are shipped (decision 64)."""
    copy = tmp_path / "copy"
    shutil.copytree(SOURCE, copy)
    venv.create(tmp_path / "venv", symlinks=True)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    (project / ".git").mkdir()
    _init_from(copy, python, project)
    removed = {"package": copy, "interpreter": tmp_path / "venv", "project": project / ".limpet"}[missing]
    shutil.rmtree(removed)
    conversation = claude.run(project, ["hello"])
    assert len(conversation.requests) == 1
    assert count(conversation.requests[0], CONSTITUTION) == (missing == "project")


def test_a_clone_without_limpet_sees_no_error(claude: ClaudeCode, project: Path) -> None:
    """A committed hook is silent and harmless where the command does not exist."""
    init(project, "--shared")
    settings = json.loads((project / ".claude" / "settings.json").read_text())
    assert "UserPromptSubmit" in settings["hooks"]
    (project / ".claude" / "settings.local.json").unlink(missing_ok=True)
    conversation = claude.run(project, ["hello", "/compact", "go on"])
    assert len(conversation.requests) == 2
    for event in ("SessionStart", "UserPromptSubmit"):
        for hook in conversation.hooks(event):
            assert (hook["exit_code"], hook["stdout"], hook["stderr"]) == (0, "", ""), event


def test_the_status_line_gives_the_window_and_the_users_own_line_stays(claude: ClaudeCode, project: Path) -> None:
    """A user's status line is wrapped, never replaced, and what the host tells it becomes the exact figure."""
    own = {"statusLine": {"type": "command", "command": "echo my-own-line"}}
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text(json.dumps(own))
    init(project)
    with claude.terminal(project, model="claude-haiku-4-5") as terminal:
        terminal.type("hello [[usage:150000]]")
        terminal.wait(lambda: "my-own-line" in terminal.screen)
        terminal.wait(lambda: bool(status_files(project)))
    figures = [json.loads(path.read_text()) for path in status_files(project)]
    assert [figure["window"] for figure in figures] == [200000]


def status_files(project: Path) -> list[Path]:
    """What the status line has told of the window."""
    return list(Path(workspace_at(str(project)).cached("status")).glob("*.json"))


def _init_from(source: Path, python: Path, project: Path) -> None:
    """Install with an interpreter and a package that can be removed; what commands need is lent by this environment."""
    lent = next(path for path in sys.path if path.endswith("site-packages"))
    subprocess.run(
        [str(python), "-m", "limpet", "init", "--host", "claude-code", "--yes"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(source), lent])},
        check=True,
        capture_output=True,
    )


def test_a_really_full_window_is_survived(claude: ClaudeCode, project: Path) -> None:
    """When the model refuses a request as too long the client compacts by itself; the rules are there once, before and
    after, and the window counts as fresh."""
    init(project)
    filler = "word " * 18_000
    prompts = [f"{number} {filler}" for number in range(5)]
    conversation = claude.run(project, prompts, model="claude-haiku-4-5", window=100_000)
    assert conversation.summary_requests
    assert count(conversation.requests[-1], CONSTITUTION) == 1
    assert count(conversation.requests[0], CONSTITUTION) == 1
