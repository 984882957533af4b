"""Lean until used (decision 47), with the shipped rules: what speaks of the work waits until an agent, a workflow, a
task or the lock is in force."""

import os

import pytest

from holdfast.ground.storage.scaffold import missing_files
from holdfast.ground.text.tokens import estimate_tokens

from ..conftest import write_settings
from ..conversation import write
from ..hook_host import Host, rule_lines
from ..memories import LEFT, fill

ABOUT_WORK = ("95%", "Story first", "session lock.")
LOCKED = "lock: {active: true, since: 2026-11-22T10:00:00Z, by: /holdfast}\n"
ASK = "write the next story and its acceptance criteria"


@pytest.fixture
def host(workspace):
    """A host whose project has what `holdfast init` gives it."""
    for path, text in missing_files(workspace.root).items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text)
    return Host(workspace)


def test_a_fresh_project_hears_nothing_of_the_work(host):
    """No mode, no permission, no story; what holds without them, and a line that names the rest."""
    start = host.send("SessionStart", source="startup")
    assert (start.block["mode"], start.block["permission"]) == (None, None)
    assert not any(words in start.text for words in ABOUT_WORK)
    assert "Articles on roles, gates, modes, stories, handoffs bind once" in start.text
    assert rule_lines(host.prompt(ASK), "STORY") is None


@pytest.mark.parametrize("session", ["current_agent: dev\n", "workflow: greenfield\n", "task: Write it\n"])
def test_an_agent_a_workflow_or_a_task_wakes_it(host, session):
    """Each alone; mode and permission come with the sentence that says what they ask."""
    write(host.workspace.path("session.yaml"), session)
    start = host.send("SessionStart", source="startup")
    assert all(words in start.text for words in ABOUT_WORK)
    assert '<mode permission="ask" asks="write only in .holdfast/; confirm changes">planning</mode>' in start.text
    assert rule_lines(host.prompt(ASK), "STORY")


def test_it_wakes_in_the_midst_of_a_conversation(host):
    """The stable part comes anew, and sleeps again once the agent is gone."""
    host.send("SessionStart", source="startup")
    woken = host.prompt("*agent dev").text
    assert all(words in woken for words in ABOUT_WORK), woken
    assert not any(words in host.prompt("*agent none").text for words in ABOUT_WORK)


def test_a_project_may_want_all_of_it_always(host):
    """As `holdfast init --full` sets it."""
    write_settings(host.workspace, "rules: {full: true}\n")
    start = host.send("SessionStart", source="startup")
    assert all(words in start.text for words in ABOUT_WORK) and start.block["mode"] == "planning"


@pytest.mark.parametrize("session", ["", f"current_agent: dev\nworkflow: greenfield\n{LOCKED}"])
def test_what_always_holds_fits_critical_whole(host, session, monkeypatch):
    """Beside the warning, the lock and what comes next, with every global rule."""
    write(host.workspace.path("session.yaml"), session)
    monkeypatch.setitem(LEFT, "CRITICAL", 12)
    first = host.prompt("go on", transcript_path=fill(host.workspace, "CRITICAL"))
    assert first.block["bracket"] == "CRITICAL" and first.block["handoff_warning"]
    assert len(rule_lines(first, "GLOBAL")) == 7 and first.block["left_out"] == []
    assert estimate_tokens(first.text) <= 800


def test_a_switch_beats_the_waiting(host):
    """`*holdfast on` brings a domain of the work without any."""
    host.send("SessionStart", source="startup")
    assert rule_lines(host.prompt(f"*holdfast on STORY\n\n{ASK}"), "STORY")
