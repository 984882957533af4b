"""Gotchas that somebody notes, looks up or resolves."""

import json
import subprocess

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.processes import own_command
from limpet.operations.memory.change import remember_memory
from limpet.operations.memory.conversations.conversation import Conversation
from limpet.operations.memory.gotchas import known_gotchas, log_failure, note_gotcha, resolve_gotcha

from ...memories import Memories
from ..callers import DEV, PERSON, opened


def note(workspace, text, caller=PERSON, **fields):
    """The id of a new gotcha."""
    return note_gotcha(opened(workspace, caller), text, fields).stored.entry.id


def ids(gotchas):
    return [stored.entry.id for stored in gotchas[0]]


def test_words_grade_it_where_nobody_does(workspace):
    """And nobody's word is overruled."""
    by_words = note_gotcha(opened(workspace), "pytest: fixture not found", {}).stored.entry
    told = note_gotcha(opened(workspace), "pytest hangs", {"category": "lint", "severity": "critical"}).stored.entry
    assert (by_words.type, by_words.category, by_words.severity) == ("gotcha", "test", "warning")
    assert (told.category, told.severity) == ("lint", "critical")


def test_the_gravest_come_first_and_other_memories_not_at_all(workspace):
    """Whatever their age; nor is another memory resolved by mistake."""
    other = remember_memory(opened(workspace), {}, "The table is locked at night.").stored.entry.id
    keys = [note(workspace, f"A {severity} thing", severity=severity) for severity in ("info", "critical", "warning")]
    assert ids(known_gotchas(opened(workspace))) == [keys[1], keys[2], keys[0]]
    assert ids(known_gotchas(opened(workspace), limit=1)) == [keys[1]]
    with pytest.raises(LimpetError, match="Memory is not a gotcha"):
        resolve_gotcha(opened(workspace), other)


def test_a_resolved_one_is_kept_with_what_helped(workspace):
    """It can come back."""
    key = note(workspace, "The table is locked")
    entry = resolve_gotcha(opened(workspace), key, workaround="Run it at night.").stored.entry
    assert (entry.resolved, entry.workaround) == (True, "Run it at night.")
    assert ids(known_gotchas(opened(workspace), resolved=False)) == []
    assert ids(known_gotchas(opened(workspace), "locked table", resolved=False)) == []
    assert resolve_gotcha(opened(workspace), key, resolved=False).stored.entry.resolved is False
    assert ids(known_gotchas(opened(workspace), "locked table", resolved=False)) == [key]


def test_an_agent_does_not_see_anothers_own(workspace):
    """In lists and searches."""
    note(workspace, "A private trap", agent="architect", scope="private")
    shared = note(workspace, "A shared trap", caller=DEV)
    assert ids(known_gotchas(opened(workspace, DEV))) == ids(known_gotchas(opened(workspace, DEV), "trap")) == [shared]


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
OURS = ["limpet work finish - <<'EOF'", "cd app && .venv/bin/limpet work story done", "python3 -m limpet work finish -"]


@pytest.mark.parametrize("command", [*LOOKS, *OURS])
def test_what_only_looks_and_what_is_ours_makes_no_gotcha(workspace, command):
    """That it finds nothing is an answer, and so is a gate that refuses, however often."""
    for number in range(3):
        talk = Conversation(session="s", now=NOW + number)
        assert log_failure(workspace, talk, ERROR, f"Bash {command}", f"call-{number}", ()) == 0
    assert gotchas(workspace) == []


def test_processes_at_the_same_time_make_one_gotcha(workspace):
    """Nobody's failure is lost, and no two make the same gotcha."""
    command = own_command("limpet.jobs", workspace.home, "failure", workspace.state)
    jobs = [subprocess.Popen(command, stdin=subprocess.PIPE, text=True) for _ in range(5)]
    for number, job in enumerate(jobs):
        job.stdin.write(json.dumps(orders(number)))
        job.stdin.close()
    assert [job.wait(60) for job in jobs] == [0] * 5
    assert [evidence for evidence, _ in gotchas(workspace)] == [5]
