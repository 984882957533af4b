"""Every job by its name: raw orders in, an answer that JSON can carry out."""

import json
import subprocess
from importlib import import_module

import pytest

from limpet.ground.processes import own_command
from limpet.jobs import JOBS
from limpet.operations.memory.change import remember_memory

from ..conversation import write
from ..operations.callers import NOW, opened
from ..places import private_path


def answer(workspace, job, **orders):
    """What the second process prints."""
    command = own_command("limpet.jobs", workspace.home, job)
    given = json.dumps({"now": NOW, "session": "talk", **orders})
    done = subprocess.run(command, input=given, capture_output=True, text=True, cwd=workspace.root)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize("job", JOBS)
def test_every_job_has_its_module(job):
    """With the one function that is called."""
    assert callable(import_module(f"limpet.jobs.{job}").run)


def test_a_capture_counts_the_candidates(workspace, tmp_path):
    """By the orders that the hook sends."""
    path = str(tmp_path / "talk.jsonl")
    message = {"role": "user", "content": "Let's go with PostgreSQL for the job queue."}
    line = {"type": "user", "uuid": "u", "timestamp": "2026-11-21T10:00:00Z", "message": message}
    write(path, json.dumps(line) + "\n")
    counts = answer(workspace, "capture", host="claude-code", transcript=path, agent="")
    assert counts == {"noted": 1}
    assert answer(workspace, "capture", host="claude-code", transcript=path, agent="", turn=True) == {}


def test_a_failure_counts_gotchas(workspace):
    """One alone is none."""
    told = {"agent": "", "tool": "Bash", "tool_use_id": "call", "error": "error: no left-pad", "paths": ["a.py"]}
    assert answer(workspace, "failure", **told) == {"gotchas": 0}


def test_catching_up_counts_conversations(workspace):
    """In a new project there are none."""
    assert answer(workspace, "catch_up") == {"conversations": 0}


def test_upkeep_counts_actions(workspace):
    """Of a memory that nobody has to look after there are none."""
    remember_memory(opened(workspace), {}, "The queue is Redis.")
    assert answer(workspace, "upkeep") == {"actions": 0}


def test_a_job_that_fails_says_so_in_the_metrics(workspace):
    """And nowhere else: nobody reads its stderr."""
    command = own_command("limpet.jobs", workspace.home, "capture")
    done = subprocess.run(command, input='{"session": "talk"}', capture_output=True, text=True, cwd=workspace.root)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    with open(private_path(workspace, "metrics", "hook.jsonl"), encoding="utf-8") as file:
        (line,) = map(json.loads, file)
    assert line["crash"] == "KeyError"


def test_a_job_that_takes_too_long_ends_itself_and_says_so(workspace):
    """Here its orders never come."""
    late = "from limpet import jobs; jobs.JOBS['refresh'] = 0.1; jobs"
    command = [
        part.replace("from limpet.jobs import main", f"{late}; from limpet.jobs import main")
        for part in own_command("limpet.jobs", workspace.home, "refresh")
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        code = process.wait(60)
        assert (code, process.stdout.read(), process.stderr.read()) == (1, b"", b"")
    with open(private_path(workspace, "metrics", "hook.jsonl"), encoding="utf-8") as file:
        (line,) = map(json.loads, file)
    assert (line["event"], line["crash"]) == ("job refresh", "TimeoutError")
