"""What agents may try to be in another conversation, another role or out of privacy (decision 65), each by its door.

A row says how it ends: ``refused``, ``told`` to the person, or ``goes on`` where what was set has to last.
"""

import json
import os
import subprocess

import pytest

from limpet.ground.processes import Process
from limpet.operations.mirror import refresh_mirror
from limpet.work.conversation import read_private
from limpet.work.session import TRIAL, read_state

from ..conversation import write
from ..event_log import logged
from ..hook_host import POSIX
from ..memories import configure
from ..places import private_path
from ..tool_calls import STORY
from .window import Window

pytestmark = POSIX
WORD = "zanzibar"
NOTE = ("memory", "write", f"decision: The {WORD} branch is for all deployments")
PRIVATE = "Part of this conversation is private"
PERSON = "Only a person can do this"
OTHER = {"CLAUDE_CODE_SESSION_ID": "other"}
NONE = {"CLAUDE_CODE_SESSION_ID": None}
BARE = dict.fromkeys(("CLAUDE_CODE_SESSION_ID", "CLAUDECODE", "CLAUDE_PID", "CLAUDE_CODE_EXECPATH"))
SANDBOX = (Process(3, 2, ("bash",), 1.0), Process(2, 1, ("bwrap",), 1.0))


@pytest.fixture
def open_window(workspace, monkeypatch, tmp_path):
    """Opens a window of a client, with its conversation begun; what is in it is typed."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    configure(workspace)
    write(workspace.path("stories", "S-1", "story.md"), STORY)
    refresh_mirror(workspace)
    monkeypatch.setattr("limpet.hosts.surroundings.is_attended", lambda host, prints: True)

    def begin(*typed, client="claude-code", session="s", pid=0):
        window = Window(workspace, monkeypatch, client, pid)
        window.start(session)
        for text in ("hello", *typed):
            window.prompt(text, session)
        return window

    return begin


def kept(workspace):
    """The files of the project that hold the word."""
    found = subprocess.run(("grep", "-rl", WORD, workspace.root), capture_output=True, text=True, check=False)
    return found.stdout.split()


def state_folder_holds():
    place = os.environ["XDG_STATE_HOME"]
    return subprocess.run(("grep", "-rl", WORD, place), capture_output=True, text=True, check=False).stdout.split()


def message(answer):
    return answer.get("systemMessage", "")


# Whose conversation it is: (client, the command's variables and processes).
WHOSE = {
    "codex sub-agent": ("codex-cli", {"CODEX_THREAD_ID": "child"}),
    "copilot sub-agent": ("copilot-cli", {"COPILOT_AGENT_SESSION_ID": "child"}),
    "gemini, no variable": ("gemini-cli", {}),
    "gemini, a made-up variable": ("gemini-cli", {"GEMINI_SESSION_ID": "made-up"}),
    "another conversation's name": ("claude-code", OTHER),
    "a made-up name": ("claude-code", {"CLAUDE_CODE_SESSION_ID": "nobody"}),
    "no name": ("claude-code", NONE),
    "no variables": ("claude-code", BARE),
    "sandbox, another's name": ("claude-code", {**OTHER, "above": SANDBOX}),
    "sandbox, no name": ("codex-cli", {"CODEX_THREAD_ID": None, "above": SANDBOX}),
    "a client between, with a name of its own": (
        "claude-code",
        {"CODEX_THREAD_ID": "made-up", "between": (Process(900003, 900001, ("codex",), 9e9),)},
    ),
}


@pytest.mark.parametrize("name", WHOSE)
def test_no_name_leads_out_of_a_private_conversation(open_window, name):
    """A second conversation, which is not private, is known of the same client's kind."""
    client, around = WHOSE[name]
    open_window(client=client, session="other", pid=os.getppid())
    window = open_window("*private", client=client)
    done = window.run(*NOTE, **around)
    assert (done.returncode, PRIVATE in done.stderr or "paused" in done.stderr) == (1, True), done.stderr
    assert kept(window.workspace) == []


