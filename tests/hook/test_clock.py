"""A clock that jumps, and the times that it left in files."""

import os
import time

from limpet.rules.plan.store import plan_state

from ..conversation import age, write
from ..hook_host import rule_lines, state
from ..memories import until
from ..places import private_path

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
    write(private_path(host.workspace, "sessions", "other.json"), "{}")
    host.prompt("the endpoint")
    for number, jump in enumerate(JUMPS, 1):
        host.send("SessionStart", source="resume", process=by(jump))
        write(host.workspace.path("rules", "api"), f"API_RULE_0=Version {number}!\n")
        answer = host.prompt(f"the endpoint, {number}", prompt_id=..., process=by(jump))
        assert rule_lines(answer, "API") == [f"Version {number}!"]
    assert state(host.workspace)["prompt_count"] == 1 + len(JUMPS)
    assert os.path.exists(private_path(host.workspace, "sessions", "other.json"))


DAY = 86_400


# What the commands tell of it.


def test_the_drafts_of_killed_writers_go_at_the_next_days_start(host):
    """Beside the instruction file and in the host's settings too."""
    start_of_yesterday = host.send("SessionStart", source="startup", process=by(-DAY - 60))
    assert start_of_yesterday.block
    left = [os.path.join(host.workspace.root, *place, "limpet-12-345.tmp") for place in ((), (".claude",))]
    for path in left:
        write(path, "half")
        os.utime(path, (time.time() - 7200,) * 2)
    host.send("SessionStart", source="startup", session_id="next")
    assert until(lambda: not any(map(os.path.exists, left)))
