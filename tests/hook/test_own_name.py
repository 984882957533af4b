"""Each command that an agent is told runs in its shell: by its path, or by the bare name where its client's shells are
known to find this installation."""

import os
import re
import shlex
import subprocess
import sys

import pytest

from limpet.ground.own_name import command_path, note_found, path_name
from limpet.hosts.commands.shells import note_shells
from limpet.hosts.commands.upkeep import write_launcher

from ..conftest import trusted
from ..hook_host import POSIX
from ..memories import Memories, configure
from ..tool_calls import at_work
from .test_candidates import leave, some

pytestmark = POSIX
BARE = {"PATH": "/usr/bin:/bin"}
NAMED = re.compile(r"(?<![\w/])limpet [a-z]")


@pytest.fixture(params=["plain", "Application Support & <Anna's>"])
def told(request, tmp_path, monkeypatch):
    """How agents are told to call the command, which lies beside the launcher."""
    monkeypatch.setenv("LIMPET_STATE", str(tmp_path / request.param / "limpet"))
    write_launcher()
    return path_name()


def in_a_shell(line, cwd):
    """What an agent does with a line, in a shell that has nothing on PATH."""
    own = {name: os.environ[name] for name in ("XDG_DATA_HOME",) if name in os.environ}
    return subprocess.run(["/bin/sh", "-c", line], cwd=cwd, env={**BARE, **own}, capture_output=True, text=True)


def trust_in(host):
    """The state folder moved: the project is trusted there too."""
    trusted(host.workspace.root)
    return host


def test_no_block_names_a_command_that_the_shell_does_not_find(host, told):
    """At the start, with star-commands, with an ask, with titles to open."""
    configure(trust_in(host).workspace)
    Memories(host.workspace).add("The job queue is Postgres", "One service less.")
    blocks = [host.send("SessionStart", source="startup").text]
    leave(host, *some())
    blocks += [host.prompt(text).text for text in ("Fix the failing test of the job queue.", "*limpet status")]
    assert "<candidates" in blocks[1]
    assert any(told.split("'")[0] in block for block in blocks)
    assert [found for block in blocks for found in NAMED.findall(block)] == []


def test_the_ask_is_a_line_that_runs(host, told):
    """As the model reads it, with the sentence in place of the word."""
    configure(trust_in(host).workspace)
    leave(host, *some())
    asked = host.prompt().block["candidates"][0].partition("sentence of at most 20 words: ")[2]
    line = " ".join(shlex.quote(word) for word in [*shlex.split(asked)[:3], "decision: The job queue is Postgres"])
    done = in_a_shell(line, host.workspace.root)
    assert done.returncode == 0, done.stderr
    assert [each.title for each in Memories(host.workspace).entries()] == ["The job queue is Postgres"]


def test_where_the_clients_shells_find_the_name_it_is_told(host, told):
    """With this PATH of the client's; another one is another matter."""
    trust_in(host)
    note_found("claude-code", True, 0.0)
    assert 'What you found out: limpet memory write "gotcha: ..."' in host.send("SessionStart", source="startup").text
    env = {**os.environ, "PATH": "/opt/bin:/usr/bin"}
    block = host.send("SessionStart", session_id="t", source="startup", process={"env": env}).block
    assert block["record"].endswith(f'What you found out: {told} memory write "gotcha: ..."')


@pytest.fixture
def on_path(tmp_path, monkeypatch):
    """A folder on the client's PATH, which its login shells make anew without it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SHELL", "/bin/bash")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".bash_profile").write_text(f"PATH={BARE['PATH']}\n")
    (tmp_path / "found").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'found'}:{BARE['PATH']}")
    return tmp_path / "found"


def as_agent(line, host):
    """In the client's own shell."""
    env = {**os.environ, "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s"}
    done = subprocess.run(["/bin/sh", "-c", line], cwd=host.workspace.root, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def told_to_record(host, session):
    return host.send("SessionStart", source="startup", session_id=session).block["record"].partition("found out: ")[2]


def test_once_a_command_saw_the_clients_path_the_name_is_told(host, told, on_path):
    """Whatever its login shells would find: neither a name of somebody else's, nor a command that a job of ours runs,
    says so, and the daily question takes it back only once PATH has it no more."""
    trust_in(host)
    other, first = on_path / "limpet", f'{told} memory write "gotcha: ..."'
    note_shells(["claude-code"], 1.0)
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    as_agent(f"{told} work status", host)
    assert told_to_record(host, "a") == first
    other.unlink()
    other.symlink_to(command_path())
    as_agent(f"{shlex.quote(sys.executable)} -m limpet work status", host)
    assert told_to_record(host, "b") == first
    as_agent(f"{told} work status", host)
    assert told_to_record(host, "c") == 'limpet memory write "gotcha: ..."'
    note_shells(["claude-code"], 2.0)
    assert told_to_record(host, "d") == 'limpet memory write "gotcha: ..."'
    other.unlink()
    note_shells(["claude-code"], 3.0)
    assert told_to_record(host, "e") == first


def answers(host, *lines):
    """What the guard answers to each while dev is active: the verdict, and the reason as the agent reads it."""
    client = at_work(trust_in(host).workspace)
    return [client.bash(line) for line in lines]


def test_a_refusal_names_it_too(host, told):
    ((answer, reason),) = answers(host, "limpet work agent activate qa")
    assert answer == "deny" and f"End the step: {told} work finish -" in reason


@pytest.mark.parametrize(
    ("line", "answer"),
    [("work agent activate qa", "deny"), ("work agent deactivate", "deny"), ("status", ""), ("--help", "")],
)
def test_the_guard_takes_the_path_for_the_name(host, told, line, answer):
    """Alone and after another command."""
    found = answers(host, *(f"{way}{name} {line}" for way in ("", "true && ") for name in ("limpet", told)))
    assert [verdict for verdict, _ in found] == [answer] * 4


def test_an_interpreter_changes_nothing_of_that(host, told):
    (one, other) = answers(
        host, f"python3 -IS {told} work agent activate qa", "python3 -m limpet work agent activate qa"
    )
    assert (one[0], other[0]) == ("deny", "deny")


def test_a_start_has_the_clients_shells_asked_once(host, told, monkeypatch):
    """By a second process, which takes as long as their start files do."""
    begun = []
    monkeypatch.setattr(
        "limpet.engine.steps.start.start_job", lambda workspace, job, orders: begun.append((job, orders))
    )
    trust_in(host)
    for _ in range(2):
        host.send("SessionStart", source="startup")
        note_found("claude-code", False, begun[0][1]["now"])
    assert [orders["host"] for job, orders in begun if job == "shells"] == ["claude-code"]
