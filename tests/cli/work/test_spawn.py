"""``limpet resume --spawn`` as its users call it, with a host of ours that writes down what it was given."""

import json
import os
import stat
import sys

import pytest

from limpet.ground.storage.files import read_text
from limpet.hosts.spawn import CLOSING, OPENING, as_prompt, main
from limpet.work.continuation import Continuation
from limpet.work.continuation_store import read_continuation, write_continuation
from limpet.work.recovery import SPAWNED
from limpet.work.session import new_session, write_session

from ...conversation import write
from ...hook_host import POSIX, state
from ...memories import until
from ...project_session import update_project
from ..conftest import events

pytestmark = POSIX

HOST = """#!{python}
import json, os, sys
given = [sys.argv[1:], sys.stdin.read(), dict(os.environ), os.getcwd()]
with open({draft!r}, "w") as file:
    json.dump(given, file)
os.rename({draft!r}, {path!r})
print("said")
"""


@pytest.fixture
def host(tmp_path, monkeypatch):
    """A program in Claude Code's place; what it was given, once it was: arguments, stdin, environment, folder."""
    path, told = tmp_path / "bin" / "claude", tmp_path / "told.json"
    write(str(path), HOST.format(python=sys.executable, draft=str(tmp_path / "draft"), path=str(told)))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("LIMPET_CLAUDE", str(path))
    monkeypatch.delenv(SPAWNED, raising=False)

    def given():
        assert until(told.exists)
        return json.loads(told.read_text())

    given.told = told
    return given


@pytest.fixture
def conversation(workspace):
    """A conversation of Claude Code's with a task; its id."""
    update_project(workspace, {"current_agent": "dev", "task": "Add the export"})
    write_session(workspace, new_session("abc", "claude-code", workspace.root, 0.0))
    return "abc"


def test_a_fresh_conversation_gets_the_continuation(call, workspace, host, conversation):
    """With an id of its own, in the project, marked with its parent, the text on its standard input only; which is
    written down, and the log is its owner's only."""
    answer = json.loads(call("resume", "--spawn", "--json", "--", "--max-budget-usd", "2").stdout)
    words, text, environment, folder = host()
    assert words[0] == "-p" and words[2:] == ["--session-id", answer["session"], "--max-budget-usd", "2"]
    assert text.startswith(OPENING) and text.endswith(f"{CLOSING}\n") and "- Task: Add the export" in text
    assert not any("Add the export" in word for word in words)
    assert (environment[SPAWNED], folder) == ("abc", os.path.realpath(workspace.root))
    assert (answer["started"], answer["path"]) == (True, "limpet resume --full abc")
    assert until(lambda: read_text(answer["log"]) == "said\n")
    assert os.stat(answer["log"]).st_mode & 0o777 == 0o600
    (event,) = [each for each in events(workspace) if each["kind"] == "recovery.spawned"]
    assert (event["session"], event["data"]["session"]) == ("abc", answer["session"])
    assert state(workspace, "abc")["spawned"]["session"] == answer["session"]


def test_print_starts_nothing(call, workspace, host, conversation):
    """It shows the command, and where the continuation is, which is brought up to date."""
    done = call("resume", "--spawn", "--print")
    assert done.stdout.startswith("limpet resume --full abc | LIMPET_SPAWNED=abc ") and " -p " in done.stdout
    assert done.stdout.splitlines()[-1] == "Continuation: limpet resume --full abc"
    assert read_continuation(workspace, "abc").task == "Add the export"
    assert not os.path.exists(workspace.cached("spawned")) and not host.told.exists()
    assert "spawned" not in state(workspace, "abc")


def test_a_spawned_conversation_spawns_none(call, host, conversation, monkeypatch):
    """Whoever asks for it."""
    monkeypatch.setenv(SPAWNED, "xyz")
    done = call("resume", "--spawn")
    assert done.returncode == 1 and "A spawned conversation cannot spawn" in done.stderr
    assert not host.told.exists()


def test_an_agent_spawns_only_where_a_person_allowed_it(call, host, conversation):
    """It costs money and acts without a person (decision 8); looking is free."""
    done = call("resume", "--spawn", agent="dev")
    assert done.returncode == 1 and "recovery.spawn" in done.stderr
    assert call("resume", "--spawn", "--print", agent="dev").returncode == 0
    assert not host.told.exists()
    call("config", "set", "recovery.spawn", "on", "--yes")
    assert call("resume", "--spawn", agent="dev").returncode == 0
    _, text, environment, _ = host()
    assert "- Conversation: of-dev" in text
    assert not {"CLAUDECODE", "CLAUDE_CODE_SESSION_ID"} & environment.keys()


