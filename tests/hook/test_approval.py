"""What waits for a person's word, in the hook (decision 53): shown to the person, not to the model; heard; asked."""

import json
import os
import re
import shlex

import pytest

from limpet.engine import person
from limpet.ground.own_name import command_path
from limpet.ground.trust.approvals import USED, leave_line
from limpet.hosts.surroundings import variables_of_hosts

from ..commands import run_command
from ..conversation import write
from ..finishing import SEEN as SEEN_FILE
from ..finishing import filled
from ..hook_host import POSIX, notes

ACT = ("config", "set", "guard.rules.authority", "false")
LINE = "limpet " + " ".join(ACT)
SAYS = "Set guard.rules.authority to false in "
SEEN = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1"}
UNSEEN = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ATTENDED": "0"}
WORD = re.compile(r"To agree, type \*yes (\w{5})\.")
pytestmark = POSIX


@pytest.fixture(autouse=True)
def attended(tmp_path, monkeypatch):
    """Hooks are those of a client at which somebody sits."""
    for name in variables_of_hosts():
        monkeypatch.delenv(name, raising=False)
    for name, value in {**SEEN, "HOME": str(tmp_path / "home")}.items():
        monkeypatch.setenv(name, value)


def unseen():
    """The environment of a hook whose client has nobody sitting at it."""
    return {**os.environ, **UNSEEN}


def act(host, session="s"):
    """What the agent of a conversation is told that runs the act."""
    done = run_command(ACT, host.workspace.root, {**os.environ, "CLAUDE_CODE_SESSION_ID": session})
    return "" if done.returncode == 0 else done.stderr


def shown(answer):
    """What the person reads of an answer."""
    return json.loads(answer.out or "{}").get("systemMessage", "")


def word_in(answer):
    """The word that the person is shown, and the model is not."""
    (word,) = WORD.findall(shown(answer))
    assert word not in json.dumps(json.loads(answer.out).get("hookSpecificOutput", ""))
    return word


def asked(host):
    """The word for the act, as it is shown with the call that was refused."""
    assert "Only a person can do this" in act(host)
    return word_in(host.send("PostToolUseFailure", tool_name="Bash", tool_use_id="t1", error="Exit code 1"))


def agreed(answer):
    """The command that the model may run, as it is told."""
    return answer.block["next"].removeprefix("the user agreed by *yes; run it once, within the hour: ")


def call(host, command=LINE, env=None, **payload):
    """The answer to a tool call, as data."""
    payload = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t2", **payload}
    answer = host.send("PreToolUse", process={"env": env}, **payload)
    assert (answer.code, answer.err) == (0, b"")
    return json.loads(answer.out or "{}")


@pytest.mark.parametrize("event", ["UserPromptSubmit", "PreToolUse", "PostToolUseFailure"])
def test_the_word_is_shown_to_the_person_once(host, event):
    """With what it agrees to, by the first event that may show it; a later one repeats nothing."""
    act(host)
    given = {"prompt": "the endpoint", "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"}
    first = host.send(event, **given)
    assert SAYS in shown(first) and word_in(first)
    assert SAYS not in shown(host.prompt("the endpoint"))


def test_a_subagents_event_shows_no_word(host):
    """Its messages are not the person's to read: the conversation's next event shows it."""
    act(host)
    inside = {"agent_id": "a1", "agent_type": "x", "tool_name": "Bash", "tool_use_id": "t", "error": "Exit code 1"}
    assert shown(host.send("PostToolUseFailure", **inside)) == ""
    assert word_in(host.prompt())


def test_the_typed_word_counts_once(host):
    """Its use is told to the person with their next message, and no other."""
    word = asked(host)
    answer = host.prompt(f"*yes {word}")
    assert f"you agreed: {SAYS}" in shown(answer)
    assert agreed(answer) == LINE and notes(answer) == []
    assert act(host) == ""
    assert "Only a person can do this" in act(host)
    first = shown(host.prompt())
    assert "your word was used at" in first and "typed in the conversation" in first
    project = os.path.basename(host.workspace.root)
    assert f"{SAYS}.limpet{os.sep}config.yaml (in {project}: {LINE})" in first
    used = next(line for line in first.splitlines() if "your word was used at" in line)
    assert host.workspace.root not in used
    assert "your word was used at" not in shown(host.prompt())