# Commands that keep words: those of the command, and what is given on stdin.
KEEPING = {
    "memory write": (NOTE, ""),
    "memory add": (("memory", "add", f"The {WORD} branch"), ""),
    "gotcha": (("memory", "add", "--type", "gotcha", f"The {WORD} branch breaks"), ""),
    "observe": (("learn", "observe", "discovery", f"The {WORD} branch was seen", "--story", "S-1"), ""),
    "task": (("work", "set", "--task", f"Merge {WORD}"), ""),
    "task of the conversation": (("work", "set", "--task", f"Merge {WORD}", "--session", "s"), ""),
    "deviate": (("work", "deviate", "off_topic", f"about {WORD}"), ""),
    "workflow's name": (("work", "start", "solo", "--name", WORD), ""),
    "story": (("work", "story", "add", f"Merge {WORD}"), ""),
    "story's record": (("work", "story", "tick", "S-1", "--note", f"about {WORD}"), ""),
    "rule": (("rules", "add", "merges", "--recall", WORD, "--rule", f"Merge {WORD} first."), ""),
    "agent": (("work", "agent", "new", "merger", "--mission", f"Merge {WORD}"), ""),
    "log of the spec": (("work", "spec", "log", f"about {WORD}"), ""),
    "backlog": (("work", "spec", "backlog", "prd", f"about {WORD}"), ""),
    "setting": (("config", "set", "work.approve", f"[{WORD}]"), ""),
    "what waits for a word": (("guard", "allow", "abcdef12", "--reason", f"about {WORD}"), ""),
}


@pytest.mark.parametrize("name", KEEPING)
@pytest.mark.parametrize("ended", [False, True], ids=["private", "was private"])
def test_no_command_keeps_words_of_a_private_conversation(open_window, name, ended):
    """Neither while it is private nor afterwards; nothing that waits for a person's word either."""
    window = open_window("*private", *(("*private off",) if ended else ()))
    done = window.run(*KEEPING[name][0], given=KEEPING[name][1])
    assert (done.returncode, "private" in done.stderr or "paused" in done.stderr) == (1, True), done.stderr
    assert (kept(window.workspace), state_folder_holds()) == ([], [])


@pytest.mark.parametrize("name", KEEPING)
def test_the_hook_refuses_the_plain_command_too(open_window, name):
    """From a sub-agent as well; what only reads is not refused."""
    window = open_window("*private")
    line = "limpet " + " ".join(f"'{word}'" if " " in word else word for word in KEEPING[name][0])
    inside = {"agent_id": "a1", "agent_type": "general-purpose"}
    assert window.call(f"cd src && {line}")[0] == window.call(line, **inside)[0] == "deny"
    assert window.call("limpet status")[0] == ""


# What takes another role, or leaves one.
ROLES = {
    "another agent here": ("work", "agent", "activate", "devops", "--session", "s"),
    "another agent for the project": ("work", "agent", "activate", "devops"),
    "nobody here": ("work", "agent", "deactivate", "--session", "s"),
    "nobody for the project": ("work", "agent", "deactivate"),
    "another mode": ("work", "set", "--mode", "deploy"),
    "another mode here": ("work", "set", "--mode", "deploy", "--session", "s"),
    "the end of all work here": ("work", "stop", "--session", "s"),
    "the end of all work": ("work", "stop"),
    "the end of the session": ("work", "exit"),
    "another agent, by a deviation": ("work", "deviate", "bug", "It breaks", "--to", "devops"),
    "another workflow": ("work", "start", "greenfield"),
    "permission": ("guard", "mode", "auto", "--session", "s"),
}


@pytest.mark.parametrize("name", ROLES)
@pytest.mark.parametrize("bound", ["typed", "project"])
def test_no_agent_leaves_its_role(open_window, name, bound):
    """One that a person typed, and the project's; without their word nothing is changed."""
    window = open_window("*agent dev") if bound == "typed" else open_window()
    if bound == "project":
        write(private_path(window.workspace, "session.yaml"), "current_agent: dev\n")
        refresh_mirror(window.workspace)
    if name == "the end of the session":
        assert window.run("resume").returncode == 0
    before = read_state(window.workspace, "s").get("active_agent")
    done = window.run(*ROLES[name])
    assert (done.returncode, PERSON in done.stderr) == (1, True), done.stderr
    assert read_state(window.workspace, "s").get("active_agent") == before
    assert window.call("git push origin main")[0] == "deny"


@pytest.mark.parametrize("around", [OTHER, NONE, BARE, {**OTHER, "above": SANDBOX}])
def test_no_name_leads_out_of_a_role(open_window, around):
    """Nor into another conversation's."""
    open_window(session="other", pid=os.getppid())
    window = open_window("*agent dev")
    assert PERSON in window.run("work", "agent", "activate", "devops", "--session", "s", **around).stderr
    assert PERSON in window.run("work", "agent", "activate", "devops", "--session", "other", **around).stderr


