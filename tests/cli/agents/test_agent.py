"""``limpet work agent`` by its door."""

import json
import os

from limpet.work.session import read_state

from ...places import private_path


def test_an_unknown_agent_is_answered_with_the_nearest(workspace, run):
    """Nothing is written, and the error proposes names."""
    done = run("work", "agent", "activate", "devv")
    assert (done.returncode, done.stderr) == (1, "limpet: Unknown agent: devv. Did you mean dev?\n")
    assert not os.path.exists(private_path(workspace, "session.yaml"))


def test_a_name_that_is_typed_steers_no_terminal(run):
    """Whoever wrote it."""
    done = run("work", "agent", "show", "d\x1b[2J\u202ee\u200bv\nx")
    assert done.returncode == 1
    assert not {"\x1b", "\u202e", "\u200b"}.intersection(done.stderr) and done.stderr.count("\n") == 1


def test_list_marks_the_active_one(workspace, run):
    """All thirteen are there, one active."""
    run("work", "agent", "activate", "dev")
    agents = json.loads(run("work", "agent", "show", "--json").stdout)
    assert len(agents) == 13
    assert [one["id"] for one in agents if one["active"]] == ["dev"]
    assert any(line.split()[:2] == ["*", "dev"] for line in run("work", "agent", "show").stdout.splitlines())


def test_with_a_session_only_that_conversation_changes(workspace, run, conversation):
    """The override lies in the conversation's own state; the project's session does not even appear."""
    done = run("work", "agent", "activate", "dev", "--session", conversation, "--json")
    said = json.loads(done.stdout)
    assert (said["changed"], said["in"]) == ({"current_agent": "dev"}, "session abc")
    assert read_state(workspace, "abc")["active_agent"] == "dev"
    assert not os.path.exists(private_path(workspace, "session.yaml"))
