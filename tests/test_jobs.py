"""Every job by its name: raw orders in, an answer that JSON can carry out."""

import json
import os
import subprocess
import sys

import pytest

from limpet.ground.processes import own_command
from limpet.jobs import JOBS
from limpet.memory.model.entry import Query
from limpet.operations.memory.change import remember_memory
from limpet.operations.memory.find import list_memories
from limpet.operations.memory.library import open_library
from limpet.operations.memory.view import describe_card
from limpet.work.continuation_store import read_continuation
from limpet.work.project import read_project

from .conversation import write
from .forking import SOURCE
from .leaks import TOKEN, leaks
from .operations.callers import NOW, events, indexed, opened
from .places import private_path


def run(job, workspace, orders):
    """What a job answers, run here."""
    return JOBS[job][0](workspace, orders)


def answer(workspace, job, **orders):
    """What the second process prints."""
    command = own_command("limpet.jobs", workspace.home, job, workspace.state)
    given = json.dumps({"now": NOW, "session": "talk", **orders})
    done = subprocess.run(command, input=given, capture_output=True, text=True, cwd=workspace.root)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_a_capture_counts_the_candidates(workspace, tmp_path):
    """By the orders that the hook sends."""
    path = str(tmp_path / "talk.jsonl")
    message = {"role": "user", "content": "Let's go with PostgreSQL for the job queue."}
    line = {"type": "user", "uuid": "u", "timestamp": "2026-11-21T10:00:00Z", "message": message}
    write(path, json.dumps(line) + "\n")
    counts = answer(workspace, "capture", host="claude-code", transcript=path, agent="")
    assert counts == {"noted": 1}
    assert answer(workspace, "capture", host="claude-code", transcript=path, agent="", turn=True) == {}


@pytest.mark.parametrize(
    ("job", "orders", "counted"),
    [
        (
            "failure",
            {"agent": "", "tool": "Bash", "tool_use_id": "call", "error": "error: no left-pad", "paths": ["a.py"]},
            {"gotchas": 0},
        ),
        ("catch_up", {}, {"conversations": 0}),
        ("deeds", {}, {"observations": 0}),
        ("upkeep", {}, {"actions": 0}),
    ],
)
def test_a_job_counts_what_it_did(workspace, job, orders, counted):
    """One failure alone is none, and of a memory that nobody has to look after there is nothing to do."""
    remember_memory(opened(workspace), {}, "The queue is Redis.")
    assert answer(workspace, job, **orders) == counted


def test_a_job_that_fails_says_so_in_the_metrics(workspace):
    """And nowhere else: nobody reads its stderr."""
    command = own_command("limpet.jobs", workspace.home, "capture", workspace.state)
    done = subprocess.run(command, input='{"session": "talk"}', capture_output=True, text=True, cwd=workspace.root)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    with open(private_path(workspace, "metrics", "hook.jsonl"), encoding="utf-8") as file:
        (line,) = map(json.loads, file)
    assert line["crash"] == "KeyError"