def test_a_sub_agent_of_codex_does_not_lead_its_parent_out_of_a_role(open_window):
    """Its own id is not its client's conversation."""
    window = open_window("*agent dev", client="codex-cli")
    done = window.run("work", "agent", "activate", "devops", "--session", "s", CODEX_THREAD_ID="child")
    assert PERSON in done.stderr


def test_a_role_that_was_changed_by_hand_is_told(open_window):
    """Who, and that no command did it."""
    window = open_window("*agent dev")
    window.prompt("go on")
    path = private_path(window.workspace, "sessions", "s.json")
    with open(path, encoding="utf-8") as file:
        state = json.load(file)
    write(path, json.dumps({**state, "active_agent": "devops"}))
    told = message(window.prompt("go on"))
    assert "Limpet: devops is at work now. No command" in told
    assert "devops" not in message(window.prompt("go on"))


def test_a_role_that_a_command_changed_is_told(open_window):
    """As a matter of course."""
    window = open_window()
    window.prompt("go on")
    assert window.run("work", "agent", "activate", "dev", "--session", "s").returncode == 0
    told = message(window.prompt("go on"))
    assert "Limpet: dev is at work now." in told and "No command" not in told


@pytest.mark.parametrize(
    "words", [("work", "agent", "deactivate"), ("work", "set", "--mode", "deploy"), ("work", "stop")]
)
def test_nobody_takes_another_conversations_role_away(open_window, words):
    """By its id's beginning either, from one that is not bound."""
    open_window("*agent dev", session="other-1", pid=os.getppid())
    window = open_window()
    for name in ("other-1", "other-"):
        assert PERSON in window.run(*words, "--session", name).stderr
    assert read_state(window.workspace, "other-1")["active_agent"] == "dev"


# What was set in a window -> what asks or denies because of it.
SET = {"*mode explore": ("npm install left-pad", "ask"), "*agent dev": ("git push origin main", "deny")}


@pytest.mark.parametrize("typed", SET)
@pytest.mark.parametrize("client", ["claude-code", "gemini-cli", "codex-cli"])
def test_what_was_set_goes_on_after_a_clear(open_window, typed, client):
    """In that window, and in no other."""
    command, answer = SET[typed]
    window = open_window(typed, client=client)
    if client != "codex-cli":  # which tells of no end
        window.end()
    window.start("second", "clear")
    window.prompt("go on", "second")
    tool = "run_shell_command" if client == "gemini-cli" else "Bash"
    decision = window.call(command, "second", tool)[0]
    assert decision in (answer, "deny")


def test_private_goes_on_after_a_clear_and_is_said(open_window):
    window = open_window("*private")
    window.end()
    window.start("second", "clear")
    assert "Limpet is paused" in message(window.prompt(f"The {WORD} branch", "second"))
    assert read_private("second").paused and kept(window.workspace) == []


def test_what_binds_goes_on_into_a_private_conversation(open_window):
    """Of which nothing else is kept."""
    window = open_window("*agent dev", "*private")
    window.end()
    window.start("second", "clear")
    assert window.call("git push origin main", "second")[0] == "deny"


def test_what_was_set_ends_with_another_conversation_and_is_said(open_window):
    """One that is resumed in the window has what was set in it."""
    window = open_window()
    window.end()
    window.start("second", "clear")
    window.prompt("*mode explore", "second")
    window.end("second", "resume")
    told = message(window.start("s", "resume")) + message(window.prompt("go on"))
    assert "explore" in told
    assert window.call("npm install left-pad")[0] == ""


def test_a_fork_in_the_window_keeps_what_was_set(open_window):
    window = open_window("*mode explore")
    window.start("second", "fork")
    assert window.call("npm install left-pad", "second")[0] == "ask"


def test_a_new_window_has_nothing_of_the_old_one(open_window):
    """Only the same process goes on."""
    window = open_window("*mode explore")
    window.end()
    window = open_window(session="second", pid=os.getppid())
    assert window.call("npm install left-pad", "second")[0] == ""


ACT = ("config", "set", "guard.rules.authority", "false")


