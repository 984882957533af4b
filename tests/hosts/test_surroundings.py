"""The coding agent around a process: by its variables, or among the processes above."""

import json
from pathlib import Path

import pytest

from limpet.ground.event import NOWHERE, Surroundings
from limpet.ground.processes import Process
from limpet.ground.storage.files import read_shipped
from limpet.hosts import surroundings
from limpet.hosts.records import LOCAL, SHARED, USER
from limpet.hosts.registry import HOSTS, host_of
from limpet.hosts.surroundings import (
    FOLDERS,
    TABLE,
    find_surroundings,
    place_among,
    read_surroundings,
    stands_back,
    variables_of_hosts,
)
from limpet.work.serving import Served

from ..hook_host import bare, run_hook, typed
from ..places import private_path

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
    """With what it is known by, and with the conversation, which VS Code tells no command."""
    assert set(FOLDERS) == set(HOSTS) <= set(CLIENTS)
    assert all(CLIENTS[name]["variables"] for name in HOSTS)
    assert [name for name in HOSTS if not CLIENTS[name]["conversation"]] == ["vscode"]


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


A, B, C = (
    Served(name, "claude-code", pid, float(pid), began)
    for name, pid, began in (("a", 7, 1.0), ("b", 7, 2.0), ("c", 9, 3.0))
)
CODEX = Served("x", "codex-cli", 5, 5.0, 4.0)
SHELL, SANDBOX = Process(30, 7, ("bash",), 30.0), Process(2, 1, ("bwrap",), 1.0)


@pytest.mark.parametrize(
    ("known", "above", "named", "found"),
    [
        pytest.param([A, C], (7,), "a", ("a", ()), id="the one that is named"),
        pytest.param([A, C], (7,), "c", ("a", ()), id="another client's name"),
        pytest.param([A, C], (7,), "", ("a", ()), id="no name"),
        pytest.param([B, A, C], (7,), "a", ("a", ()), id="one of several"),
        pytest.param([B, A, C], (7,), "c", ("b", ("a",)), id="several, and a name of none"),
        pytest.param([B, A.replace(ended=9.0)], (7,), "a", ("b", ()), id="one that has ended"),
        pytest.param([A.replace(ended=9.0)], (7,), "x", ("a", ()), id="all have ended"),
        pytest.param([C, A], (9, 7), "c", ("c", ("a",)), id="a client in a client"),
        pytest.param([A, CODEX], (7, 5), "a", ("a", ("x",)), id="in another client"),
        pytest.param([C, A, CODEX], (), "a", ("a", ("c",)), id="a sandbox"),
        pytest.param([C, A, CODEX], (), "", ("c", ("a",)), id="a sandbox, no name"),
        pytest.param([CODEX], (), "a", ("a", ()), id="no such client told of one"),
        pytest.param([A.replace(started=8.0), C], (7,), "a", ("a", ("c",)), id="a process of the same number"),
    ],
)
def test_the_conversation_is_one_that_a_client_above_serves(known, above, named, found):
    """The variables pick among these; where they name none of them, what binds one of them binds the command."""
    ancestors = (SHELL, *(Process(pid, 1, ("x",), float(pid)) for pid in above)) if above else (SANDBOX,)
    environment = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": named}
    around = place_among(known, find_surroundings(environment), ancestors, environment)
    assert (around.host, around.conversation, around.beside) == ("claude-code", *found)


@pytest.fixture(params=HOSTS)
def host(request):
    return host_of(request.param)


def write_line(host, project, scope, event, shared):
    """Register our line for an event in the settings of a scope, as `init` does."""
    path = project / host.place(scope, str(project))
    path.parent.mkdir(parents=True, exist_ok=True)
    (line,) = [each.command for each in host.registrations(shared) if each.event == event]
    path.write_text(json.dumps({"hooks": {event: [{"hooks": [{"type": "command", "command": line}]}]}}))


@pytest.mark.parametrize(("scope", "shared"), [(LOCAL, False), (SHARED, True), (USER, False)])
def test_it_stands_back_for_the_event_that_the_settings_answer(host, user, project, scope, shared):
    """In every scope, by the line for this machine or for everybody; other events stay the plugin's."""
    event, other = host.EVENTS[0], host.EVENTS[-1]
    assert not stands_back(host.NAME, event, str(project))
    write_line(host, project, scope, event, shared)
    assert stands_back(host.NAME, event, str(project))
    assert not stands_back(host.NAME, other, str(project))


@pytest.mark.parametrize(("scope", "counts"), [(USER, False), (LOCAL, True)])
def test_in_copilot_lines_of_claude_code_count_too(user, project, scope, counts):
    """Those of the project; in no other host, nor where a settings file mentions us and has no line of ours."""
    write_line(host_of("claude-code"), project, scope, "UserPromptSubmit", False)
    assert stands_back("copilot-cli", "UserPromptSubmit", str(project)) == counts
    assert not stands_back("codex-cli", "UserPromptSubmit", str(project))
    (project / ".codex").mkdir()
    (project / ".codex" / "hooks.json").write_text('{"description": "codex-cli and UserPromptSubmit"}')
    assert not stands_back("codex-cli", "UserPromptSubmit", str(project))


def test_the_hook_of_a_plugin_is_silent_beside_that_of_the_settings(user, workspace):
    """And keeps nothing; the settings' own line answers. Without one, the plugin's does."""
    words = ("claude-code", "UserPromptSubmit", "plugin")
    write_line(host_of("claude-code"), Path(workspace.root), LOCAL, "UserPromptSubmit", False)
    beside = run_hook(typed(workspace), *words, cwd=workspace.root, env=bare())
    assert (beside.code, beside.out, beside.err) == (0, b"", b"")
    assert not list(Path(private_path(workspace, "sessions")).glob("*.json"))
    assert "<limpet-context" in run_hook(typed(workspace), *words[:2], cwd=workspace.root, env=bare()).text
    Path(workspace.root, ".claude", "settings.local.json").unlink()
    other = typed(workspace).replace(b'"session_id": "s"', b'"session_id": "t"')
    assert "<limpet-context" in run_hook(other, *words, cwd=workspace.root, env=bare()).text
