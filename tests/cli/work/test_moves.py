"""The pipeline by its door: ``work status``, ``start``, ``advance``, ``back``, ``gate``, ``deviate``, ``backlog``."""

import json
import os
import subprocess
import sys

import pytest

from holdfast.operations.work.finish import show_form
from holdfast.operations.work.start import start
from holdfast.work.project import read_project, update_project
from holdfast.work.session import read_session, write_session

from ...conftest import SOURCE
from ...finishing import do_step, filled
from ...operations.callers import opened
from ..conftest import events, inside


@pytest.fixture
def work(call):
    """Runs ``holdfast work`` and expects that it succeeds; with ``--json`` what it answers."""

    def run_work(*arguments, **given):
        done = call("work", *arguments, **given)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done.stdout

    return run_work


@pytest.fixture
def refused(call):
    """Runs ``holdfast work`` and expects one line of refusal."""

    def run_refused(*arguments, **given):
        done = call("work", *arguments, **given)
        assert (done.returncode, done.stdout) == (1, "")
        return done.stderr

    return run_refused


def write(workspace, text):
    with open(workspace.path("session.yaml"), "w", encoding="utf-8") as file:
        file.write(text)


def content(workspace):
    with open(workspace.path("session.yaml"), encoding="utf-8") as file:
        return file.read()


def test_a_pipeline_from_start_to_the_first_gate(work, finish, workspace):
    """Started, finished; status says all of it."""
    work("start", "greenfield", "--name", "Harbour")
    assert "greenfield-wu passed with 100%; brief begins\n" in finish().stdout
    found = work("status", "--json")
    assert (found["project"], found["mode"], found["state"]) == (
        {"name": "Harbour", "type": "greenfield"},
        "planning",
        "discover",
    )
    assert (found["workflow"], found["step"]["agent"], found["agent"]) == ("greenfield", "brief", "brief")
    first = found["agents"]["greenfield-wu"]
    assert (first["status"], first["score"], first["evidence"]) == ("completed", 100, "claimed")
    assert found["gates"]["greenfield-wu"]["evidence"] == "claimed"
    assert found["gates"]["brief"]["evidence"] == "none"
    assert [event["kind"] for event in events(workspace)].count("work.advanced") == 1


def test_status_is_a_contract_and_one_screen(work):
    """The same keys before any work, and at most 24 lines of 110 characters in its midst."""
    empty = work("status", "--json")
    assert {
        "project",
        "mode",
        "state",
        "workflow",
        "step",
        "agents",
        "task",
        "squad",
        "backlog",
        "deviations",
        "gates",
    } <= (empty.keys())
    assert (empty["lock"], empty["problems"]) == ({"active": False}, [])
    work("start", "brownfield")
    work("deviate", "off_topic", "What is the weather?")
    lines = work("status").splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 112
    assert work("status", "--json").keys() == empty.keys()


def test_the_hook_sees_the_pipeline_that_the_command_moved(work, call):
    """The next block names the new agent."""
    work("start", "greenfield")
    assert 'agent name="greenfield-wu"' in call("context", "--start").stdout


def test_below_the_gate_a_round_of_correction_begins(work, finish, workspace):
    """The counted score is recorded, the step stays, and what is unmet is told."""
    work("start", "greenfield")
    done = finish(unmet=1)
    assert done.returncode == 1
    assert "score 80 is below 95; round 1 of 3 of correction begins" in done.stdout
    assert "unmet: The user has confirmed the report" in done.stdout
    record = read_project(workspace)[0]["agents"]["greenfield-wu"]
    assert record == {"status": "in_progress", "score": 80, "criteria_count": 5, "loops": 1}


def test_gates_are_shown(work, refused):
    """Also without a word after `gate`."""
    assert "No workflow is active" in refused("gate")
    work("start", "greenfield")
    (line,) = work("gate").splitlines()
    assert line.startswith("greenfield-wu  -  none  it is not finished; specs/greenfield-")
    assert work("gate", "show", "--json")["greenfield-wu"]["evidence"] == "none"


