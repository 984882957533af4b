"""The work in the block, made by the commands that people use (decisions 8, 11, 37 to 39)."""

import json
import os

import pytest

from limpet.operations.mirror import refresh_mirror
from limpet.work.project import read_project

from ..conftest import SOURCE, write_settings
from ..conversation import write, write_rules
from ..finishing import finish_step
from ..hook_host import Host, notes, rule_lines
from ..memories import until
from ..operations.callers import opened
from ..places import private_path
from ..project_session import update_project

WORKFLOW = """\
schema_version: 1
name: ours
description: Two steps
project_type: brownfield
steps:
  - {agent: brief, state: discover, mode: planning, domains: [STORY]}
  - {agent: dev, state: build, mode: build, domains: [QA]}
issues: {code: dev}
"""
MESSAGE = {"role": "user", "content": "Add the export, please."}
SAID = {"type": "user", "uuid": "u1", "timestamp": "2026-11-21T10:00:00Z", "message": MESSAGE}


@pytest.fixture
def host(workspace, run):
    """A host whose project has a workflow of its own and the rules that its steps bring."""
    write_rules(
        workspace,
        "STORY_STATE=active\nSTORY_RECALL=nothing-says-this\nQA_STATE=active\nQA_RECALL=nor-this\n",
        story="STORY_RULE_0=Write the story first.\n",
        qa="QA_RULE_0=Test it.\n",
    )
    write(workspace.path("workflows", "ours.yaml"), WORKFLOW)
    succeed(run, "work", "start", "ours")
    return Host(workspace)