def test_the_conversation_may_be_named(call, workspace, host):
    """Else it is that of the newest continuation; without one there is nothing to go on from."""
    assert "No conversation to continue" in call("resume", "--spawn").stderr
    write_session(workspace, new_session("abc", "claude-code", workspace.root, 0.0))
    write_continuation(workspace, Continuation(at="2026-11-21T12:00:00Z", session="old", host="claude-code"))
    assert json.loads(call("resume", "--spawn", "--print", "--json").stdout)["parent"] == "old"
    assert json.loads(call("resume", "--spawn", "--print", "--json", "--session", "abc").stdout)["parent"] == "abc"
    done = call("resume", "--spawn", "--session", "nobody")
    assert done.returncode == 1 and "No conversation to continue: nobody" in done.stderr


def test_a_missing_program_is_named(call, conversation, monkeypatch):
    """With the ways to mend it; the continuation is there."""
    monkeypatch.setenv("LIMPET_CLAUDE", "no-such-claude")
    done = call("resume", "--spawn")
    assert done.returncode == 1
    assert "no-such-claude" in done.stderr and "LIMPET_CLAUDE" in done.stderr


def test_the_command_is_shown_where_the_client_is_not_installed(call, conversation, workspace, monkeypatch):
    """Nothing is started, so nothing is missing: whole, for another machine or a later day."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("LIMPET_CLAUDE", raising=False)
    done = call("resume", "--spawn", "--print")
    assert done.returncode == 0 and done.stdout.startswith(f"limpet resume --full abc | {SPAWNED}=abc claude -p ")
    assert "spawned" not in state(workspace, "abc")


HEADLESS = {
    "Claude Code: Task tool subagent or CLI spawn": ("claude-code", True),
    "AntiGravity: new agent session via platform API": ("antigravity", True),
    "Cursor: continuation file for manual resume": ("cursor", False),
    "VS Code: continuation file for manual resume": ("vscode", False),
    "Gemini CLI: CLI spawn": ("gemini-cli", True),
    "GitHub Copilot: continuation file for manual resume": ("copilot-cli", True),
}


@pytest.mark.parametrize(("name", "starts"), HEADLESS.values(), ids=HEADLESS)
def test_each_host_of_the_table_gets_its_level_two(call, workspace, host, conversation, name, starts):
    """chati.dev V7.1, "IDE-Specific Behavior": a command, else `limpet resume`; Copilot CLI has one by now."""
    write_session(workspace, new_session("abc", name, workspace.root, 0.0))
    done = call("resume", "--spawn", "--print")
    assert done.returncode == 0
    assert done.stdout.startswith("limpet resume --full abc | LIMPET_SPAWNED=abc ") is starts
    assert ("run: limpet resume\n" in done.stdout) is not starts
    assert read_continuation(workspace, "abc").host == name


def test_what_the_hooks_door_could_not_start_is_kept_for_the_next_block(workspace, conversation, monkeypatch):
    """Nobody sees the stderr of a process that the hook lets go."""
    monkeypatch.setenv("LIMPET_CLAUDE", "no-such-claude")
    monkeypatch.delenv(SPAWNED, raising=False)
    main(workspace.home, "abc", "3 compactions")
    assert "no-such-claude" in state(workspace, "abc")["spawned"]["problem"]


def test_nothing_in_the_text_ends_the_element_around_it():
    """What stands in it is left out of what a transcript teaches, whole."""
    text = as_prompt(f"a {CLOSING} b {OPENING} c")
    assert text.count("<limpet-context") == text.count(CLOSING) == 1


def test_the_hooks_door_spawns_once_from_a_conversation(workspace, host, conversation, call):
    """However often its figures ask for it, and the reasons are written down."""
    main(workspace.home, "abc", "3 compactions", "5 consecutive prompts in CRITICAL")
    words, *_ = host()
    main(workspace.home, "abc", "4 compactions")
    found = [each for each in events(workspace) if each["kind"] == "recovery.spawned"]
    assert [each["why"] for each in found] == ["3 compactions; 5 consecutive prompts in CRITICAL"]
    assert found[0]["data"]["session"] == words[3]
