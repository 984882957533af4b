"""The pipeline by its door: ``work status``, ``start``, ``advance``, ``back``, ``gate``, ``deviate``."""

import json
import os
import subprocess
import sys

import pytest

from limpet.cli.screen import wrapped
from limpet.ground.storage.durable import make_folder
from limpet.operations.work.finish import show_form
from limpet.operations.work.start import start_work
from limpet.work.project import read_project

from ...conftest import SOURCE
from ...finishing import do_step, filled
from ...operations.callers import opened
from ...places import private_path
from ...project_session import update_project
from ...work.writing import archived, put
from ..conftest import events


@pytest.fixture
def work(call):
    """Runs ``limpet work`` and expects that it succeeds; with ``--json`` what it answers."""

    def run_work(*arguments, **given):
        done = call("work", *arguments, **given)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done.stdout

    return run_work


@pytest.fixture
def refused(call):
    def run_refused(*arguments, **given):
        done = call("work", *arguments, **given)
        assert (done.returncode, done.stdout) == (1, "")
        return done.stderr

    return run_refused


def write(workspace, text):
    path = private_path(workspace, "session.yaml")
    make_folder(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def test_status_is_a_contract_and_one_screen(work):
    """The same keys before any work, and at most 24 lines of 110 characters in its midst."""
    empty = work("status", "--json")
    first = {"project", "mode", "state", "workflow", "step", "agents", "task", "squad", "deviations", "gates"}
    assert first <= empty.keys()
    assert (empty["lock"], empty["problems"]) == ({"active": False}, [])
    work("start", "brownfield")
    work("deviate", "off_topic", "What is the weather?")
    lines = [part for line in work("status").splitlines() for part in wrapped(line, 112)]
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 112
    assert work("status", "--json").keys() == empty.keys()


def test_gates_are_shown(work, refused):
    """Also without a word after `gate`."""
    assert "No workflow is active" in refused("status", "--gates")
    work("start", "greenfield")
    (line,) = work("status", "--gates").splitlines()
    assert line.startswith("greenfield-wu  -  none  it is not finished; specs/greenfield-")
    assert work("status", "--gates", "--json")["greenfield-wu"]["evidence"] == "none"


def test_an_override_and_the_way_back_are_logged(work, override, at_terminal, workspace):
    """With who called, whom it skipped and why; no is no, and without a reason there is none."""
    work("start", "greenfield")
    assert "needs a reason" in at_terminal("work", "approve", "--override").stderr
    assert at_terminal("work", "approve", "--override", "--reason", "r", typed="n\n", agrees=False).returncode == 1
    assert work("status", "--json")["agent"] == "greenfield-wu"
    done = override("--to", "dev")
    assert done.startswith("dev begins; skipped: greenfield-wu, brief")
    told = work("back", "--issue", "spec", "--reason", "FR-3")
    assert told.startswith("back to detail; to validate again: architect")
    kinds = {event["kind"]: event for event in events(workspace)}
    assert kinds["work.overridden"]["why"] == "prototype first"
    assert kinds["work.back"]["data"]["issue"] == "spec"


@pytest.mark.parametrize(
    "arguments", [["back"], ["back", "dev", "--issue", "spec"], ["approve", "--to", "dev"], ["deviate"]]
)
def test_half_a_command_is_a_usage_error(call, arguments):
    """Exit code 2."""
    assert call("work", *arguments).returncode == 2


def test_a_bug_goes_to_who_mends_it_and_a_story_can_come_first(work, call, refused, workspace, finish):
    """And both come back to what was interrupted."""
    work("start", "quick-flow", "--yes")
    assert finish().returncode == 0
    assert finish().returncode == 0
    told = work("deviate", "bug", "the total is wrong")
    assert told.startswith("DV-001: bug, dev handles it; to validate again: dev\n\nYou are now dev: ")
    work("deviate", "--resolve")
    assert call("work", "story", "add", "S-3", "Fix the sum", "--task", "Mend").returncode == 0
    assert "No story with this ID" in refused("deviate", "order_change", "first the sum", "--first", "S-9")
    assert "--first does not apply to a bug" in refused("deviate", "bug", "b", "--first", "S-3")
    told = work("deviate", "order_change", "first the sum", "--first", "S-3")
    assert told.startswith("DV-002: order_change, Fix the sum comes first\n\n")
    assert "See to that first.\nBuild S-3: Fix the sum" in told and "Tasks: Mend\n" not in told
    assert read_project(workspace)[0]["task"] == {"id": "S-3", "title": "Fix the sum"}
    work("deviate", "--resolve")
    assert read_project(workspace)[0].get("task") is None


def test_a_quick_flow_asks_for_the_users_word(call, work, refused, workspace):
    """It tells what disqualifies it and is not known; a fact that does is refused even with the word."""
    assert "files that change, more than 5; the database schema changes" in refused("start", "quick-flow")
    said = refused("start", "quick-flow", "--fact", "files=3")
    assert "files that change" not in said and "said by who starts it: files 3" in said
    assert "files that change: 6, at most 5" in refused("start", "quick-flow", "--fact", "files=6", "--yes")
    assert call("work", "start", "quick-flow", "--fact", "files=many").returncode == 2
    assert read_project(workspace)[0] == {}
    work("start", "quick-flow", "--fact", "files=3", "--fact", "schema_change=no", "--confidence", "0.9", "--yes")
    assert read_project(workspace)[0]["current_agent"] == "brief"


def test_an_unknown_workflow_brings_rules_only(call):
    """As rules may name it; the nearest known one is told."""
    done = call("work", "start", "greenfeld")
    assert (done.returncode, done.stdout) == (0, "workflow: greenfeld (session.yaml)\n")
    assert "did you mean greenfield?" in done.stderr


def test_twenty_processes_that_move_and_add_at_once_lose_nothing(workspace):
    """Every item has its id, the step that all finish is left once, every write has its revision."""
    steps = "".join(f"  - {{agent: a{number}, state: plan, mode: planning}}\n" for number in range(25))
    put(workspace, "workflows/hotfix.yaml", f"steps:\n{steps}")
    start_work(opened(workspace), "hotfix")
    form = show_form(opened(workspace))
    do_step(workspace.root, form)
    with open(os.path.join(workspace.root, "done.md"), "w", encoding="utf-8") as file:
        file.write(filled(form))
    code = (
        f"import sys; sys.path.append({SOURCE!r})\n"
        f"import os; os.chdir({workspace.root!r})\n"
        "from limpet.cli import limpet\n"
        "from limpet.ground.workspace import workspace_at\n"
        "from limpet.work.pipeline.state import next_id\n"
        "from limpet.work.project import change_project\n"
        "def add(session):\n"
        "    known = session.get('deviations') or []\n"
        "    made = {'id': next_id(known, 'DV'), 'reason': sys.argv[1], 'resolved': True}\n"
        "    return {'deviations': [*known, made]}\n"
        "change_project(workspace_at(os.getcwd()), add)\n"
        "from limpet.ground.errors import LimpetError\n"
        "try:\n"
        "    limpet(['work', 'finish', 'done.md'], standalone_mode=False)\n"
        "except LimpetError as error:\n"
        "    print('refused', error)\n"
    )
    commands = [[sys.executable, "-c", code, f"item {number}"] for number in range(20)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    outputs = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0] * 20
    session, problems = read_project(workspace)
    assert problems == []
    added = session["deviations"]
    assert sorted(item["reason"] for item in added) == sorted(f"item {number}" for number in range(20))
    assert {item["id"] for item in added} == {f"DV-{number:03}" for number in range(1, 21)}
    passed = [line for output in outputs for line in output.splitlines() if " passed with 100%" in line]
    completed = [agent for agent, record in session["agents"].items() if record["status"] == "completed"]
    assert sorted(line.split()[0] for line in passed) == sorted(completed)


def test_status_reads_the_story_in_hand_only(workspace, call):
    """With a thousand of them it opens one file below ``stories``; that it cannot be read is told."""
    for number in range(1000):
        put(workspace, f"stories/S-{number}/story.md", "---\nid: [\n---\n")
    watch = (
        "import os, sys\n"
        "def see(event, given):\n"
        "    looks = event in ('open', 'os.listdir', 'os.scandir')\n"
        "    if looks and '.limpet/stories' in str(given[0]).replace(os.sep, '/'):\n"
        "        sys.stderr.write(f'{given[0]}\\n')\n"
        "sys.addaudithook(see)\n"
        f"sys.path.append({SOURCE!r})\n"
        f"os.chdir({workspace.root!r})\n"
        "from limpet.cli import limpet\n"
        "limpet(['work', 'status'], standalone_mode=False)\n"
    )
    update_project(workspace, {"workflow": "greenfield", "task": {"id": "S-7", "title": "x"}})
    done = subprocess.run([sys.executable, "-c", watch], capture_output=True, text=True)
    assert "pipeline" in done.stdout
    assert {os.path.basename(os.path.dirname(line)) for line in done.stderr.splitlines()} <= {"S-7", "stories"}
    opened_files = {line for line in done.stderr.splitlines() if line.endswith(".md")}
    assert opened_files == {workspace.path("stories", "S-7", "story.md")}
    assert "problem   .limpet/stories/S-7/story.md:3: " in done.stdout


def test_what_is_resolved_leaves_the_file_for_the_archive(work, call, workspace):
    """The session stays one small file, and ids go on."""
    assert call("config", "set", "work.closed_kept", "2").returncode == 0
    for number in range(1, 7):
        work("deviate", "off_topic", f"item {number}")
        work("deviate", "--resolve")
    left = [item["id"] for item in read_project(workspace)[0]["deviations"]]
    assert left == ["DV-004", "DV-005", "DV-006"]
    assert [item["id"] for item in archived(workspace, "deviations")] == ["DV-001", "DV-002", "DV-003"]
    assert work("deviate", "off_topic", "the next").startswith("DV-007")
    assert any(event["kind"] == "work.resolved" for event in events(workspace))


def test_a_configured_gate_holds_for_the_shipped_workflows(work, call, finish):
    """Their steps name none of their own."""
    assert call("config", "set", "work.gate", "75", "--yes").returncode == 0
    work("start", "greenfield")
    assert "greenfield-wu passed with 75%; brief begins\n" in finish(unmet=1).stdout
    assert "score 60 is below 75" in finish(unmet=2).stdout


def test_a_projects_own_workflow_may_call_its_agents_by_aliases(work, finish, workspace):
    """By the names that its steps bear, in any spelling; behind the last one only the way out is."""
    steps = [f"  - {{agent: {name}, state: build, mode: build}}\n" for name in ("qa", "'@Dev'")]
    put(workspace, "workflows/hotfix.yaml", "steps:\n" + "".join(steps))
    work("start", "hotfix")
    assert "qa passed with 100%; dev begins" in finish().stdout
    assert work("back", "qa").startswith("back to qa; to validate again: dev")
    assert finish().returncode == 0
    told = finish().stdout
    assert "dev passed with 100%; the pipeline is complete" in told
    assert told.splitlines()[-1] == "next: limpet work stop"
    assert work("status", "--json")["state"] == "completed"


def test_a_session_that_cannot_be_read_is_no_empty_one(refused, workspace):
    """Here a folder in its place."""
    os.makedirs(private_path(workspace, "session.yaml"))
    assert "Cannot read the file: session.yaml" in refused("status")


def test_status_says_what_is_to_be_typed_next(work):
    """Before the work and in its midst, for people and for programs."""

    def following():
        (line,) = [line for line in work("status").splitlines() if line.startswith("next")]
        assert line.split(maxsplit=1)[1] == work("status", "--json")["next"]
        return work("status", "--json")["next"]

    assert following() == "limpet work start WORKFLOW"
    work("start", "quick-flow", "--yes")
    assert following() == "limpet work finish -"
    assert "first write specs/quick-flow-" in work("status") and ", then" not in work("status")
    assert work("status", "--json")["next_words"].endswith("brief.md (4 criteria), then")


def test_a_screen_stays_a_screen_whatever_the_file_holds(work, workspace):
    """Line breaks, control characters, long texts, many deviations and many mistakes."""
    lines = [f"  - {{id: DV-{number:03}, type: off_topic, reason: why, resolved: false}}" for number in range(1, 40)]
    mistakes = "language: x\nuser_level: x\nmode: x\npermission: x\nsquad: 1\nexecution_mode: x\n"
    title = r'"a\e]0;title\a\nb ' + "long " * 60 + '"'
    write(workspace, f"{mistakes}task: {title}\nworkflow: greenfield\ndeviations:\n" + "\n".join(lines) + "\n")
    shown = work("status")
    lines = [part for line in shown.splitlines() for part in wrapped(line, 112)]
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 112
    assert not set(map(chr, range(32))) - {"\n"} & set(shown)
    assert "35 more. Run: limpet work status --json" in shown
    assert len(work("status", "--json")["deviations"]) == 39
    assert len(work("status", "--json")["problems"]) == 6


def test_twenty_processes_that_close_items_while_others_are_archived_lose_none(workspace, call, work):
    """Each item is in the session or in the archive."""
    assert call("config", "set", "work.closed_kept", "2").returncode == 0
    code = (
        f"import sys; sys.path.append({SOURCE!r})\n"
        f"import os; os.chdir({workspace.root!r})\n"
        "from limpet.cli import limpet\n"
        "for words in (['off_topic', sys.argv[1]], ['--resolve', f'DV-{int(sys.argv[1]):03}']):\n"
        "    limpet(['work', 'deviate', *words], standalone_mode=False)\n"
    )
    items = "".join(f"  - {{id: DV-{n:03}, type: off_topic, reason: t, resolved: false}}\n" for n in range(1, 21))
    write(workspace, f"deviations:\n{items}")
    runs = [subprocess.Popen([sys.executable, "-c", code, str(number)]) for number in range(1, 21)]
    assert [run.wait() for run in runs] == [0] * 20
    kept = read_project(workspace)[0]["deviations"]
    known = {item["id"] for item in (*kept, *archived(workspace, "deviations"))}
    assert len(work("status", "--json")["deviations"]) == 20
    assert known == {f"DV-{number:03}" for number in range(1, 41)}
    assert len(kept) <= 25


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
    assert step[-1] == "Then run: limpet work deviate --resolve"
    assert first.startswith("DV-001: off_topic")
    assert "Login" in question
    assert f"{asked} Login" in question
    assert work("deviate", "scope_change", "CSV too").splitlines()[1] == ""
