"""``limpet work spec`` by its door."""

import json
import os
import subprocess
import sys

import pytest

from limpet.ground.storage.files import read_text

from ...conftest import SOURCE
from ...conversation import write

ANSWERS = """\
components: yes
relationships: {result: no, note: "no queue"}
data_flow: yes
non_obvious: yes
boundaries: yes
entry_points: yes
persistence: n/a
external: true
constraints: yes
current: yes
code_restatement: no
contradictions: false
"""
KILL = """
import os, signal
from limpet.work.documents import store
real, written = store.replace_text, []
def replace_text(path, *rest):
    if written:
        os.kill(os.getpid(), signal.SIGKILL)
    written.append(path)
    real(path, *rest)
store.replace_text = replace_text
"""


def by_spec(call):
    """A function that runs ``limpet work spec``: what it printed, as data where JSON was asked for."""

    def run_spec(*arguments, stdin=""):
        done = call("work", "spec", *arguments, stdin=stdin)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done.stdout

    return run_spec


def put(workspace, path, text):
    write(os.path.join(workspace.root, path), text)


def get(workspace, path):
    return read_text(os.path.join(workspace.root, path))


def state(spec, key="architecture"):
    """(state, score, reason) of a document."""
    found = next(one for one in spec("status", "--json")["documents"] if one["key"] == key)
    return found["state"], found["score"], found.get("reason", "")


def test_without_state_the_next_command_is_named(spec):
    """By status for people, by an error where state is needed."""
    assert spec("status") == "No documents are tracked yet. Run: limpet work spec scan --write\n"
    bare = spec("status", "--json")
    spec("scan", "--write")
    assert set(bare) == set(spec("status", "--json")) and bare["documents"] == bare["next"] == []


def test_a_scan_writes_on_request_only(workspace, spec):
    """The core types, and what was found."""
    put(workspace, "docs/architecture.md", "x")
    assert "Nothing written." in spec("scan")
    assert not os.path.exists(workspace.path("manifest.yaml"))
    written = spec("scan", "--write", "--json")
    assert [one["key"] for one in written["found"]] == ["architecture", "features", "conventions", "dev-context"]
    assert spec("scan", "--json")["found"] == []


def test_the_checklist_shows_every_question_with_its_weight(project, spec):
    """Penalties too, and what is still to answer."""
    text = spec("evaluate", "architecture")
    assert "+3  components        -  Are all main parts" in text
    assert "-3  contradictions    -  " in text
    items = spec("evaluate", "architecture", "--json")
    assert (items["level"], len(items["checklist"]), len(items["unanswered"])) == (None, 12, 12)


@pytest.mark.parametrize("form", ["yaml", "json", "list"])
def test_answers_from_a_file_give_score_and_level(project, spec, form):
    """YAML or JSON, a mapping or a checklist; booleans and n/a."""
    said = {"components": "yes", "relationships": {"result": "no", "note": "no queue"}, "persistence": "n/a"}
    good = ("data_flow", "non_obvious", "boundaries", "entry_points", "external", "constraints", "current")
    said |= dict.fromkeys(good, True) | {"code_restatement": False, "contradictions": "no"}
    rows = [{"id": name, **(one if isinstance(one, dict) else {"result": one})} for name, one in said.items()]
    text = {"yaml": ANSWERS, "json": json.dumps(said), "list": json.dumps({"checklist": rows})}[form]
    name = "given.yaml" if form == "yaml" else "given.json"
    put(project, name, text)
    found = spec("evaluate", "architecture", "--answers", name, "--json")
    assert (found["points"], found["effective"], found["level"], found["reachable"]) == (14, 17, 4, 5)
    assert state(spec) == ("current", 4, "")
    notes = {one["id"]: one["note"] for one in found["checklist"]}
    assert notes["relationships"] == "no queue"


