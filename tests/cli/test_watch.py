"""``limpet status --watch`` by its door: one screen about the newest conversation."""

import contextlib
import os
import re
import select
import signal
import subprocess
import sys

import pytest

from limpet.hosts.surroundings import variables_of_hosts

from ..conftest import SOURCE
from ..conversation import RULES, write_rules
from ..hook_host import MANIFEST, Host
from ..memories import Memories, configure

# What moves the cursor, or asks for another screen.
MOVES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
ID = "5f0c2a1b-1111-4000-8000-000000000001"
PUSH = {"tool_name": "Bash", "tool_input": {"command": "git push origin main"}}


@pytest.fixture
def host(workspace):
    """A host whose project has rules and a memory."""
    configure(workspace)
    write_rules(workspace, MANIFEST, **RULES)
    Memories(workspace).add("Deploys go through the blue cluster")
    return Host(workspace)


def test_elsewhere_than_in_a_terminal_it_is_printed_once(host, call):
    """Window, prompts with what came, memories, work, refusals."""
    host.send("SessionStart", source="startup", session_id=ID)
    host.prompt("add the endpoint", session_id=ID)
    call("work", "agent", "activate", "dev", "--session", ID)
    host.send("PreToolUse", session_id=ID, tool_use_id="t1", **PUSH)
    shown = call("status", "--watch").stdout
    assert "5f0c2a1b, claude-code" in shown and "100% left, FRESH" in shown
    assert "tokens: 1 memory by title, API" in shown and "1 kept" in shown and "dev, here" in shown
    assert "refused: git push origin main" in shown


def test_without_a_conversation_and_in_a_private_one_it_says_so(host, call):
    """Nothing of a private one is shown."""
    assert "no conversation yet" in call("status", "--watch").stdout
    host.prompt("add the endpoint", session_id=ID)
    host.prompt("*private", session_id=ID)
    shown = call("status", "--watch").stdout
    assert "is private" in shown and "API" not in shown


def test_it_is_no_data_for_programs(host, call):
    done = call("status", "--watch", "--json")
    assert done.returncode == 2 and "cannot be combined" in done.stderr


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_it_fits_the_terminal(host, screen, columns):
    """And ends with q."""
    host.prompt("add the endpoint for the invoices of the blue cluster, and then write all of its tests", session_id=ID)
    lines = [MOVES.sub("", line) for line in screen(columns, "status", "--watch", typed="q")]
    assert any("API" in line for line in lines) and any("q ends" in line for line in lines)
    assert max(len(line.removeprefix("q")) for line in lines) <= columns


@pytest.mark.parametrize("ends", ["key", "signal"])
def test_it_is_drawn_again_when_something_happens(host, workspace, ends):
    """A prompt in the conversation comes to the screen by itself; q and Ctrl-C end it without a complaint."""
    host.prompt("hello", session_id=ID)
    kept = {name: value for name, value in os.environ.items() if name not in variables_of_hosts()}
    keyboard, terminal = pytest.importorskip("pty").openpty()
    streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
    environment = {**kept, "PYTHONPATH": SOURCE, "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "80"}
    command = [sys.executable, "-m", "limpet", "status", "--watch"]
    with heeding_interrupts():
        process = subprocess.Popen(command, cwd=workspace.root, env=environment, start_new_session=True, **streams)
    os.close(terminal)
    try:
        assert "prompt 2" not in read_until(keyboard, "q ends")
        host.prompt("add the endpoint", session_id=ID)
        assert "API" in read_until(keyboard, "prompt 2", "q ends")
        if ends == "key":
            os.write(keyboard, b"q")
        else:
            process.send_signal(signal.SIGINT)  # what Ctrl-C is to the process of a terminal
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(keyboard)


@contextlib.contextmanager
def heeding_interrupts():
    """A test run in the background of a script has SIGINT ignored, and so has what it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def read_until(source, *words):
    """What is written until it holds each of these, one behind the other."""
    read = ""
    while not all(word in read for word in words) or read.rfind(words[-1]) < read.rfind(words[0]):
        assert select.select([source], [], [], 60)[0], read
        read += os.read(source, 65536).decode("utf-8", "replace")
    return read
