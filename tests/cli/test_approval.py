"""A person's word at the commands that need one (decision 53): inside a client, at a terminal, and without either."""

import json
import os
import subprocess
import sys

import pytest

from limpet.ground.trust.approvals import TYPED, read_approvals, take_lines, write_approval

from ..forking import SOURCE
from ..hook_host import POSIX, STARTED, Host
from .conftest import events

ACT = ("config", "set", "guard.rules.authority", "false")
SAYS = "Set guard.rules.authority to false in "
ONLY = f"Only a person can do this: {SAYS}"
CONVERSATION = "abc"
SHELL = ("sh", "-c", '"$@"; exit $?', "sh")
SEEN = {
    "CLAUDE_CODE_SESSION_ID": CONVERSATION,
    "CLAUDE_CODE_ENTRYPOINT": "cli",
    "CLAUDE_CODE_SESSION_ATTENDED": "1",
}


@pytest.fixture
def host(workspace, tmp_path, monkeypatch, call):
    """A client in a terminal, which runs commands and hooks with its variables."""
    for name, value in {**SEEN, "HOME": str(tmp_path / "home"), "CLAUDE_PID": str(os.getpid())}.items():
        monkeypatch.setenv(name, value)
    client = Host(workspace)
    client.prompt("hello", session_id=CONVERSATION)  # with it the hook tells whose conversation it is
    return client


@pytest.fixture
def agent(host, run):
    """Runs a command as the client's agent: by its variables, and in a shell that the client, which is the tests' own
    process, starts."""
    return lambda *words, before=(): run(*words, prefix=(*before, *SHELL))


def ask(host, *words):
    """Have the client ask the person about the command, in a process that begins then; they say yes."""
    call = {"tool_name": "Bash", "tool_input": {"command": " ".join(("limpet", *words))}, "tool_use_id": "t1"}
    said = json.loads(host.send("PreToolUse", process=STARTED, session_id=CONVERSATION, **call).out)
    assert said["hookSpecificOutput"]["permissionDecision"] == "ask"


def uses(workspace):
    """(how, client) of each use in the audit log."""
    data = [event["data"] for event in events(workspace) if event["kind"] == "person.word"]
    return [(one["how"], one["client"]) for one in data]


def test_inside_a_client_the_person_is_asked_for(workspace, call):
    """The refusal tells both ways; the act waits, with the command that does it; nothing was done."""
    done = call(*ACT, around=SEEN)
    assert done.returncode == 1 and ONLY in done.stderr
    assert "shows the user a word" in done.stderr and "makes the client ask them" in done.stderr
    (waiting,) = read_approvals(CONVERSATION, 0.0)
    assert (waiting.says.startswith(SAYS), waiting.words, waiting.given) == (True, ACT, "")
    assert (os.path.exists(workspace.path("config.yaml")), uses(workspace), take_lines()) == (False, [], ())


def test_a_client_that_we_do_not_hear_is_told_of_a_terminal(call):
    """Nothing waits there."""
    done = call(*ACT, around={"AMP_CURRENT_THREAD_ID": CONVERSATION})
    assert (done.returncode, "in a terminal of their own" in done.stderr) == (1, True)
    assert read_approvals(CONVERSATION, 0.0) == ()


def test_a_word_is_for_one_act(workspace, call):
    """Another value, and another file, are other acts; the same one may be written otherwise."""
    call(*ACT, around=SEEN)
    (waiting,) = read_approvals(CONVERSATION, 0.0)
    write_approval(CONVERSATION, waiting.replace(given=TYPED))
    assert ONLY in call(*ACT, "--local", around=SEEN).stderr
    assert call(*ACT, "--json", around=SEEN).returncode == 0
    assert ONLY in call(*ACT, around=SEEN).stderr
    assert uses(workspace) == [("typed", "claude-code")]


@POSIX
def test_an_answer_to_the_clients_question_counts_once(workspace, host, agent):
    """For the command that the client starts then."""
    assert ONLY in agent(*ACT).stderr
    ask(host, *ACT)
    assert agent(*ACT).returncode == 0
    assert uses(workspace) == [("asked", "claude-code")]
    assert ONLY in agent(*ACT).stderr


