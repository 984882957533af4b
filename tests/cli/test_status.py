"""``holdfast status`` by its door."""

import json
import os
import shutil
import time

import pytest

from holdfast.engine import handle
from holdfast.ground.clock import Clock
from holdfast.ground.config.defaults import DEFAULTS
from holdfast.ground.event import Event
from holdfast.ground.event_log.append import Actor, append_event
from holdfast.hosts.claude_code.events import TIMEOUTS
from holdfast.operations.memory.conversations.extraction import CALL, LOG, OUTCOME
from holdfast.rules.plan.sources import FRAMEWORK
from holdfast.work.session import change_session

from ..conftest import write_settings


@pytest.fixture
def project(workspace, monkeypatch, tmp_path):
    """A project with the shipped rules, and a user without settings."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    shutil.copytree(os.path.join(FRAMEWORK, "rules"), workspace.path("rules"))
    os.unlink(workspace.path("rules", "global.javascript"))
    return workspace


def rows(text):
    """By its first words what a line says."""
    return {line[:15].strip(): line[15:] for line in text.splitlines()}


def test_a_new_project_has_little_to_tell(project, run):
    """Every line is there and says that nothing is yet."""
    found = rows(run("status").stdout)
    assert found["project"] == project.root
    assert found["hooks"] == "none: run `holdfast init`"
    assert (found["agent"], found["mode"], found["permission"]) == ("-", "-", "-")
    assert found["domains"] == "13 of 13 active"
    assert found["conversation"] == "none yet"
    assert found["last hook"] == "never ran here"
    assert found["configuration"] == "no mistakes"


def test_the_screen_shows_where_the_work_stands(project, run):
    """What `agent` and `work` have set."""
    run("agent", "activate", "dev")
    run("work", "start", "greenfield")
    run("work", "task", "Add it", "--id", "S-1")
    run("work", "mode", "build")
    found = rows(run("status").stdout)
    assert (found["agent"], found["workflow"], found["task"], found["mode"]) == ("dev", "greenfield", "Add it", "build")


def test_the_last_conversation_and_hook_are_shown(project, run):
    """Its bracket, window, counts and what it set for itself."""
    event = Event(
        kind="prompt", host="claude-code", session="s1", cwd=project.root, prompt="tests", context_tokens=90_000
    )
    handle(event, project, Clock())
    change_session(project, "s1", {"active_agent": "dev"})
    found = rows(run("status").stdout)
    start = "s1: MODERATE, 55% of the window left; 1 prompt, 0 compactions; its own: active_agent dev; "
    assert found["conversation"].startswith(start)
    assert found["last hook"].startswith("prompt at ")
    assert " tokens in " in found["last hook"]


def test_a_failed_hook_is_told_with_the_command_that_explains_it(project, run):
    """The last event left no block, but a crash."""
    os.makedirs(project.path("metrics"))
    with open(project.path("metrics", "hook.jsonl"), "w") as file:
        file.write('{"time": "now", "event": "prompt", "crash": "ValueError", "what": "no", "where": "a.py:1"}\n')
    assert rows(run("status").stdout)["last hook"] == "prompt at now: failed with ValueError, see `holdfast debug`"


def test_installed_hooks_are_named_with_their_file(project, run):
    """The events that are answered."""
    run("init", "--yes", "--here")
    hooks = rows(run("status").stdout)["hooks"]
    assert hooks == f"claude-code: {', '.join(TIMEOUTS)} (.claude/settings.local.json)"


def test_mistakes_are_counted_with_the_command_that_explains_them(project, run):
    """Rules and configuration apart."""
    with open(project.path("rules", "manifest"), "a") as file:
        file.write("nonsense\nQA_STAT=active\n")
    with open(project.path("config.yaml"), "w") as file:
        file.write("context: {characters: many}\n")
    found = rows(run("status").stdout)
    assert found["rules"].startswith("2 errors, ")
    assert found["rules"].endswith("see `holdfast rules check`")
    assert found["configuration"] == "1 mistake: see `holdfast config check`"


def test_programs_get_the_same_as_json(project, run):
    """Nothing is left out."""
    data = json.loads(run("status", "--json").stdout)
    assert set(data) == {
        *("project", "trust", "hooks", "agent", "mode", "permission", "workflow", "task", "squad"),
        *("domains", "conversation", "last_hook", "extraction", "mistakes"),
    }
    assert data["domains"] == {"active": 13, "known": 13}
    assert data["conversation"] is None


def test_what_a_model_cost_is_told(workspace, run):
    """Where one was chosen, or asked lately; else nobody reads of it."""
    assert "model" not in rows(run("status").stdout)
    write_settings(workspace, "memory: {capture_model: haiku}\n")
    assert rows(run("status").stdout)["model"] == "haiku: 0 calls in 30 days, 0 tokens in, 0 out, 0.0000 USD"
    actor = Actor("model:haiku", time.time(), DEFAULTS["retention"])
    for kind, data in [(CALL, {}), (OUTCOME, {"in": 9000, "out": 70, "usd": 0.0101, "added": 2, "dropped": 1})]:
        append_event(workspace.shared, actor, kind, data, LOG)
    told = rows(run("status").stdout)["model"]
    assert told.startswith("haiku: 1 call in 30 days, 9,000 tokens in, 70 out, 0.0101 USD; last ")
    assert told.endswith(": 2 kept, 1 dropped")
