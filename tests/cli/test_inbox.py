"""A command of an agent whose sandbox may not write: the hook carries out what it saw, and believes nothing else."""

import errno
import json
import os

import pytest

from limpet.ground.storage.durable import write_durably
from limpet.work.conversation import Private, write_private
from limpet.work.inbox import HANDED

from ..hook_host import run_hook

WRITE = ("memory", "write", "gotcha: The quokka cache is emptied at three.")


@pytest.fixture
def sandboxed(workspace, monkeypatch):
    """Runs a command as the agent of conversation ``s`` does, where the data folder may not be written."""

    def refuse(path, *_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)

    def run_there(run, *words, inbox=True):
        with monkeypatch.context() as patch:
            patch.setenv("CLAUDECODE", "1")
            patch.setenv("CLAUDE_CODE_SESSION_ID", "s")
            patch.setattr("limpet.cli.inbox.write_atomic", refuse)
            if not inbox:
                patch.setattr("limpet.cli.inbox.leave_letter", lambda workspace, *_: refuse(workspace.home))
            return run(*words)

    return run_there


@pytest.fixture
def event(workspace):
    """Fires an event of the conversation; what the agent gets."""

    def fire(name, **payload):
        given = {"session_id": "s", "cwd": workspace.root, "hook_event_name": name, **payload}
        done = run_hook(json.dumps(given).encode(), "claude-code", name, cwd=workspace.root, env={**os.environ})
        assert (done.code, done.err) == (0, b"")
        return done.out.decode() if done.out else ""

    return fire


def saw(event, command, **more):
    return event("PreToolUse", tool_name="Bash", tool_input={"command": command}, tool_use_id="t1", **more)


def titles(run):
    return [one["title"] for one in json.loads(run("memory", "list", "--json").stdout)]


@pytest.mark.parametrize("folder", ["", "src"])
def test_a_call_that_the_hook_saw_is_carried_out_with_the_next_prompt(workspace, run, sandboxed, event, folder):
    """As the agent of that conversation, from a folder below too; the agent is told."""
    os.makedirs(os.path.join(workspace.root, "src"))
    event("SessionStart", source="startup")
    saw(event, f'limpet {WRITE[0]} {WRITE[1]} "{WRITE[2]}"')
    done = sandboxed(lambda *words: run(*words, cwd=os.path.join(workspace.root, folder)), *WRITE)
    assert (done.returncode, done.stdout.strip()) == (0, HANDED)
    assert titles(run) == []
    told = event("UserPromptSubmit", prompt="go on")
    assert titles(run) == ["The quokka cache is emptied at three."]
    assert "limpet memory write:" in told
    assert os.listdir(workspace.path("inbox")) == [".gitignore"]


@pytest.mark.parametrize("way", ["in a script", "by a checkout", "of another text"])
def test_what_the_hook_did_not_see_is_only_shown_to_the_person(workspace, run, sandboxed, event, way):
    """It is nobody's memory, and no agent hears of it."""
    event("SessionStart", source="startup")
    saw(event, "./script.sh" if way == "in a script" else 'limpet memory write "gotcha: Another one."')
    if way == "by a checkout":
        os.makedirs(workspace.path("inbox"), exist_ok=True)
        with open(workspace.path("inbox", "1.json"), "w", encoding="utf-8") as file:
            json.dump({"words": WRITE}, file)
    else:
        sandboxed(run, *WRITE)
    told = event("UserPromptSubmit", prompt="how is the quokka cache emptied?")
    assert (titles(run), "at three" in told) == ([], False)
    assert json.loads(run("review", "--json").stdout)["unknown"] == [WRITE[2]]


@pytest.mark.parametrize(
    "words",
    [
        ("memory", "import", "/etc/passwd"),
        ("memory", "forget", "abc"),
        ("trust", "--yes"),
        ("memory", "add", "-"),
        ("memory", "add", "x", "--as-person"),
        "no list",
        [1],
    ],
)
def test_a_letter_asks_for_nothing_else(workspace, run, event, words):
    """Whoever wrote it, and whether or not the hook saw the call."""
    event("SessionStart", source="startup")
    if isinstance(words, tuple):
        saw(event, f"limpet {' '.join(words)}")
    os.makedirs(workspace.path("inbox"), exist_ok=True)
    with open(workspace.path("inbox", "1.json"), "w", encoding="utf-8") as file:
        json.dump({"words": words}, file)
    event("UserPromptSubmit", prompt="go on")
    assert (titles(run), os.path.exists(workspace.path("inbox", "1.json"))) == ([], False)
    assert json.loads(run("review", "--json").stdout)["unknown"] == []


def test_a_call_that_was_denied_is_announced_for_nothing(workspace, run, event):
    """A script may not leave in the inbox what the guard refused."""
    write_durably(workspace.kept("session.yaml"), "current_agent: dev\n")
    event("SessionStart", source="startup")
    assert '"deny"' in saw(event, "limpet work agent activate devops")
    os.makedirs(workspace.path("inbox"), exist_ok=True)
    with open(workspace.path("inbox", "1.json"), "w", encoding="utf-8") as file:
        json.dump({"words": ["work", "agent", "activate", "devops"]}, file)
    assert "limpet work agent activate: not done" in event("UserPromptSubmit", prompt="go on")


def test_a_private_conversation_leaves_nothing(workspace, run, sandboxed, event):
    """Neither the command nor what lay there already."""
    event("SessionStart", source="startup")
    saw(event, f'limpet {WRITE[0]} {WRITE[1]} "{WRITE[2]}"')
    sandboxed(run, *WRITE)
    write_private("s", Private(since="2026-11-28T10:00:00Z"))
    assert sandboxed(run, *WRITE).returncode == 1
    event("UserPromptSubmit", prompt="go on")
    event("SessionStart", source="resume")
    assert titles(run) == []


def test_where_nothing_can_be_written_at_all_it_says_so(run, sandboxed):
    done = sandboxed(run, *WRITE, inbox=False)
    assert done.returncode == 1
    assert "Run this command outside of the sandbox." in done.stderr


def test_a_person_at_a_terminal_of_their_own_hands_nothing_over(run):
    """What refuses there is an error like any other."""
    assert HANDED not in run(*WRITE).stdout