def test_each_word_is_told_as_what_comes_next(host):
    """The same command a second time in a row too."""
    for _ in range(2):
        assert agreed(host.prompt(f"*yes {asked(host)}")) == LINE
        assert act(host) == ""


def test_the_command_that_was_agreed_to_can_be_copied(host):
    """On both sides its words are quoted for a shell, so that it is the one that the word is for."""
    words = ("config", "set", "work.checks.tests", "python -m pytest -q")
    env = {**os.environ, "CLAUDE_CODE_SESSION_ID": "s"}
    assert run_command(words, host.workspace.root, env).returncode == 1
    answer = host.prompt(f"*yes {word_in(host.prompt())}")
    line = "limpet config set work.checks.tests 'python -m pytest -q'"
    assert line in shown(answer) and agreed(answer) == line
    assert run_command(shlex.split(line)[1:], host.workspace.root, env).returncode == 0


def test_a_second_question_says_what_still_waits(host):
    """The first word still counts, for what it was shown with."""
    first, env = asked(host), {**os.environ, "CLAUDE_CODE_SESSION_ID": "s"}
    assert run_command(("config", "set", "guard.unclear", "allow"), host.workspace.root, env).returncode == 1
    told = shown(host.prompt("the endpoint")).splitlines()
    assert "guard.unclear" in told[0] and told[1].startswith("Limpet: beside that still waits")
    assert SAYS in told[1] and "guard.unclear" not in told[1]
    assert agreed(host.prompt(f"*yes {first}")) == LINE


def test_a_long_command_is_not_told_cut(host):
    """It asked itself, so that its agent knows it."""
    words = ("config", "set", "work.checks.tests", f"python -m pytest {'tests/some/file.py ' * 40}")
    env = {**os.environ, "CLAUDE_CODE_SESSION_ID": "s"}
    assert run_command(words, host.workspace.root, env).returncode == 1
    answer = host.prompt(f"*yes {word_in(host.prompt())}")
    assert agreed(answer) == "the command that asked for it, as it was"


def test_a_word_that_cannot_be_kept_is_not_said_to_count(host, monkeypatch):
    """On a full disk, say."""

    def fail(*_):
        raise OSError("No space left on device")

    word = asked(host)
    monkeypatch.setattr(person, "write_approval", fail)
    told = shown(host.prompt(f"*yes {word}"))
    assert "cannot be kept" in told and "you agreed" not in told


def test_several_uses_are_told_in_one_line(host):
    """Also of other projects: how many since when, how each was given, and what the newest were for."""
    for number in (1, 2, 3):
        leave_line(f"{USED} at 2026-11-26T10:0{number}:00Z, typed at a terminal: Trust /p{number} (in /p{number})")
    leave_line(f"{USED} at 2026-11-26T11:00:00Z, by --yes, with nobody asked: {'Set x ' * 30}")
    leave_line("Limpet is back.")
    back, uses = shown(host.prompt()).splitlines()[:2]
    assert back == "Limpet is back." and uses.count(USED) == 1
    assert " 4 times since 2026-11-26T10:01:00Z (3 typed at a terminal, 1 by --yes, with nobody asked)." in uses
    assert "The newest: Set x" in uses and "; Trust /p1 (in /p1). For each: limpet log" in uses and len(uses) < 400


def test_without_the_word_that_was_shown_nothing_is_agreed_to(host):
    """Another one, none, and one of another conversation: what waits is shown again, with another word each time, so
    that no word is found by trying."""
    word = asked(host)
    for typed, session in (("*yes wrong", "s"), ("*yes", "s"), (f"*yes {word}", "other")):
        again = shown(host.prompt(typed, session_id=session))
        assert (bool(WORD.search(again)), "you agreed" in again) == (session == "s", False)
    assert "you agreed" not in shown(host.prompt(f"*yes {word}"))
    assert "Only a person can do this" in act(host)


def test_only_who_sits_at_the_client_gives_a_word(host, run, below_claude):
    """Not a subagent, a prompt of the client's own, one that a program gave, one in a client that an agent started, nor
    a preview."""
    line = f"*yes {asked(host)}"
    host.prompt(line, agent_id="a1", agent_type="x")
    host.prompt(f"<task-notification>\n{line}")
    host.prompt(line, process={"env": unseen()})
    host.prompt(line, process={"prefix": (*below_claude, *below_claude)})
    run("why", "--text", "--for", line, "--session", "s")
    assert "Only a person can do this" in act(host)
    assert "you agreed" in shown(host.prompt(line, process={"prefix": below_claude}))


