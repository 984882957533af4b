"""``limpet agent`` by its door."""

import json
import os

from limpet.ground.config.mirror import mirror_path
from limpet.ground.storage.files import read_text
from limpet.work.project import read_project

from ...places import private_path


def test_activate_takes_ids_and_aliases_and_refreshes_the_mirror(workspace, run):
    """An alias is stored as the id that it means, and the next hook knows."""
    done = run("agent", "activate", "@qa")
    assert done.stdout.splitlines()[0] == "active agent: qa-implementation (.limpet/session.yaml)"
    assert read_project(workspace)[0]["current_agent"] == "qa-implementation"
    assert json.loads(read_text(mirror_path(workspace)))["session"]["current_agent"] == "qa-implementation"


def test_an_unknown_agent_is_answered_with_the_nearest(workspace, run):
    """Nothing is written, and the error proposes names."""
    done = run("agent", "activate", "devv")
    assert (done.returncode, done.stderr) == (1, "limpet: Unknown agent: devv. Did you mean dev?\n")
    assert not os.path.exists(private_path(workspace, "session.yaml"))


def test_a_name_that_is_typed_steers_no_terminal(run):
    """Whoever wrote it."""
    done = run("agent", "show", "d\x1b[2J\u202ee\u200bv\nx")
    assert done.returncode == 1
    assert not {"\x1b", "\u202e", "\u200b"}.intersection(done.stderr) and done.stderr.count("\n") == 1


def test_deactivate_leaves_none(workspace, run):
    """One line says goodbye, and afterwards no agent is active."""
    run("agent", "activate", "dev")
    assert run("agent", "deactivate").stdout == "Dev is no longer active (.limpet/session.yaml).\n"
    assert "current_agent" not in read_project(workspace)[0]


def test_list_marks_the_active_one(workspace, run):
    """All thirteen are there, one active."""
    run("agent", "activate", "dev")
    agents = json.loads(run("agent", "list", "--json").stdout)
    assert len(agents) == 13
    assert [one["id"] for one in agents if one["active"]] == ["dev"]
    assert any(line.split()[:2] == ["*", "dev"] for line in run("agent", "list").stdout.splitlines())


def test_with_a_session_only_that_conversation_changes(workspace, run, conversation):
    """The override lies in the conversation's own state; the project's session does not even appear."""
    done = run("agent", "activate", "dev", "--session", conversation, "--json")
    said = json.loads(done.stdout)
    assert (said["changed"], said["in"]) == ({"current_agent": "dev"}, "session abc")
    assert json.loads(read_text(private_path(workspace, "sessions", "abc.json")))["active_agent"] == "dev"
    assert not os.path.exists(private_path(workspace, "session.yaml"))
