"""The second processes of failed tools: one each, and they overtake one another."""

import json
import subprocess

import pytest

from limpet.ground.processes import own_command
from limpet.operations.memory.conversations.conversation import Conversation
from limpet.operations.memory.conversations.tool_failures import log_failure

from ....memories import Memories

NOW = 1_790_000_000.0
ERROR = "error: cannot find the module left-pad"


def orders(number):
    """What the hook hands over of a failed call."""
    told = {"session": "s", "agent": "", "tool": "Bash", "error": ERROR, "paths": []}
    return {**told, "tool_use_id": f"call-{number}", "now": NOW + number}


def gotchas(workspace):
    """Evidence and confidence of all gotchas."""
    return [(each.evidence_count, each.confidence) for each in Memories(workspace).entries(type="gotcha")]


@pytest.mark.parametrize("moments", [(0, 1, 2), (2, 1, 0), (0, 2, 1)])
def test_the_third_failure_makes_a_gotcha_whichever_process_is_last(workspace, moments):
    """One whose call failed later may be through before; three are a fact, and hot (decision 20)."""
    for number, moment in enumerate(moments):
        log_failure(workspace, Conversation(session="s", now=NOW + moment), ERROR, "Bash", f"call-{number}", ())
    assert gotchas(workspace) == [(3, 0.8)]


LOOKS = ["grep -rn x src", "cd app && test -f a.py", "A=1 ls /nowhere"]
OURS = [
    "limpet work finish - <<'EOF'",
    "cd app && .venv/bin/limpet story done",
    "python3 -m limpet work finish -",
]


@pytest.mark.parametrize("command", [*LOOKS, *OURS])
def test_what_only_looks_and_what_is_ours_makes_no_gotcha(workspace, command):
    """That it finds nothing is an answer, and so is a gate that refuses, however often."""
    for number in range(3):
        talk = Conversation(session="s", now=NOW + number)
        assert log_failure(workspace, talk, ERROR, f"Bash {command}", f"call-{number}", ()) == 0
    assert gotchas(workspace) == []


def test_processes_at_the_same_time_make_one_gotcha(workspace):
    """Nobody's failure is lost, and no two make the same gotcha."""
    command = own_command("limpet.jobs", workspace.home, "failure")
    jobs = [subprocess.Popen(command, stdin=subprocess.PIPE, text=True) for _ in range(5)]
    for number, job in enumerate(jobs):
        job.stdin.write(json.dumps(orders(number)))
        job.stdin.close()
    assert [job.wait(60) for job in jobs] == [0] * 5
    assert [evidence for evidence, _ in gotchas(workspace)] == [5]