def test_a_nested_client_takes_no_line_that_is_for_the_person(host, below_claude):
    """Nor does one at which nobody sits."""
    host.prompt(f"*yes {asked(host)}")
    act(host)
    for process in ({"prefix": (*below_claude, *below_claude)}, {"env": unseen()}):
        assert "your word" not in shown(host.prompt("hello", session_id="nested", process=process))
    assert "your word was used at" in shown(host.prompt())


@pytest.mark.parametrize("rights", ["*agent qa", "*mode auto", "*yolo"])
def test_a_nested_client_gives_no_rights(host, below_claude, rights):
    """What an agent types for itself is no person's choice (decision 53)."""
    nested = host.prompt(rights, process={"prefix": (*below_claude, *below_claude)})
    assert "no person typed this prompt, it came from a script" in nested.text
    assert "no person typed" not in host.prompt(rights, process={"prefix": below_claude}).text


def test_the_clients_question_is_put_for_that_command_alone(host):
    """Its text says what the person agrees to, without the word; nothing else asks."""
    word = asked(host)
    for command in (f"{LINE} && ls", f"true; {LINE}", "limpet status", f"FOO=1 {LINE}", LINE.replace("false", "$X")):
        assert "hookSpecificOutput" not in call(host, command)
    (said,) = call(host).values()
    assert (said["permissionDecision"], word in str(said)) == ("ask", False)
    assert said["permissionDecisionReason"].startswith(f"Limpet: only you may do this: {SAYS}")


@pytest.mark.parametrize("quotes", ["", "'", '"'])
def test_the_command_by_its_path_is_that_command(host, quotes):
    """As agents are told it, in quotes or without; a program of that name elsewhere is another one."""
    asked(host)
    for name in ("/tmp/limpet", "./limpet", f"{command_path()}x"):
        assert "hookSpecificOutput" not in call(host, LINE.replace("limpet", name, 1))
    (said,) = call(host, LINE.replace("limpet", f"{quotes}{command_path()}{quotes}", 1)).values()
    assert said["permissionDecision"] == "ask"


@pytest.mark.parametrize(
    ("payload", "changes"),
    [
        ({"agent_id": "a1", "agent_type": "x"}, {}),
        ({"permission_mode": "bypassPermissions"}, {}),
        ({"permission_mode": "dontAsk"}, {}),
        ({}, UNSEEN),
        ({"session_id": "other"}, {}),
    ],
)
def test_where_nobody_reads_it_nothing_is_asked(host, payload, changes):
    """A subagent's call, modes that ask about nothing, a client without a terminal, another conversation."""
    asked(host)
    assert call(host, env={**os.environ, **changes}, **payload) == {}


@pytest.mark.parametrize("settings", [{"hooks": {"PermissionRequest": []}}, {"enabledPlugins": {"x@y": True}}])
@pytest.mark.parametrize("folder", ["project", "home"])
def test_who_may_answer_for_the_person_is_not_asked(host, tmp_path, settings, folder):
    """A hook for the question, or a plugin, which may bring one."""
    asked(host)
    write(str(tmp_path / folder / ".claude" / "settings.json"), json.dumps(settings))
    assert call(host) == {}


def test_what_a_command_asked_before_waits_no_longer_when_it_asks_something_else(host, run):
    """A step that came back and is to end unchanged; then it is changed."""
    write(host.workspace.path("workflows", "hotfix.yaml"), "steps:\n  - {agent: dev, state: build, mode: build}\n")
    assert run("work", "start", "hotfix").returncode == 0
    seen = os.path.join(host.workspace.root, SEEN_FILE)
    write(seen, "Made.\n")
    assert run("work", "back", "dev", "--reason", "the total is wrong").returncode == 0
    form, around = filled(run("work", "finish").stdout), {**os.environ, "CLAUDE_CODE_SESSION_ID": "s"}
    told = []
    for text in ("Made.\n", "Mended.\n"):
        write(seen, text)
        told.append(run_command(("work", "finish", "-"), host.workspace.root, around, form).stderr)
    assert ["nothing changed since" in each for each in told] == [True, False]
    assert len(WORD.findall(shown(host.prompt("*yes nope")))) == 1
