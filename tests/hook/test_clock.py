"""A clock that jumps, and the times that it left in files."""

import json
import os
import time

import pytest

from holdfast.rules.plan.store import plan_state

from ..conversation import age, write
from ..hook_host import rule_lines, state

SECONDS_AHEAD = 400_000_000


def test_files_from_the_future_are_compiled_once_and_their_edits_are_seen(host):
    """A clock that was ahead left its times in the files: today's edits have others."""
    age(host.workspace.path("rules"), time.time() + SECONDS_AHEAD)
    host.prompt("the endpoint")
    assert plan_state(host.workspace, "words")[1]
    write(host.workspace.path("rules", "api"), "API_RULE_0=Revisit it\n")
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Revisit it"]


YEAR = 31_557_600
JUMPS = (10 * YEAR, -20 * YEAR, 30, -30, 0)


def by(seconds):
    """How a process is started whose clock is wrong by so many seconds."""
    return {
        "first": f"import time\nnow, now_ns = time.time, time.time_ns\n"
        f"time.time, time.time_ns = lambda: now() + {seconds}, lambda: now_ns() + {seconds} * 10**9"
    }


def test_a_clock_that_jumps_costs_no_prompt_its_rules(host):
    """Ten years ahead, twenty back: every prompt counts once, every edit shows, and no conversation is tidied away."""
    write(host.workspace.path("sessions", "other.json"), "{}")
    host.prompt("the endpoint")
    for number, jump in enumerate(JUMPS, 1):
        host.send("SessionStart", source="resume", process=by(jump))
        write(host.workspace.path("rules", "api"), f"API_RULE_0=Version {number}!\n")
        answer = host.prompt(f"the endpoint, {number}", prompt_id=..., process=by(jump))
        assert rule_lines(answer, "API") == [f"Version {number}!"]
    assert state(host.workspace)["prompt_count"] == 1 + len(JUMPS)
    assert os.path.exists(host.workspace.path("sessions", "other.json"))


@pytest.mark.parametrize("jump", JUMPS)
def test_a_check_finds_the_same_whatever_the_clock_says(host, check, jump):
    """Files and prompts of another age change nothing about a mistake in the rules."""
    write(host.workspace.path("rules", "api"), "API_RULE_0=Version it.\nno divider\n")
    host.prompt("the endpoint", process=by(jump))
    os.utime(host.workspace.path("rules", "manifest"), (time.time() + jump,) * 2)
    assert check(**by(-jump)) == [".holdfast/rules/api:2: no = in 'no divider': it is not read"]


@pytest.mark.parametrize("when", [0.0, -5e9, 9e9, 1e300])
def test_claims_and_times_of_another_age_count_every_prompt_once(host, when):
    """What a wrong clock wrote into a conversation keeps no prompt from its rules."""
    claims = [["prompt p0 x", when], ["session_start  x 0", when]]
    old = {"schema_version": 1, "claims": claims, "last_activity": "9999-99-99T99:99:99Z", "started": ""}
    write(host.workspace.path("sessions", "s.json"), json.dumps(old))
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]
    for _ in range(2):
        host.prompt("again", prompt_id=...)
    assert state(host.workspace)["prompt_count"] == 2