def test_single_answers_are_work_in_progress_until_the_last(project, spec):
    """And an option counts for more than the file."""
    assert "not scored yet" in spec("evaluate", "architecture", "--answer", "components=yes")
    assert state(spec)[:2] == ("wip", 0)
    given = ("--answers", "answers.yaml", "--answer", "relationships=yes", "--note", "relationships=all there")
    assert "architecture: level 5 of 5" in spec("evaluate", "architecture", *given)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--answer", "contradictions=yes"], "A penalty needs a cited example: contradictions"),
        (["--answer", "components"], "Use --answer ID=yes|no|n/a"),
        (["--note", "components=x"], "A note needs an answer"),
        (["--answers", "docs/architecture.md"], "No answers found"),
    ],
)
def test_a_bad_answer_is_refused_and_nothing_is_written(project, call, arguments, error):
    """The error says what would do."""
    before = get(project, ".limpet/manifest.yaml")
    done = call("work", "spec", "evaluate", "architecture", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert error in done.stderr
    assert get(project, ".limpet/manifest.yaml") == before
    assert not os.path.exists(project.path("artifacts"))


def test_a_document_of_another_name_takes_a_type_and_a_path(project, spec, call):
    """And is tracked from then on."""
    put(project, "docs/billing.md", "x")
    assert "Document 'billing-api' is not tracked" in call("work", "spec", "evaluate", "billing-api").stderr
    assert "endpoint_list" in spec("evaluate", "billing-api", "--type", "api-docs")
    given = ("--type", "api-docs", "--path", "docs/billing.md", "--answer", "endpoint_list=yes")
    spec("evaluate", "billing-api", *given)
    assert state(spec, "billing-api")[0] == "wip"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_kill_between_detail_and_manifest_is_seen_and_mended_by_evaluating_again(project, spec, run):
    """As chat-spec says: the manifest is the truth about completion, and what is on disk is evaluated again."""
    before = get(project, ".limpet/manifest.yaml")
    done = run("work", "spec", "evaluate", "architecture", "--answers", "answers.yaml", first=KILL)
    assert done.returncode == -9
    assert "last_evaluated: 2" in get(project, ".limpet/artifacts/architecture.yaml")
    assert get(project, ".limpet/manifest.yaml") == before
    assert state(spec) == ("stale", 0, "its last evaluation was interrupted before the manifest was updated")
    offered = {(one["action"], one["key"]) for one in spec("status", "architecture", "--json")["next"]}
    assert offered == {("evaluate", "architecture")}
    spec("evaluate", "architecture", "--answers", "answers.yaml")
    assert state(spec) == ("current", 4, "")


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_kill_while_a_problem_is_noted_loses_nothing(project, spec, run):
    """It lies in the detail; noting it again puts it into the manifest, once."""
    assert run("work", "spec", "backlog", "architecture", "a gap", first=KILL).returncode == -9
    assert "a gap" in spec("backlog")
    spec("backlog", "architecture", "a gap")
    assert spec("backlog").count("a gap") == 1
    assert "a gap" in get(project, ".limpet/manifest.yaml")


def test_twenty_processes_that_note_problems_lose_none(project, spec):
    """The manifest shows ten, the detail holds all, both whole."""
    command = [sys.executable, "-m", "limpet", "work", "spec", "backlog"]
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    where = {"cwd": project.root, "env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    keys = ("architecture", "features")
    running = [subprocess.Popen([*command, keys[n % 2], f"problem {n:02}"], **where) for n in range(20)]
    assert [one.communicate()[1] for one in running] == [b""] * 20
    assert sorted(one["item"] for one in spec("backlog", "--json")) == [f"problem {n:02}" for n in range(20)]
    assert len(spec("status", "--json")["backlog"]) == 10


def test_problems_are_listed_done_and_logged(project, spec):
    """From first to last."""
    spec("backlog", "features", "Search is not described", "--priority", "high")
    spec("backlog", "features", "No scope")
    assert spec("backlog", "features").splitlines()[0].startswith("high    features")
    assert spec("backlog", "features", "--done", "search") == "Done: Search is not described\n"
    assert spec("status", "--log", "Looked around").splitlines()[0].endswith(": Looked around")
    assert len(spec("status", "--log", "--json")) == len(spec("log", "--json")) == 2


@pytest.mark.parametrize("given", ["backlog nothing x", "backlog nothing", "status nothing", "evaluate nothing"])
def test_an_unknown_document_is_told(project, call, given):
    """By every command that takes one."""
    done = call("work", "spec", *given.split())
    assert done.returncode == 1
    assert "Document 'nothing' is not tracked" in done.stderr


def test_three_modes(project, spec):
    """One offer, three, or the target's."""
    assert [one["key"] for one in spec("status", "--json")["next"]] == ["features"]
    assert len(spec("status", "--vague", "--json")["next"]) == 3
    assert [one["action"] for one in spec("status", "architecture", "--json")["next"]] == ["evaluate"]


def test_a_manifest_that_cannot_be_read_is_told_and_left(project, call):
    """By reading and by writing."""
    text = "a: 1\n<<<<<<< HEAD\n"
    put(project, ".limpet/manifest.yaml", text)
    for arguments in (["status"], ["backlog", "architecture", "x"], ["scan", "--write"], ["log", "x"]):
        done = call("work", "spec", *arguments)
        assert (done.returncode, done.stdout) == (1, "")
        assert ".limpet/manifest.yaml:2: Unresolved merge conflict" in done.stderr
    assert get(project, ".limpet/manifest.yaml") == text
