"""A clock that jumps, and the times that it left in files."""

import json
import os
import time

import pytest

from limpet.ground.clock import iso
from limpet.ground.storage.last_seen import read_last_seen
from limpet.memory.files.store import maintained_path
from limpet.rules.plan.store import plan_state

from ..conversation import age, write
from ..event_log import logged
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


@pytest.mark.parametrize("when", [0.0, -5e9, 9e9, 1e300])
def test_claims_and_times_of_another_age_count_every_prompt_once(host, when):
    """What a wrong clock wrote into a conversation keeps no prompt from its rules."""
    claims = [["prompt p0 x", when], ["session_start  x 0", when]]
    old = {"schema_version": 1, "claims": claims, "last_activity": "9999-99-99T99:99:99Z", "started": ""}
    write(private_path(host.workspace, "sessions", "s.json"), json.dumps(old))
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]
    for _ in range(2):
        host.prompt("again", prompt_id=...)
    assert state(host.workspace)["prompt_count"] == 2


DAY = 86_400
JUMPS_OF_SIXTY_DAYS = [(60, 0), (-60, 0), (60, 61.5), (-60, -58.5)]


def start(host, days, session):
    """A conversation begins by a clock that is wrong by so many days, and both daily tidyings have been done then."""
    answer = host.send("SessionStart", source="startup", session_id=session, process=by(days * DAY))
    assert (answer.code, answer.err) == (0, b"")
    now = time.time() + days * DAY
    assert until(lambda: abs(read_last_seen(maintained_path(host.workspace.shared)).at - now) < DAY / 3)


@pytest.mark.parametrize("jumps", JUMPS_OF_SIXTY_DAYS, ids=str)
def test_a_clock_that_jumps_by_sixty_days_ends_nothing(host, memories, run, jumps):
    """There and back, or to stay: what is kept of conversations, memories of every storage and those that were
    forgotten, the lock, the work's backlog, deviation and documents, and the count of failures."""
    kept = [memories.add("Daily", days_ago=20), memories.add("Expires", expires_at=iso(time.time() + 30 * DAY))]
    kept.append(memories.add("Now", storage="session", session="s"))
    gone = memories.add("Forgotten")
    for words in WORK:
        assert run(*words).returncode == 0
    host.send("SessionStart", source="startup", session_id="s")
    host.prompt("the endpoint")
    start(host, 0, "before")
    memories.library.forget(gone)
    for number in range(2):
        fail(host, number)
    assert until(lambda: len(logged(host.workspace.shared, "tool.failed")) == 2)
    before = lasting(host.workspace)
    for number, days in enumerate(jumps):
        start(host, days, f"jump-{number}")
        assert before <= lasting(host.workspace)
    for words, told in TOLD.items():
        assert told in run(*words).stdout
    assert set(kept) <= {entry.id for entry in memories.entries()}
    assert memories.library.undo(gone)
    if not jumps[-1]:
        fail(host, 2)
        assert until(lambda: [entry for entry in memories.entries() if entry.type == "gotcha"])
    answer = host.prompt("the endpoint", session_id="after", process=by(jumps[-1] * DAY))
    assert rule_lines(answer, "API") == ["Version it."]


WORK = (
    ("work", "start", "quick-flow", "--name", "Harbour", "--fact", "files=2", "--confidence", "0.9", "--yes"),
    ("story", "add", "Rate limit"),
    ("work", "deviate", "scope_change", "export as CSV too"),
    ("spec", "scan", "--write"),
    ("spec", "backlog", "add", "architecture", "Add a diagram"),
    ("resume",),
)

# What the commands tell of it.
TOLD = {
    ("work", "status"): "scope_change",
    ("story", "list"): "Rate limit",
    ("spec", "backlog", "list"): "Add a diagram",
    ("lock",): "is locked",
}


def lasting(workspace):
    """Every file that is not made of others, without a session's memories, which are filed a day after its end."""
    walk = ((folder, name) for folder, _, names in os.walk(workspace.home) for name in names)
    paths = {os.path.relpath(os.path.join(folder, name), workspace.home) for folder, name in walk}
    return {path for path in paths if not path.startswith("cache") and f"{os.sep}session{os.sep}" not in path}


def fail(host, number):
    """A tool fails, each time alike."""
    given = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}, "tool_use_id": f"toolu_{number}"}
    host.send("PostToolUseFailure", **given, error="Exit code 1\nE   sqlite3.OperationalError: no such table: orders")


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