@POSIX
def test_an_answer_counts_for_that_very_command(host, agent):
    """Not for one that does the same in other words."""
    agent(*ACT)
    ask(host, *ACT)
    assert ONLY in agent(*ACT, "--json").stderr


@POSIX
def test_an_answer_is_over_with_the_next_event(host, agent):
    """Which comes where the person said no."""
    agent(*ACT)
    ask(host, *ACT)
    host.prompt("what else", session_id=CONVERSATION)
    assert ONLY in agent(*ACT).stderr


@POSIX
@pytest.mark.parametrize("named", [False, True])
def test_an_answer_is_not_for_a_shell_that_ran_before(workspace, host, agent, below_claude, named):
    """It waits for the person's yes to something; that it starts what has a client's name makes it none."""
    agent(*ACT)
    between = below_claude if named else ()
    command = ["sh", "-c", 'echo began; read go; "$@"; exit $?', "sh", *between, sys.executable, "-m", "limpet", *ACT]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    with subprocess.Popen(command, cwd=workspace.root, env=environment, text=True, **streams) as waiting:
        waiting.stdout.readline()
        ask(host, *ACT)
        assert ONLY in waiting.communicate("go\n", timeout=60)[1]


def test_at_a_terminal_the_word_is_typed_back(workspace, at_terminal):
    """Any other leaves all as it is."""
    refused = at_terminal(*ACT, typed="yes\n", agrees=False)
    assert (refused.returncode, "Not agreed, nothing was changed" in refused.stderr) == (1, True)
    done = at_terminal(*ACT)
    assert (done.returncode, SAYS in done.stderr, uses(workspace)) == (0, True, [("terminal", "")])


def test_without_a_client_and_a_terminal_yes_is_the_word(workspace, call):
    """As in CI; without it nothing is done."""
    assert f"A person's word is needed: {SAYS}" in call(*ACT).stderr
    assert call(*ACT, "--yes").returncode == 0
    (line,) = take_lines()
    assert (
        "by --yes, with nobody asked" in line and SAYS in line and f"(in {os.path.basename(workspace.root)}: " in line
    )
    assert uses(workspace) == [("unattended", "")]


def test_the_log_says_what_was_agreed_to(workspace, call):
    """And how; of a mode also which one it is, and before what it does."""
    call(*ACT, "--yes")
    asked = call("guard", "mode", "safe", around=SEEN).stderr
    assert "Set the permission mode of this project to explore: agents ask before all that is not known" in asked
    assert call("guard", "mode", "wrong").stderr.startswith("limpet: Unknown permission mode: wrong")
    call("guard", "mode", "safe", "--yes")
    told = call("log").stdout
    assert f"you agreed, by --yes, with nobody asked: {SAYS}" in told and "permission mode set: explore" in told


def test_a_setting_that_does_not_act_takes_no_word(workspace, call):
    """Neither from an agent nor from a script."""
    assert call("config", "set", "work.mode", "build", around=SEEN).returncode == 0
    assert uses(workspace) == []


def test_a_secret_in_what_is_asked_is_shown_to_nobody(call):
    """Though the agent put it there."""
    token = "gh" + "p_" + "Zx8Kq2Vw5Lm1Rt9Yb4Nc7Jd3Hf6Gs0Pa2QeU"
    assert token not in call("work", "story", "done", "--anyway", "--why", token, around=SEEN).stderr
    assert token not in str(read_approvals(CONVERSATION, 0.0)[0].says)


def test_a_word_is_for_the_whole_of_a_long_act(agent, call):
    """What lies beyond the line is read too, and another end of it is another act."""
    long = ("config", "set", "work.checks.tests")
    call(*long, f"{'x' * 400} one", around=SEEN)
    (waiting,) = read_approvals(CONVERSATION, 0.0)
    assert waiting.reads and "one" in waiting.lines[0]
    write_approval(CONVERSATION, waiting.replace(given=TYPED))
    assert agent(*long, f"{'x' * 400} two").returncode == 1
    assert agent(*long, f"{'x' * 400} one").returncode == 0
