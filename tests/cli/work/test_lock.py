"""``limpet work status``, ``exit`` and ``resume`` by their doors."""

import json
import os

import pytest

from limpet.ground.config.mirror import read_mirror
from limpet.ground.storage.files import read_text
from limpet.work.project import read_project
from limpet.work.session import new_session, write_session

from ...conversation import write
from ...places import private_path
from ...project_session import update_project
from ..conftest import events


def lock_of(workspace):
    return read_project(workspace)[0].get("lock")


def kinds(workspace):
    return [event["kind"] for event in events(workspace) if event["kind"].startswith("lock.")]


def test_resume_takes_the_lock_and_says_where_the_work_stands(workspace, call):
    """Pipeline, agent, task and the file to go on from; the hook's mirror knows of it."""
    task = {"id": "S-1", "title": "Add the export"}
    update_project(workspace, {"workflow": "greenfield", "current_agent": "dev", "task": task})
    write(private_path(workspace, "continuation", "latest.md"), "# Continuation\n")
    lines = call("resume").stdout.splitlines()
    assert lines[0] == "Session resumed: the lock is active."
    assert "Agent: dev" in lines and "Task: S-1 - Add the export" in lines
    assert any(line.startswith("Pipeline: WU(pending) -> ") for line in lines)
    assert lines[-1] == "What the last conversation left: limpet resume --full"
    assert lock_of(workspace)["active"] is True and lock_of(workspace)["by"] == "limpet resume"
    assert read_mirror(workspace).session["lock"]["active"] is True


def test_exit_lifts_the_lock_and_keeps_the_rest(workspace, call):
    """Nothing is lost: the task is there afterwards, and the answer says how to end it too."""
    update_project(workspace, {"task": "Add it"})
    call("resume")
    under_way = "Still under way: Add it. To end all of it, run: limpet work stop"
    assert call("work", "exit").stdout.splitlines() == ["Session saved. Type /limpet work to resume.", under_way]
    assert lock_of(workspace)["active"] is False
    assert read_project(workspace)[0]["task"] == "Add it"
    assert sorted(kinds(workspace)) == ["lock.lifted", "lock.taken"]


@pytest.mark.parametrize(
    ("language", "confirmation"),
    [
        ("en", "Session saved. Type /limpet work to resume."),
        ("pt", "Sessão salva. Digite /limpet work para retomar."),
        ("es", "Sesión guardada. Escribe /limpet work para retomarla."),
        ("fr", "Session enregistrée. Tapez /limpet work pour la reprendre."),
    ],
)
def test_the_confirmation_is_in_the_users_language(workspace, call, language, confirmation):
    """chati.dev V7.1 section 6, exit protocol 4."""
    update_project(workspace, {"language": language})
    call("resume")
    assert call("work", "exit").stdout.splitlines()[0] == confirmation


def test_a_second_exit_or_resume_changes_nothing(workspace, call):
    """It says so, ends well, and records nothing."""
    assert call("work", "exit").stdout == "Nothing is under way, and the session is not locked.\n"
    call("resume")
    again = json.loads(call("resume", "--json").stdout)
    assert again["changed"] is False and again["lines"][0] == "The lock is active already."
    assert kinds(workspace) == ["lock.taken"]


def test_lock_shows_and_changes_nothing(workspace, call):
    """Before and after it is taken."""
    assert "\nlock      -\n" in call("work", "status").stdout
    assert not os.path.exists(private_path(workspace, "session.yaml"))
    call("resume")
    data = json.loads(call("work", "status", "--json").stdout)
    assert data["lock"]["active"] is True
    assert f"taken since {data['lock']['since']}" in call("work", "status").stdout


@pytest.mark.parametrize(
    "command",
    [
        ["work", "agent", "activate", "dev"],
        ["work", "set", "--task", "Add it"],
        ["work", "set", "--mode", "build"],
        ["init", "--yes", "--here"],
    ],
)
def test_no_other_command_takes_the_lock(workspace, user, call, command):
    """Decision 37."""
    assert call(*command).returncode == 0
    assert lock_of(workspace) is None


@pytest.fixture
def talked(workspace, call):
    """A locked project, and a conversation in which a decision was made."""
    words = "Let's go with PostgreSQL for the job queue"
    line = {"type": "user", "uuid": "u1", "timestamp": "2026-11-21T12:00:00.000Z", "message": {"content": words}}
    transcript = os.path.join(workspace.root, "t.jsonl")
    begun = {**line, "uuid": "u0", "message": {"content": "Hello."}}
    write(transcript, json.dumps(begun) + "\n" + json.dumps(line) + "\n")
    call("resume")
    write_session(workspace, {**new_session("c1", "claude-code", workspace.root, 0.0), "transcript": transcript})