def succeed(run, *words):
    done = run(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_only_the_current_steps_domains_come(host, run):
    """A parity trap of SYNAPSE's workflows: rules of the phase at hand, and of no other."""
    first = host.prompt(session_id="one")
    assert (rule_lines(first, "STORY"), rule_lines(first, "QA")) == (["Write the story first."], None)
    assert first.block["pipeline"]["lines"] == ["Brief(in_progress) -> Dev(pending)"]
    assert finish_step(opened(host.workspace)).finished
    second = host.prompt(session_id="two")
    assert (rule_lines(second, "STORY"), rule_lines(second, "QA")) == (None, ["Test it."])
    assert second.block["agent"]["name"] == "dev"


def test_a_steps_domain_is_sent_once_whoever_calls_it(host, run):
    """Not again for its keyword, nor by the next step when a keyword called it before; the last step's is withdrawn."""
    first = host.prompt("nothing-says-this").block["rules"]
    assert [one["domain"] for one in first] == ["STORY"]
    assert rule_lines(host.prompt("nothing-says-this, nor-this"), "STORY") is None
    assert finish_step(opened(host.workspace)).finished
    second = host.prompt("go on")
    assert rule_lines(second, "QA") is None
    assert "No longer in force: agent brief, STORY. Ignore their rules above." in notes(second)


@pytest.mark.parametrize("command", [("rules", "match"), ("why", "--for")])
def test_a_steps_domain_is_explained_by_its_step(host, run, command):
    """And by nothing else, in both commands."""
    lines = [line.split() for line in succeed(run, *command, "hello").splitlines() if " STORY " in f"{line} "]
    fires = [line for line in lines if line[0] == "fires"]
    assert [" ".join(line[2:]) for line in fires] == ["a step of workflow ours brings it"]
    assert not any("keyword" in " ".join(line) for line in lines)


def test_the_task_is_told_with_its_story(host, run):
    """Pre-conditions, acceptance and files (ADR-001 SYNAPSE E4); a tick is seen by the next conversation."""
    story = (
        "S-12",
        "Add the export",
        "--pre",
        "Reviewed",
        "--criterion",
        "A CSV comes",
        "--task",
        "Query",
        "--task",
        "UI",
    )
    succeed(run, "work", "story", "add", *story, "--touches", "src/export.py (new)")
    assert "Pre-conditions are not met" in run("work", "set", "--id", "S-12").stderr
    succeed(run, "work", "story", "tick", "S-12", "--pre", "1")
    succeed(run, "work", "set", "--task", "Add the export", "--id", "S-12")
    lines = host.prompt(session_id="one").block["task"]["lines"]
    assert lines[:2] == ["Add the export", "Progress: task 1 of 2: Query"]
    assert {"  [x] Reviewed", "  - [ ] A CSV comes", "  - src/export.py (new)"} <= set(lines)
    succeed(run, "work", "story", "tick", "S-12", "--task", "1")
    assert "Progress: task 2 of 2: UI" in host.prompt(session_id="two").block["task"]["lines"]


@pytest.mark.parametrize("typed", ["*develop S-2", "*work task S-2"])
def test_a_story_that_waits_is_taken_up_by_no_door(host, run, typed):
    """Nor does one that is in hand end while it waits."""
    story = ("S-2", "Fix the import", "--pre", "The schema is there", "--criterion", "It works")
    succeed(run, "work", "story", "add", *story)
    block = host.prompt(typed).block
    assert block["task"] is None
    assert "Nothing was changed: Pre-conditions are not met: The schema is there" in block["commands"][0]["lines"][-1]
    done = run("work", "story", "done", "S-2", "--shown", "1: it runs")
    assert "open pre-conditions: The schema is there" in done.stderr
    assert "limpet work story tick S-2 --pre WHICH" in done.stderr


CONFLICT = "---\nid: S-2\n<<<<<<< ours\ntitle: Mine\n---\n"


def test_a_story_that_breaks_while_it_is_developed_is_named(host, run):
    """The conversation's own task falls silent until the file is mended."""
    succeed(run, "work", "story", "add", "S-2", "Fix the import", "--task", "Reproduce")
    assert host.prompt("*develop S-2").block["task"]
    path = host.workspace.path("stories", "S-2", "story.md")
    with open(path, encoding="utf-8") as file:
        sound = file.read()
    write(path, CONFLICT)
    block = host.prompt("and now").block
    assert block["task"] is None and any("story.md:3: Unresolved" in note for note in block["notes"])
    write(path, sound.replace("Reproduce", "Mend"))
    assert "Progress: task 1 of 1: Mend" in host.prompt("go on").block["task"]["lines"]


def test_a_workflow_with_steps_is_not_begun_by_a_prompt(host):
    """It would move the project's pipeline; that stays the conversation's, and what does not exist is told."""
    block = host.prompt("*work start greenfield").block
    assert "To start it for the project, run `limpet work start greenfield`." in block["commands"][0]["lines"]
    assert block["pipeline"]["workflow"] == "ours"
    lines = host.prompt("*work start inexistente").block["commands"][0]["lines"]
    assert lines[-1] == "Unknown workflow inexistente. Run `limpet work start`."
    assert host.prompt("and now", session_id="two").block["pipeline"]["workflow"] == "ours"


def test_what_the_manifest_gives_to_the_workflow_comes_in_its_step_only(host, run):
    """W20: a domain that a step names is silent in the others, though the manifest names the workflow too."""
    write_rules(
        host.workspace,
        "STORY_WORKFLOW_TRIGGER=ours\nQA_WORKFLOW_TRIGGER=ours\nWAY_WORKFLOW_TRIGGER=ours\n",
        story="STORY_RULE_0=Write the story first.\n",
        qa="QA_RULE_0=Test it.\n",
        way="WAY_RULE_0=Always so.\n",
    )
    block = host.prompt()
    assert (rule_lines(block, "STORY"), rule_lines(block, "QA")) == (["Write the story first."], None)
    assert rule_lines(block, "WAY") == ["Always so."]


def test_a_handoff_reaches_the_next_agent_only(host, run):
    """The first layer, once that agent is active; its score is a claim without checks."""
    assert host.prompt(session_id="one").block["handoff"] is None
    assert finish_step(opened(host.workspace)).finished
    handoff = host.prompt(session_id="two").block["handoff"]
    assert (handoff["from"], handoff["score"], handoff["lines"][0]) == ("brief", "100 (claimed)", "It is done.")


def test_a_handoff_of_another_run_is_not_told(host, run):
    """A workflow that begins anew begins without what the last one left."""
    assert finish_step(opened(host.workspace)).finished
    assert host.prompt(session_id="one").block["handoff"]["from"] == "brief"
    name = read_project(host.workspace)[0]["workflow"]
    succeed(run, "work", "start", name, "--afresh")
    update_project(host.workspace, {"current_agent": "dev"})
    refresh_mirror(host.workspace)
    assert host.prompt(session_id="two").block["handoff"] is None


def test_the_specs_are_what_a_session_reads_first(host, run):
    """The cold start of chat-spec, without a command."""
    write(f"{host.workspace.root}/ARCHITECTURE.md", "# Architecture\n")
    succeed(run, "work", "spec", "scan", "--write")
    assert any("architecture" in line for line in host.prompt().block["spec"])


def test_the_lock_is_taken_seen_and_lifted(host, run):
    """By the slash, by words, and by no word that merely sounds like leaving."""
    assert host.prompt("/limpet work").block["lock"]
    assert host.prompt(session_id="two").block["lock"]
    for words in ("stop", "wait", "go back", "cancel"):
        assert "command" not in (host.prompt(words, session_id="two").text if host.prompt(words).out else "")
    assert "Do you want to leave Limpet?" in " ".join(host.prompt("I want to leave", session_id="two").shown)
    left = host.prompt("sair do limpet", session_id="two")
    assert left.block["lock"] is None and "/limpet work" in " ".join(left.shown)
    assert json.loads(succeed(run, "work", "status", "--json"))["lock"]["active"] is False


def test_who_wants_to_leave_is_asked_back_in_their_language(host):
    """That of the words, where the project names none (seed 000 section 6: in the user's language); who comes back by
    the slash, which has no words, too."""
    host.prompt("/limpet work")
    assert "Quer sair" in host.prompt("quero sair").shown[0]
    assert host.prompt("sair do limpet").shown[0].startswith("Sessão salva")
    assert host.prompt("/limpet work").shown[0].startswith("Sessão retomada")


def test_who_cannot_leave_is_told_why_and_stays(host, run):
    """The file was spoilt by hand in the middle of the session: the last good state holds, and so does the lock."""
    assert host.prompt("/limpet work").block["lock"]
    write(private_path(host.workspace, "session.yaml"), "mode: [\n")
    answer = host.prompt("exit limpet", session_id="two")
    assert any(line.startswith("Nothing was changed: session.yaml:2") for line in answer.shown)
    assert answer.block["lock"]


def test_an_exit_that_takes_too_long_still_keeps_what_was_said(host, run):
    """The exit protocol's digest, though the hook could not wait to hear that the lock was lifted."""
    transcript = f"{host.workspace.root}/t.jsonl"
    write(transcript, f"{json.dumps(SAID)}\n")
    host.prompt("/limpet work", transcript_path=transcript)
    write_settings(host.workspace, "hosts: {command_deadline_ms: 1}\n")
    assert "failed or timed out" in " ".join(host.prompt("/limpet exit", transcript_path=transcript).shown)
    assert until(lambda: os.path.exists(private_path(host.workspace, "continuation", "latest.md")))


def test_help_is_given_in_a_project_without_any_state(workspace):
    """The first thing that somebody types after ``limpet init``; once the project has a language, it counts."""
    host = Host(workspace)
    assert "/limpet work status   where it stands" in " ".join(host.prompt("/limpet work help").shown)
    write(private_path(workspace, "session.yaml"), "language: pt\n")
    assert "/limpet work status   em que ponto está" in " ".join(host.prompt("/limpet work what?").shown)


@pytest.mark.parametrize("state", ["", "lock: {active: false}\n", "language: en\nbacklog: []\n"])
def test_the_slash_takes_no_lock_where_nothing_is_under_way(workspace, run, state):
    """It says where the work stands and what can be typed (decision 37); who wants the lock says so."""
    write(private_path(workspace, "session.yaml"), state)
    host = Host(workspace)
    answer = host.prompt("/limpet work")
    lines = answer.shown
    assert answer.block["lock"] is None and lines[0].startswith("The session is not locked.")
    assert any("limpet work start" in line for line in lines) and any("/limpet work resume" in line for line in lines)
    with open(private_path(workspace, "session.yaml"), encoding="utf-8") as file:
        assert file.read() == state
    assert host.prompt(session_id="two").block["lock"] is None
    assert host.prompt("/limpet resume").block["lock"]


@pytest.mark.parametrize("state", ["current_agent: dev", "task: Add the export", "workflow: ours"])
def test_the_slash_takes_the_lock_where_work_is_under_way(workspace, state):
    """An agent, a task or a workflow is work."""
    write(private_path(workspace, "session.yaml"), f"{state}\n")
    assert Host(workspace).prompt("/limpet work").block["lock"]


def test_a_conversations_own_work_is_work(workspace):
    """Its agent is active, though the project has none."""
    host = Host(workspace)
    host.prompt("*agent dev")
    assert host.prompt("/limpet work").block["lock"]


def test_after_an_exit_the_slash_takes_the_lock_again(workspace):
    """chati.dev V7.1 section 6, Resume: with the work where it stood."""
    write(private_path(workspace, "session.yaml"), "current_agent: dev\ntask: Add the export\n")
    host = Host(workspace)
    host.prompt("/limpet work")
    assert host.prompt("/limpet exit", session_id="two").block["lock"] is None
    answer = host.prompt("/limpet work", session_id="three")
    assert answer.block["lock"] and answer.block["agent"]["name"] == "dev"
    assert "Task: Add the export" in answer.shown
    assert answer.block["commands"][0]["lines"][0] == "Go on with the work under way."


@pytest.mark.parametrize(
    "words", ["/limpet", "/limpet status", "/limpet help", "/limpet resume", "What is the weather?"]
)
def test_whatever_is_no_exit_keeps_the_lock(workspace, run, words):
    """chati.dev V7.1 section 6: subcommands are followed and what is off topic is answered within it."""
    write(private_path(workspace, "session.yaml"), "current_agent: dev\n")
    host = Host(workspace)
    host.prompt("/limpet work")
    host.prompt(words)
    assert json.loads(succeed(run, "work", "status", "--json"))["lock"]["active"] is True


def test_neither_init_nor_an_agent_locks_the_session(workspace, run):
    """Only a person does."""
    succeed(run, "init", "--yes")
    succeed(run, "work", "agent", "activate", "dev")
    assert json.loads(succeed(run, "work", "status", "--json"))["lock"] == {"active": False}
    assert Host(workspace).prompt().block["lock"] is None


def test_what_follows_spec_is_told_apart_from_the_protocol(host):
    lines = host.prompt("/limpet spec evaluate architecture").block["commands"][0]["lines"]
    assert "The user asked for: evaluate architecture" in lines
    assert "Show the user these lines verbatim:" not in lines


def test_what_hung_before_a_compaction_is_told_after_it(host):
    """Neither process was done in time: the compaction is not held up, and nobody takes silence for all is well."""
    transcript = f"{host.workspace.root}/t.jsonl"
    write(transcript, f"{json.dumps(SAID)}\n")
    impatient = "from limpet.ground import processes; processes.waits = lambda *_: ()"
    process = {"first": f"import sys; sys.path.append({SOURCE!r}); {impatient}"}
    host.send("PreCompact", trigger="auto", transcript_path=transcript, process=process)
    lost = "the state of the work and lessons of the conversation may not have been kept before the compaction"
    assert lost in notes(host.send("SessionStart", source="compact", transcript_path=transcript))
    assert lost not in notes(host.send("SessionStart", source="resume", transcript_path=transcript))


def test_a_file_of_the_work_that_cannot_be_read_costs_its_own_part(host, run):
    """Conflict marks in the workflow: a note, and the rest of the block."""
    write(host.workspace.path("workflows", "ours.yaml"), "<<<<<<< ours\n" + WORKFLOW)
    block = host.prompt().block
    assert block["constitution"] and block["pipeline"] is None
    assert any("ours.yaml" in note for note in block["notes"]), block["notes"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [("next", "Do the next step of the work"), ("finish", "limpet work finish -"), ("back", "work back --issue")],
)
def test_the_slash_moves_the_work(workspace, run, typed, told):
    """The agent is told how, with what comes next; where nothing is under way, how to begin."""
    host = Host(workspace)
    (line,) = host.prompt(f"/limpet {typed}", session_id="before").block["commands"][0]["lines"]
    assert "`limpet work start`" in line
    run("work", "start", "quick-flow", "--yes")
    lines = host.prompt(f"/limpet {typed} because of the brief").block["commands"][0]["lines"]
    assert told in lines[0] and "brief.md (4 criteria), then: `limpet work finish -`." in lines[0]
    assert lines[1] == "The user asked for: because of the brief"