def test_a_job_that_takes_too_long_ends_itself_and_says_so(workspace):
    """Here its orders never come."""
    late = "from limpet import jobs; jobs.JOBS['refresh'] = (None, 0.1); jobs"
    command = [
        part.replace("from limpet.jobs import main", f"{late}; from limpet.jobs import main")
        for part in own_command("limpet.jobs", workspace.home, "refresh", workspace.state)
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        code = process.wait(60)
        assert (code, process.stdout.read(), process.stderr.read()) == (1, b"", b"")
    with open(private_path(workspace, "metrics", "hook.jsonl"), encoding="utf-8") as file:
        (line,) = map(json.loads, file)
    assert (line["event"], line["crash"]) == ("job refresh", "TimeoutError")


def command(workspace, name, text):
    """The line that answers the person."""
    (line,) = run("command", workspace, {"command": name, "text": text, "session": "talk", "now": NOW})["lines"]
    return line


def entry(workspace):
    """The one memory there is."""
    (card,) = list_memories(opened(workspace), Query())[0].cards
    return open_library(opened(workspace)).show(card.id, count=False).entry


@pytest.mark.parametrize(
    ("name", "kind", "answer"), [("remember", "lesson", "Remembered as "), ("gotcha", "gotcha", "Gotcha ")]
)
def test_what_a_person_typed_is_durable_and_theirs(workspace, name, kind, answer):
    """All of it is the body, and the conversation is known."""
    line = command(workspace, name, "Redis holds the jobs")
    kept = entry(workspace)
    assert line == f"{answer}{kept.id}: Redis holds the jobs"
    assert (kept.type, kept.title, kept.body) == (kind, "Redis holds the jobs", "Redis holds the jobs")
    assert (kept.storage, kept.source, kept.confidence, kept.session) == ("durable", "person", 1.0, "talk")
    assert [one for one in events(workspace) if one[0].startswith("memory.")] == [("memory.added", f"*{name}")]


def test_a_gotcha_by_a_star_command_is_not_graded_by_its_words(workspace):
    """Who types it in a hurry is not held to them."""
    command(workspace, "gotcha", "pytest leaks a password")
    assert (entry(workspace).category, entry(workspace).severity) == ("general", "warning")


def test_a_long_text_is_cut_for_the_title_only(workspace):
    """With an ellipsis."""
    command(workspace, "remember", "a word " * 40)
    kept = entry(workspace)
    assert (len(kept.title), kept.title[-1], len(kept.body)) == (120, "…", 279)


def test_what_is_forgotten_can_be_brought_back(workspace):
    """The answer says how."""
    command(workspace, "remember", "Redis holds the jobs")
    key = entry(workspace).id
    assert command(workspace, "forget", key) == f"Forgot {key}. Undo: `limpet memory undo {key}`"
    assert indexed(workspace) == []


def test_a_secret_is_neither_kept_nor_repeated(workspace):
    """In an error neither."""
    lines = [command(workspace, name, TOKEN) for name in ("remember", "forget", "gotcha")]
    assert leaks(workspace, *lines) == []
    assert lines[1].startswith("Nothing was changed: ")


def test_cards_of_star_commands_look_like_any_other(workspace):
    """Programs see no difference."""
    command(workspace, "remember", "Redis holds the jobs")
    (card,) = list_memories(opened(workspace), Query())[0].cards
    assert describe_card(workspace, card)["owner"] == "shared"


FULL_TEXT = "Full text: limpet resume --full abc"
OF_CONVERSATION = {"session": "abc", "now": 1_795_262_400.0}


def test_the_orders_say_whose_and_when(workspace):
    """What is not known may be left out."""
    answer = run(
        "continuation", workspace, {**OF_CONVERSATION, "host": "claude-code", "agent": "dev", "text": "Go on, please"}
    )
    assert answer["path"] == "limpet resume --full abc" and answer["memories"] == 0
    assert FULL_TEXT in answer["lines"]
    found = read_continuation(workspace, "abc")
    assert (found.at, found.host, found.agent) == ("2026-11-21T12:00:00Z", "claude-code", "dev")
    assert found.requests == ("Go on, please",)


def test_the_answer_is_plain_data(workspace):
    """It goes to the hook as JSON."""
    assert run("continuation", workspace, OF_CONVERSATION) == {
        "path": "limpet resume --full abc",
        "lines": [FULL_TEXT],
        "memories": 0,
    }


OF_LOCK = {"by": "/limpet", "now": 1_800_000_000.0, "session": "one"}


def test_the_words_language_answers_where_the_project_has_none(workspace):
    """``sair do limpet`` is confirmed in Portuguese."""
    taken = run("lock", workspace, {**OF_LOCK, "do": "resume"})
    assert taken["changed"] is True and taken["lock"]["active"] is True
    left = run("lock", workspace, {**OF_LOCK, "do": "exit", "by": "words", "language": "pt"})
    assert left["lines"] == ["Sessão salva. Digite /limpet work para retomar."]
    assert left["lock"] == read_project(workspace)[0]["lock"] and left["lock"]["active"] is False


def test_showing_changes_nothing_and_what_is_wrong_is_said(workspace):
    """A file that cannot be read is named, and the hook is not left without an answer."""
    answer = run("lock", workspace, {**OF_LOCK, "do": "explain"})
    assert answer["changed"] is False and answer["lock"] is None
    assert read_project(workspace) == ({}, [])
    write(private_path(workspace, "session.yaml"), "mode: [\n")
    answer = run("lock", workspace, {**OF_LOCK, "do": "exit"})
    assert answer["changed"] is False and "session.yaml:2" in answer["lines"][0]


LOADED = """
import sys
from limpet.ground.workspace import workspace_at
from limpet.jobs import JOBS
JOBS["refresh"][0](workspace_at(sys.argv[1]), {"now": 1_795_262_400.0})
print([name for name in sys.modules if "memory.capture" in name])
"""


def test_it_counts_what_changed(workspace):
    """Nothing in a project without memories."""
    assert run("refresh", workspace, {"now": 1_795_262_400.0}) == {"changed": 0, "removed": 0, "unread": 0}


def test_a_refresh_runs_without_the_capture(workspace):
    """A start of a conversation waits for it, and compiling the capture's expressions would double its imports."""
    command = [sys.executable, "-c", LOADED, workspace.root]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCE}, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_task_without_a_story_is_its_name(workspace):
    """Nothing is wrong with that."""
    assert run("task", workspace, {"task": "A hotfix"}) == {
        "task": {"title": "A hotfix"},
        "problems": [],
        "nearest": "",
    }