def test_the_current_step_can_begin_anew(work, finish, workspace):
    """As a round of correction of its own."""
    work("start", "greenfield")
    assert finish().returncode == 0
    assert work("back", "brief", "--reason", "the wrong people").startswith("back to brief\n\nYou are now brief: ")
    assert read_project(workspace)[0]["agents"]["brief"] == {"status": "in_progress", "loops": 1}


def test_an_override_and_the_way_back_are_logged(work, override, at_terminal, workspace):
    """With who called, whom it skipped and why; no is no, and without a reason there is none."""
    work("start", "greenfield")
    assert "needs a reason" in at_terminal("work", "advance", "--override").stderr
    assert at_terminal("work", "advance", "--override", "--reason", "r", typed="n\n", agrees=False).returncode == 1
    assert work("status", "--json")["agent"] == "greenfield-wu"
    done = override("--to", "dev")
    assert done.startswith("dev begins; skipped: greenfield-wu, brief")
    assert work("back", "--issue", "spec", "--reason", "FR-3").startswith(
        "back to detail; to validate again: architect"
    )
    kinds = {event["kind"]: event for event in events(workspace)}
    assert kinds["work.overridden"]["why"] == "prototype first"
    assert kinds["work.back"]["data"]["issue"] == "spec"


@pytest.mark.parametrize(
    "arguments", [["back"], ["back", "dev", "--issue", "spec"], ["advance", "--to", "dev"], ["deviate"]]
)
def test_half_a_command_is_a_usage_error(call, arguments):
    """Exit code 2."""
    assert call("work", *arguments).returncode == 2


def test_a_deviation_comes_back_to_agent_and_task(work, refused, workspace):
    """Aliases are agents too, unknown ones are not."""
    work("start", "greenfield")
    work("task", "Interview", "--id", "S-1")
    assert "Unknown agent: details" in refused("deviate", "scope_change", "CSV", "--to", "details")
    work("deviate", "scope_change", "CSV", "--to", "@pm", "--progress", "2 of 5")
    assert read_project(workspace)[0]["current_agent"] == "detail"
    assert "DV-001 is open: CSV" in refused("advance")
    work("task", "Rewrite FR-3")
    told = work("deviate", "--resolve", "dv-001")
    assert told.startswith("DV-001 is resolved; back at greenfield-wu\n\nYou are now greenfield-wu: ")
    session = read_project(workspace)[0]
    assert (session["current_agent"], session["task"]) == ("greenfield-wu", {"id": "S-1", "title": "Interview"})


def test_a_bug_goes_to_who_mends_it_and_a_story_can_come_first(work, refused, workspace, finish):
    """And both come back to what was interrupted."""
    work("start", "quick-flow", "--yes")
    assert finish().returncode == 0
    assert finish().returncode == 0
    told = work("deviate", "bug", "the total is wrong")
    assert told.startswith("DV-001: bug, dev handles it; to validate again: dev\n\nYou are now dev: ")
    work("deviate", "--resolve")
    work("story", "add", "S-3", "Fix the sum", "--task", "Mend")
    assert "No story with this ID" in refused("deviate", "order_change", "first the sum", "--first", "S-9")
    assert "--first does not apply to a bug" in refused("deviate", "bug", "b", "--first", "S-3")
    told = work("deviate", "order_change", "first the sum", "--first", "S-3")
    assert told.startswith("DV-002: order_change, Fix the sum comes first\n\n")
    assert "See to that first.\nBuild S-3: Fix the sum" in told and "Tasks: Mend\n" not in told
    assert read_project(workspace)[0]["task"] == {"id": "S-3", "title": "Fix the sum"}
    work("deviate", "--resolve")
    assert read_project(workspace)[0].get("task") is None


def test_the_title_of_a_story_is_not_asked_for_again(work, refused, workspace):
    """An id that no story has needs one."""
    work("story", "add", "S-2", "Add the export")
    work("task", "--id", "S-2")
    assert read_project(workspace)[0]["task"] == {"id": "S-2", "title": "Add the export"}
    assert "No story S-9" in refused("task", "--id", "S-9")


