"""Who calls the command line: a script of a person's, a person at a terminal, an agent inside a host."""

import json
import os
import sys

import pytest

from limpet.hosts.surroundings import variables_of_hosts
from limpet.work.session import new_session, write_session

from ..commands import run_command
from ..conftest import SOURCE
from ..event_log import logged
from ..patience import patient  # noqa: F401
from ..terminal import in_terminal, plain_lines

# What a person at a terminal is asked to type.
WORD = "bafim"


@pytest.fixture
def call(workspace, monkeypatch):
    """Runs ``limpet`` outside every host, with these bytes on stdin; with ``agent`` inside a conversation of that
    agent's ("": of nobody's), with ``around`` in these variables."""
    for name in variables_of_hosts():
        monkeypatch.delenv(name, raising=False)

    def call_limpet(*arguments, stdin="", agent=None, cwd=workspace.root, around=None):
        known = {} if agent is None else inside(workspace, agent)
        return run_command(arguments, cwd, {**os.environ, **known, **(around or {})}, stdin)

    return call_limpet


@pytest.fixture
def at_terminal(call, workspace, monkeypatch):
    """Runs ``limpet`` as a person at a terminal does, who types ``typed``, and the word that they are shown unless
    they do not agree; ``changes`` are to the environment."""

    pty = pytest.importorskip("pty")
    monkeypatch.setattr("limpet.operations.approval.make_word", lambda: WORD)

    def run_limpet(*arguments, agent=None, typed="", agrees=True, **changes):
        environment = {**os.environ, **({} if agent is None else inside(workspace, agent)), **changes}
        keyboard, terminal = pty.openpty()
        try:
            os.write(keyboard, f"{typed}{WORD if agrees else ''}\n".encode())
            return run_command(arguments, workspace.root, environment, terminal=terminal)
        finally:
            os.close(keyboard)
            os.close(terminal)

    return run_limpet


@pytest.fixture
def screen(workspace):
    """The lines that a person sees at a terminal of these columns."""
    known = {name: value for name, value in os.environ.items() if name not in (*variables_of_hosts(), "COLUMNS")}

    def show(columns, *words, typed=""):
        environment = {**known, "PYTHONPATH": SOURCE, "NO_COLOR": "1", "TERM": "xterm"}
        command = [sys.executable, "-m", "limpet", *words]
        return plain_lines(in_terminal(command, cwd=workspace.root, env=environment, columns=columns, typed=typed)[0])

    return show


@pytest.fixture
def add(call):
    """Adds a memory as a person's script does; its id."""

    def add_memory(*arguments, agent=None, stdin=""):
        done = call("memory", "add", *arguments, agent=agent, stdin=stdin)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return add_memory


@pytest.fixture
def ask(call):
    """What a command about memories answers to a program."""

    def ask_memory(*arguments, agent=None):
        done = call("memory", *arguments, "--json", agent=agent)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask_memory


def events(workspace):
    """The audit log of all writers, without accesses to memories."""
    return [event for event in logged(workspace.shared) if event["kind"] != "memory.access"]


def inside(workspace, agent):
    """What a host's environment says in a conversation of this agent's."""
    conversation = f"of-{agent or 'nobody'}"
    state = new_session(conversation, "claude-code", workspace.root, 0.0)
    write_session(workspace, {**state, "active_agent": agent or "none"})
    return {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": conversation}