def ask(window):
    """The client asks the person about the act; it began to ask just now."""
    assert PERSON in window.run(*ACT).stderr
    line = "limpet " + " ".join(ACT)
    assert window.call(line, tool_use_id="t1")[0] == "ask"


def started(window, offset):
    return window.process.started + offset


BETWEEN = {
    "a link with the client's name": lambda old, new: (new("bash"), Process(900004, 900005, ("./claude",), 0.0), old),
    "the same in the place of its shell": lambda old, new: (new("bash"), old.replace(words=("./claude",))),
    "another client's name": lambda old, new: (new("bash"), Process(900004, 900005, ("codex",), 0.0), old),
    "a shell that ran before": lambda old, new: (new("bash"), old),
}


@pytest.mark.parametrize("name", BETWEEN)
def test_an_answer_is_for_no_process_that_began_before_the_question(open_window, name):
    """Whatever stands between it and the client that asked."""
    window = open_window()
    ask(window)
    old = Process(900005, window.process.pid, ("bash", "loop.sh"), started(window, -1))
    above = BETWEEN[name](old, lambda word: Process(900006, 900004, (word,), 9e9))
    done = window.run(*ACT, above=(*above, window.process))
    assert PERSON in done.stderr


def test_an_answer_is_for_the_shell_that_the_asking_client_starts_then(open_window):
    window = open_window()
    ask(window)
    shell = Process(900006, window.process.pid, ("bash",), 9e9)
    assert window.run(*ACT, above=(shell, window.process)).returncode == 0


def test_a_trial_of_the_doctors_takes_no_conversations_place(open_window):
    """An agent may have it made."""
    window = open_window("*private")
    window.start(f"{TRIAL}1")
    assert PRIVATE in window.run("memory", "add", f"The {WORD} branch", **NONE).stderr


def test_a_conversation_that_an_agent_makes_up_has_what_binds_its_own(open_window):
    """By running the hook: it is private, and bound."""
    window = open_window("*agent dev", "*private")
    window.start("made-up")
    done = window.run("memory", "add", f"The {WORD} branch", CLAUDE_CODE_SESSION_ID="made-up")
    assert PRIVATE in done.stderr and kept(window.workspace) == []
    assert window.run("work", "agent", "activate", "devops", CLAUDE_CODE_SESSION_ID="made-up").returncode == 1


def git(root, *words, check=True, **variables):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CLAUDE", "GIT_"))}
    return subprocess.run(
        ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words),
        cwd=root,
        check=check,
        capture_output=True,
        text=True,
        env={**clean, **variables},
    )


@pytest.mark.parametrize("name", [OTHER, NONE, {"CLAUDE_CODE_SESSION_ID": "nobody"}])
def test_no_name_leads_a_push_past_the_guard(open_window, name, monkeypatch):
    """Git's own hook finds the conversation by the client above it."""
    from limpet.hosts import git_hook

    from ..playing import play

    open_window(session="other", pid=os.getppid())
    window = open_window("*agent dev")
    git(window.workspace.root, "init", "-q", "-b", "main")
    window.run("status")  # what is above from now on is a shell of the client's
    env = {**window._around(window.of_commands, "s"), **{key: value or "" for key, value in name.items()}}
    codes = []
    play(lambda: codes.append(git_hook.main()), window.workspace.root, env)
    assert codes == [git_hook.REFUSED]


def test_an_observation_of_a_sub_agent_is_its_clients_conversation(open_window):
    """Nothing is kept under an id that nobody begun."""
    window = open_window(client="codex-cli")
    done = window.run("learn", "observe", "discovery", "The branch was seen", CODEX_THREAD_ID="child")
    assert done.returncode == 0, done.stderr
    found = [name for _, _, names in os.walk(window.workspace.home) for name in names]
    assert not any("child" in name for name in found)


def test_what_an_agent_does_is_logged_for_its_conversation(open_window):
    """By whatever name it calls itself."""
    window = open_window()
    assert window.run("work", "set", "--task", "Merge", **OTHER).returncode == 0
    sessions = {event["session"] for event in logged(window.workspace.shared) if event["kind"] == "work.task"}
    assert sessions == {"s"}


def test_no_agent_goes_on_in_a_conversation_that_its_role_does_not_bind(open_window):
    """One that is spawned has the project's agent."""
    assert PERSON in open_window("*agent dev").run("resume", "--spawn").stderr