def test_the_backlog_is_kept(work, refused, workspace):
    """Added, changed, done, listed."""
    work("backlog", "add", "Rate limit", "--priority", "high", "--for", "@qa")
    work("backlog", "add", "Contrast: low, # and more")
    work("backlog", "set", "BL-002", "--status", "deferred", "--notes", "after the release")
    assert work("backlog") == "BL-001  high  pending  Rate limit\n"
    assert [item["id"] for item in work("backlog", "list", "--all", "--json")] == ["BL-001", "BL-002"]
    work("backlog", "done", "bl-001")
    assert work("backlog") == "No open items.\n"
    assert "No backlog item BL-009" in refused("backlog", "done", "BL-009")
    assert [item["title"] for item in read_project(workspace)[0]["backlog"]] == [
        "Rate limit",
        "Contrast: low, # and more",
    ]


def test_a_secret_in_a_title_is_not_kept(work, workspace):
    """Neither in the session nor in the log."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    work("backlog", "add", f"Rotate {secret}")
    assert secret not in content(workspace)
    assert secret not in json.dumps(events(workspace))


def test_a_quick_flow_asks_for_the_users_word(call, work, refused, workspace):
    """It shows what disqualifies it; a fact that does is refused even with the word."""
    done = call("work", "start", "quick-flow")
    assert done.returncode == 1
    assert "files: files that change, more than 5" in done.stderr
    assert "files that change: 6, at most 5" in refused("start", "quick-flow", "--fact", "files=6", "--yes")
    assert call("work", "start", "quick-flow", "--fact", "files=many").returncode == 2
    assert read_project(workspace)[0] == {}
    work("start", "quick-flow", "--fact", "files=3", "--fact", "schema_change=no", "--confidence", "0.9", "--yes")
    assert read_project(workspace)[0]["current_agent"] == "brief"


def test_a_projects_own_workflow_can_be_started(work, finish, workspace):
    """With the steps of its file; its documents name their own criteria."""
    os.makedirs(workspace.path("workflows"))
    with open(workspace.path("workflows", "hotfix.yaml"), "w", encoding="utf-8") as file:
        file.write("steps:\n  - {agent: dev, state: build, mode: build, gate: 80}\n")
    work("start", "hotfix")
    assert "dev passed with 100%; the pipeline is complete" in finish().stdout
    assert work("status", "--json")["state"] == "completed"


def test_an_unknown_workflow_brings_rules_only(call):
    """As rules may name it; the nearest known one is told."""
    done = call("work", "start", "greenfeld")
    assert (done.returncode, done.stdout) == (0, "workflow: greenfeld (.holdfast/session.yaml)\n")
    assert "did you mean greenfield?" in done.stderr


def test_starting_again_loses_nothing(work, finish, refused):
    """Neither the same workflow nor another."""
    work("start", "greenfield")
    assert finish().returncode == 0
    assert "already active, at brief" in work("start", "greenfield")
    assert "greenfield is active, and agents have worked in it: greenfield-wu" in refused("start", "brownfield")
    work("start", "brownfield", "--afresh")
    assert work("status", "--json")["agents"]["brief"]["status"] == "pending"


def test_a_mode_by_hand_is_told_as_an_override(work, workspace):
    """While a pipeline is under way."""
    work("start", "greenfield")
    assert work("mode", "build", "--reason", "hotfix") == "pipeline mode: build (.holdfast/session.yaml)\n"
    assert read_project(workspace)[0]["mode_transitions"][0]["type"] == "override"


def test_below_15_percent_no_new_task_begins(work, refused, workspace):
    """Decision 2: a handoff is mandatory; clearing the task is not a new one."""
    inside(workspace, "dev")
    state, _ = read_session(workspace, "of-dev")
    write_session(workspace, {**state, "usage": {"remaining": 14.9}})
    environment = {**os.environ, "PYTHONPATH": SOURCE, "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "of-dev"}

    def run(*words):
        command = [sys.executable, "-m", "holdfast", "work", "task", *words]
        return subprocess.run(command, cwd=workspace.root, env=environment, capture_output=True, text=True)

    assert "Only 14.9% of the context window is left" in run("Next").stderr
    assert run("--clear").returncode == 0


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("agents:\n  brief: {status: [\n", "session.yaml:3"),
        ("mode: build\n    assert "(4 criteria), then" in work("status")
    assert work("status", "--json")["next_words"].endswith("brief.md (4 criteria), then")
    work("deviate", "off_topic", "What is the weather?")
    assert following() == "holdfast work deviate --resolve"
    work("deviate", "--resolve")
    write(workspace, content(workspace).replace("status: in_progress", "status: in_progress, escalated: true"))
    assert following() == "holdfast work finish -"
    assert "ask the user how to go on" in work("status")
    override("--to", "devops")
    override()
    assert following() == "holdfast work start WORKFLOW"


def test_a_screen_stays_a_screen_whatever_the_file_holds(work, workspace):
    """Line breaks, control characters, long texts, many deviations and many mistakes."""
    lines = [f"  - {{id: DV-{number:03}, type: off_topic, reason: why, resolved: false}}" for number in range(1, 40)]
    mistakes = "language: x\nuser_level: x\nmode: x\npermission: x\nsquad: 1\nexecution_mode: x\n"
    title = r'"a\e]0;title\a\nb ' + "long " * 60 + '"'
    write(workspace, f"{mistakes}task: {title}\nworkflow: greenfield\ndeviations:\n" + "\n".join(lines) + "\n")
    shown = work("status")
    assert len(shown.splitlines()) <= 26
    assert max(map(len, shown.splitlines())) <= 112
    assert not set(map(chr, range(32))) - {"\n"} & set(shown)
    assert "35 more. Run: holdfast work status --json" in shown
    assert len(work("status", "--json")["deviations"]) == 39
    assert len(work("status", "--json")["problems"]) == 6


def test_a_title_of_the_backlog_is_one_line_and_never_empty(work, refused, workspace):
    """However it was given."""
    work("backlog", "add", "first\nsecond")
    assert work("backlog") == "BL-001  medium  pending  first second\n"
    assert "needs a title" in refused("backlog", "set", "BL-001", "--title", " ")
    write(workspace, content(workspace).replace("first second", '"x\\e[2Jy\\nz"'))
    assert len(work("backlog").splitlines()) == 1


def test_twenty_processes_that_close_items_while_others_are_archived_lose_none(workspace, call, work):
    """Each item is in the session or in the archive, and counted once."""
    assert call("config", "set", "work.closed_kept", "2").returncode == 0
    code = (
        f"import sys; sys.path.append({SOURCE!r})\n"
        f"import os; os.chdir({workspace.root!r})\n"
        "from holdfast.cli import holdfast\n"
        "for words in (['add', sys.argv[1]], ['done', f'BL-{int(sys.argv[1]):03}']):\n"
        "    holdfast(['work', 'backlog', *words], standalone_mode=False)\n"
    )
    items = "".join(f"  - {{id: BL-{n:03}, title: t, priority: low, status: pending}}\n" for n in range(1, 21))
    write(workspace, f"backlog:\n{items}")
    runs = [subprocess.Popen([sys.executable, "-c", code, str(number)]) for number in range(1, 21)]
    assert [run.wait() for run in runs] == [0] * 20
    counts = work("status", "--json")["backlog"]
    assert (counts["open"], counts["done"]) == (20, 20)
    assert sorted(item["id"] for item in work("backlog", "list", "--all", "--json")) == [
        f"BL-{number:03}" for number in range(1, 41)
    ]
    assert len(read_project(workspace)[0]["backlog"]) <= 25


def test_a_move_whose_event_cannot_be_told_is_made(work, workspace):
    """Here a task with a key that JSON has no word for, written by hand."""
    write(workspace, "task: {null: 3}\n")
    assert work("deviate", "off_topic", "What is the weather?").startswith("DV-001")


@pytest.mark.parametrize(
    ("language", "asked"),
    [("pt", "ou seguimos com"), ("en", "or go on with"), ("fr", "ou on continue"), ("es", "o seguimos con")],
)
def test_what_is_off_topic_is_noted_and_the_user_asked_in_their_language(work, workspace, language, asked):
    """The words come from the catalogue and name the task; other kinds of deviation ask nothing."""
    write(workspace, f"language: {language}\ntask: Login\n")
    first, question, *step = work("deviate", "off_topic", "What is the weather?").splitlines()
    assert step[-1] == "Then run: holdfast work deviate --resolve"
    assert first.startswith("DV-001: off_topic")
    assert "Login" in question
    assert f"{asked} Login" in question
    assert work("deviate", "scope_change", "CSV too").splitlines()[1] == ""
