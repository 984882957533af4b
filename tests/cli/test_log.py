"""``limpet log --hook`` by its door."""

import json
import os
import shutil
from pathlib import Path

import pytest

from limpet.engine import handle
from limpet.ground.clock import Clock
from limpet.ground.event import Event

from ..conversation import write
from ..hook_host import Host
from ..places import private_path


@pytest.fixture
def project(workspace):
    """A project with the shipped rules and two conversations, the second the newer one."""
    os.mkdir(workspace.path("rules"))
    Path(workspace.path("rules", "manifest")).write_text("QA_STATE=active\n")
    for session, prompts in (("s1", ("hello",)), ("s2", ("go on", "fix the tests"))):
        for text in prompts:
            event = Event(kind="prompt", host="claude-code", session=session, cwd=workspace.root, prompt=text)
            handle(event, workspace, Clock())
        os.utime(private_path(workspace, "sessions", f"{session}.json"), (int(session[1]), int(session[1])))
    return workspace


def debug(run, *arguments):
    return json.loads(run("log", "--hook", "--json", *arguments).stdout)


def test_the_newest_conversation_is_shown(project, run):
    """With the domains that its last prompt called."""
    data = debug(run)
    assert (data["conversation"]["id"], data["conversation"]["prompt_count"]) == ("s2", 2)
    assert [one["name"] for one in data["domains"] if one["loaded_last"]] == ["QA"]


def test_one_conversation_can_be_asked_for(project, run):
    """Its state and its events only; and so can the last events alone."""
    data = debug(run, "--session", "s1")
    assert (data["conversation"]["id"], data["metrics"]["events"]["prompt"]["count"]) == ("s1", 1)
    assert [debug(run, *last)["metrics"]["lines"] for last in ((), ("--last", "2"))] == [3, 2]


def test_the_caches_state_is_told(project, run):
    """Current after the prompts, out of date after an edit, none when the folder was deleted."""
    os.utime(project.path("rules", "manifest"), (1, 1))
    assert "out of date; the next prompt makes it anew" in run("log", "--hook").stdout
    shutil.rmtree(project.cache)
    cache = debug(run)["cache"]
    assert (cache["plan_bytes"], cache["plan_current"]) == (0, False)


def test_a_crash_is_shown(project, run):
    """Its place and what it said."""
    with open(private_path(project, "metrics", "hook.jsonl"), "a") as file:
        file.write('{"time": "now", "event": "prompt", "crash": "ValueError", "what": "no", "where": "a.py:1"}\n')
    lines = run("log", "--hook").stdout.splitlines()
    assert lines[lines.index("crashes") + 1].split() == ["now", "prompt", "ValueError", "a.py:1", "no"]


def test_a_project_without_any_event_has_no_figures(workspace, run):
    """Nothing is invented."""
    lines = run("log", "--hook").stdout.splitlines()
    first = ["conversation: none", "domains", "last 0 events: none", "layers: none"]
    assert [line for line in lines if not line.startswith(" ")][:4] == first


def test_a_session_file_that_cannot_be_read_costs_the_memories_figures_only(project, run):
    """It says who calls, and so what may be counted; it is named with its line."""
    write(private_path(project, "session.yaml"), "current_agent: [\n")
    done = run("log", "--hook", "--json")
    assert (done.returncode, json.loads(done.stdout)["memory"]) == (0, {})
    assert "session.yaml:2: " in done.stderr


def test_the_conversation_is_named_before_it_is_paused(workspace, call):
    """By its id, with what follows; an agent is refused."""
    Host(workspace).prompt("hello", session_id="s1")
    done = call("pause", "--session", "s1", agent="dev")
    what = "Pause Limpet for conversation s1: what was said stays; nothing more is kept, not after the pause either"
    assert done.returncode == 1 and what in done.stderr
    assert "paused" not in call("status").stdout


def test_where_there_is_no_conversation_nobody_is_asked(call):
    """It is said at once."""
    done = call("pause", "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert "conversation" in done.stderr


def test_a_pause_ends_for_the_same_conversation(workspace, call):
    """And says what stays; without a pause nobody is asked for a word."""
    Host(workspace).prompt("hello", session_id="s1")
    assert call("pause", "--yes").stdout.startswith("Limpet is paused for conversation s1.")
    assert "keeps nothing of it" in call("pause", "--off", "--yes").stdout
    assert call("pause", "--off").stdout == "Limpet is not paused for conversation s1.\n"


def test_that_a_conversation_has_ended_is_said_before(workspace, call):
    """It may be taken up again, so it can be paused."""
    host = Host(workspace)
    host.prompt("hello", session_id="s1")
    host.send("SessionEnd", session_id="s1", reason="exit")
    done = call("pause", "--session", "s1", agent="dev")
    assert "Pause Limpet for conversation s1, which has ended: what was said stays; nothing" in done.stderr
