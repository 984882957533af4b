"""The hook is over before the host loses patience, whatever waits for what (decision 9)."""

import os
import subprocess
import sys
from contextlib import ExitStack

import pytest

from limpet import hook
from limpet.ground.event import Reply
from limpet.ground.storage.files import Lock
from limpet.hosts.claude_code.events import TIMEOUTS
from limpet.work.session import session_lock

from ..conftest import SOURCE
from ..hook_host import POSIX, bare, hook_line, notes, rule_lines

# Run in the hook's process before it: the time is over at once, or all waiting is.
START = f"import sys; sys.path.append({SOURCE!r}); from limpet import hook; "
ENDED = START + "hook.ALL = 0.02"
NO_WAITING = START + "hook.WAITING = 0"
# Something in the event's steps does not end, busy or not, while the time is over.
STUCK = {
    name: f"{START}import _thread, itertools, time, limpet.engine\n"
    f"def handle(*given):\n _thread.start_new_thread(hook._end_late, (float('-inf'),))\n {stuck}\n"
    "limpet.engine.handle = handle"
    for name, stuck in (("asleep", "time.sleep(600)"), ("busy", "[None for _ in itertools.count() if 0]"))
}
SAYING = ("SessionStart", "UserPromptSubmit")


@pytest.fixture
def stalled(workspace):
    """A hook whose stdin stays open and empty; all of them end with the test."""
    with ExitStack() as started:

        def start(event):
            line = hook_line("claude-code", event, first=ENDED)
            pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
            process = started.enter_context(subprocess.Popen(line, cwd=workspace.root, env=bare(), **pipes))
            started.callback(process.kill)
            return process

        yield start


@pytest.mark.parametrize("event", [*TIMEOUTS, "StatusLine", "Unknown"])
def test_a_pipe_that_stays_open_is_not_waited_for(stalled, event):
    """The host forgot to close it, or hangs itself."""
    process = stalled(event)
    assert process.wait(60) == 0
    assert (process.stdout.read(), process.stderr.read()) == (b"", b"")


@pytest.mark.parametrize("first", STUCK.values(), ids=STUCK)
def test_a_prompt_that_is_stuck_says_so(host, first):
    """The failure block comes, in place of the rules."""
    answer = host.prompt("the endpoint", process={"first": first})
    assert notes(answer) == ["no rules for this event (out of time): run `limpet doctor`"]


@pytest.mark.parametrize("event", [event for event in TIMEOUTS if event not in SAYING])
def test_an_event_that_may_say_nothing_ends_without_a_word(host, event):
    answer = host.send(event, process={"first": STUCK["asleep"]})
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")


def test_what_is_stuck_before_the_package_is_loaded_ends_too(host):
    """A slow disk, say, from which the modules come."""
    stuck = "import time; from limpet.ground import bundle; bundle.use_bundle = lambda way: time.sleep(600)"
    for event in ("UserPromptSubmit", "SessionEnd"):
        answer = host.send(event, prompt="the endpoint", process={"first": f"{ENDED}\n{stuck}"})
        assert (answer.code, answer.out, answer.err) == (0, b"", b"")


def test_where_no_thread_can_be_had_the_prompt_is_answered(host):
    refused = f"{START}import _thread\ndef refuse(*given): raise RuntimeError\n_thread.start_new_thread = refuse"
    assert rule_lines(host.prompt(process={"first": refused}), "GLOBAL") == ["Read first."]


@POSIX
def test_with_all_locks_held_a_command_is_answered_without_more_waiting(host):
    """The session's, the mirror's and the index's: each wait takes what is left of one deadline."""
    workspace = host.workspace
    host.prompt("*remember The queue is Redis.")
    with open(workspace.path("config.yaml"), "w", encoding="utf-8") as file:
        file.write("rules: {devmode: false}\n")
    state, shared = ("mirror.lock", "session.yaml.lock"), ("index.lock", "index.lock.next")
    places = [(workspace.state, name) for name in state] + [(workspace.shared, name) for name in shared]
    with ExitStack() as held:
        assert held.enter_context(session_lock(workspace, "s"))
        for folder, name in places:
            assert held.enter_context(Lock(os.path.join(folder, "locks", name)))
        answer = host.prompt("*remember The cache is Redis.", process={"first": NO_WAITING})
    assert any("Timed out" in line for line in answer.shown)
    assert [note for note in notes(answer) if "cannot save" in note]


def test_all_waiting_is_over_before_the_process_ends_and_that_before_the_host_loses_patience(workspace):
    """The interpreter's start comes on top, which only the host sees."""
    code = f"{START}print(hook.WAITING, hook.ALL)"
    waiting, everything = map(float, subprocess.check_output([sys.executable, "-I", "-S", "-c", code]).split())
    assert 0 < waiting < everything < 1
    assert everything * min(TIMEOUTS.values()) <= 4.5


@pytest.mark.parametrize("event", TIMEOUTS)
def test_an_event_has_five_seconds_unless_it_waits_for_others_by_design(host, monkeypatch, event):
    """Or what the client gives, where that is less (decision 67)."""
    given = []
    monkeypatch.setattr(hook, "_handle", lambda *_: given.append(hook._given) or Reply())
    host.send(event, prompt="Go on.")
    assert given == [TIMEOUTS[event] if event in ("PreCompact", "Stop") else 5]


def test_a_prompt_that_has_its_time_waits_as_before(host):
    """The compiler runs within what is left."""
    with open(host.workspace.path("config.yaml"), "w", encoding="utf-8") as file:
        file.write("rules: {devmode: true}\n")
    answer = host.prompt()
    assert notes(answer) == []