def test_exit_keeps_what_the_conversation_taught(talked, call):
    """The conversation around the command is captured, and its digest is a memory."""
    done = json.loads(call("work", "exit", "--json").stdout)
    assert done["digest"] is True and done["lines"][1].startswith("What this conversation taught")
    assert "PostgreSQL" in call("memory", "list").stdout


def test_a_block_in_an_instruction_file_follows(workspace, call):
    """Where one is, and where the settings want one."""
    path = os.path.join(workspace.root, "CLAUDE.md")
    write(path, "# Mine\n<!-- limpet:begin -->\n<!-- limpet:end -->\n")
    for command, words in ((["resume"], "Session Lock - ACTIVE"), (["work", "exit"], "Status: INACTIVE")):
        call(*command)
        assert read_text(path).startswith("# Mine\n") and words in read_text(path)


def test_the_block_names_the_agent_that_the_work_has_come_to(workspace, call, override):
    """Seed 000 section 6: messages go through the current agent, which changes while the lock holds."""
    call("work", "start", "greenfield")
    call("config", "set", "work.lock.instruction_file", "true", "--yes")
    call("resume")
    assert "current agent: `greenfield-wu`" in read_text(os.path.join(workspace.root, "CLAUDE.md"))
    override()
    assert "current agent: `brief`" in read_text(os.path.join(workspace.root, "CLAUDE.md"))


def test_exit_without_a_lock_names_the_work_that_is_under_way(workspace, call):
    """And how to end it: trying a workflow once must leave nothing behind."""
    call("work", "story", "add", "Add it", "--criterion", "It works")
    call("work", "story", "start")
    call("work", "start", "solo")
    said = call("work", "exit").stdout.splitlines()
    assert said[0].startswith("The session is not locked.")
    assert said[1] == "Still under way: solo, brief, Add it. To end all of it, run: limpet work stop"
    stopped = call("work", "stop").stdout.splitlines()
    assert stopped[-1] == "story S-1: draft; to go on, run: limpet work story start S-1"
    assert call("work", "exit").stdout.splitlines() == ["Nothing is under way, and the session is not locked."]
    assert call("work", "stop").stdout == "Nothing is under way.\n"


def test_stop_lifts_the_lock_and_keeps_what_the_conversation_taught(talked, workspace, call):
    """As an exit does; with the answer for programs."""
    call("work", "set", "--task", "Add it")
    done = json.loads(call("work", "stop", "--json").stdout)
    assert (done["changed"], done["in"]) == ({"task": None}, "session.yaml")
    assert any(line.startswith("What this conversation taught") for line in done["lines"])
    assert lock_of(workspace)["active"] is False
    assert "PostgreSQL" in call("memory", "list").stdout


def test_an_agent_stops_a_workflow_only_with_the_users_word(workspace, call):
    """With --yes too; a person does it as it is."""
    call("work", "start", "solo")
    for more in ((), ("--yes",)):
        done = call("work", "stop", *more, agent="brief")
        assert done.returncode == 1 and "Only a person can do this: Stop solo at brief, before its gate" in done.stderr
    assert read_project(workspace)[0]["workflow"] == "solo"
    assert call("work", "stop").stdout.startswith("workflow: none (was solo, at brief; to go on, run: limpet work")
    done = call("work", "start", "quick-flow", "--fact", "files=3", "--yes", agent="brief")
    assert done.returncode == 1 and "Only a person can do this: Start quick-flow; nobody said whether" in done.stderr
    assert "workflow" not in read_project(workspace)[0]


def converse(workspace, name, now=1_800_000_000.0):
    """A conversation that nothing compacted, and its transcript."""
    path = os.path.join(workspace.root, f"{name}.jsonl")
    said = {"type": "user", "message": {"role": "user", "content": "Write the importer of invoices."}}
    write(path, json.dumps(said) + "\n")
    write_session(workspace, {**new_session(name, "claude-code", workspace.root, now), "transcript": path})


def test_where_nothing_was_compacted_it_is_told_as_it_is_now(workspace, call):
    """The newest conversation's by default; a copy for clients that need a file."""
    update_project(workspace, {"task": "Build the importer"})
    converse(workspace, "first")
    told = call("resume", "--full").stdout
    assert "Write the importer of invoices." in told and "Build the importer" in told
    assert call("resume", "--full", "first").stdout == told
    written = call("resume", "--write")
    assert written.stdout == "Written to .limpet/inbox/continuation.md.\n"
    assert "Write the importer of invoices." in read_text(workspace.path("inbox", "continuation.md"))


def test_where_there_is_no_conversation_it_says_what_to_run(workspace, call):
    done = call("resume", "--full")
    assert done.returncode == 1
    assert done.stderr == "limpet: No conversation left anything. Where the work stands: limpet resume\n"
