"""The coding agent around a process: by its variables, or among the processes above."""

import pytest

from limpet.ground.formats.json_text import read_shipped
from limpet.ground.processes import Process
from limpet.hosts import surroundings
from limpet.hosts.registry import HOSTS
from limpet.hosts.surroundings import TABLE, find_surroundings, read_surroundings, variables_of_hosts
from limpet.operations.surroundings import NOWHERE, Surroundings

CLIENTS = read_shipped(TABLE)["clients"]
MARKED = [(name, variable) for name, client in CLIENTS.items() for variable in client["variables"]]
NODE = "/opt/client/node/bin/node"
AGENTS = {
    ("claude", "-p", "hi"): "claude-code",
    ("/home/a/.local/share/claude/versions/2.1.329",): "claude-code",
    (NODE, "--no-warnings", "/lib/node_modules/@anthropic-ai/claude-code/cli.js"): "claude-code",
    ("C:\\npm\\node_modules\\@openai\\codex\\vendor\\codex.exe", "exec"): "codex-cli",
    ("codex-linux-sandbox", "--command-cwd", "/home/a", "--", "/bin/bash"): "codex-cli",  # the first in its namespace
    (NODE, "--require", "./hook.js", "/usr/bin/codex"): "codex-cli",
    ("bun", "run", "/x/node_modules/@github/copilot/index.js"): "copilot-cli",
    (NODE, "--max-old-space-size=4096", "/usr/bin/gemini", "-p", "hi"): "gemini-cli",
    ("/root/.local/share/cursor-agent/versions/1/node", "index.js"): "cursor",
    ("python3.12", "-X", "dev", "-m", "aider", "--yes"): "aider",
    ("/usr/bin/python", "/usr/local/bin/aider"): "aider",
}
NO_AGENTS = (
    ("vim", "claude.md"),
    ("grep", "-r", "claude", "."),
    ("cat", "codex"),
    (NODE, "server.js", "claude"),
    (NODE, "/home/me/claude/server.js"),
    ("python3", "-c", "import time", "aider"),
    ("/usr/share/code/code", "--type=ptyHost"),
    ("cursor", "."),
    ("-zsh",),
    (NODE,),
    (),
)


def test_every_host_of_ours_is_in_the_table():
    """With what it is known by, and with the conversation."""
    assert set(HOSTS) <= set(CLIENTS)
    assert all(CLIENTS[name]["variables"] and CLIENTS[name]["conversation"] for name in HOSTS)


@pytest.mark.parametrize(("client", "variable"), MARKED)
def test_any_of_a_clients_variables_marks_its_commands(client, variable):
    """The conversation has a variable of its own; a conversation that is started by us inherits none of them."""
    conversation = CLIENTS[client]["conversation"]
    assert find_surroundings({variable: "1", "PATH": "/bin"}) == Surroundings(client, "1" * (variable == conversation))
    assert variable in variables_of_hosts() and conversation in {"", *variables_of_hosts()}


def test_elsewhere_there_is_no_agent():
    """An empty variable marks nothing, and a terminal in an editor is a terminal."""
    person = {"PATH": "/bin", "CLAUDECODE": "", "TERM_PROGRAM": "vscode", "CURSOR_TRACE_ID": "x", "VSCODE_PID": "1"}
    assert find_surroundings(person) == NOWHERE


@pytest.mark.parametrize("words", AGENTS)
def test_an_agents_process_is_known(words):
    """By its own name or its script's, behind any shells, whatever the variables say."""
    shells = [
        Process(9, 8, ("/bin/bash", "-c", "env -i limpet trust"), 9.0),
        Process(8, 7, ("script", "-qc", "x"), 8.0),
    ]
    assert find_surroundings({}, [*shells, Process(7, 1, words, 1.0)]) == Surroundings(AGENTS[words])


@pytest.mark.parametrize("words", NO_AGENTS)
def test_who_only_names_an_agent_is_none(words):
    """In an argument, as a folder or a file: that is a person's work."""
    assert find_surroundings({}, [Process(7, 1, words, 1.0)]) == NOWHERE


def test_the_table_of_processes_is_read_only_where_no_variable_tells(monkeypatch):
    """It costs a process on some systems; the nearest agent is the one."""
    above = [Process(7, 6, ("codex",), 2.0), Process(6, 1, ("claude",), 1.0)]
    monkeypatch.setattr(surroundings, "read_ancestors", lambda: above)
    assert read_surroundings({}) == Surroundings("codex-cli")
    monkeypatch.setattr(surroundings, "read_ancestors", None)
    assert read_surroundings({"GEMINI_CLI": "1"}) == Surroundings("gemini-cli")
