"""A person's word in the real Claude Code, in a terminal: typed as it was shown, or by the client's own question; and
an agent that hides from whom it runs."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .claude_code import ClaudeCode, Terminal, hook_settings, texts, write_settings
from .terminal import visible
from .test_claude_code import SOURCE, init
from .test_guard import tool
from .test_memory import limpet

pytestmark = pytest.mark.client

ACT = "limpet config set guard.rules.authority false"
MARKS = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_CHILD_SESSION")
UNMARKED = f"env {' '.join(f'-u {name}' for name in MARKS)} {ACT}"
WORD = r"Setguard.rules.authoritytofalse.*?type\*yes(\w{5})\."
PROCEED = "Do you want to proceed?"
REFUSED = "Only a person can do this: Set guard.rules.authority to false"
# Answers the client's questions in the person's place.
ALLOWED = {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}}


@pytest.fixture
def project(project: Path) -> Path:
    """A project with Limpet whose command is on PATH."""
    return with_command(project)


def with_command(project: Path) -> Path:
    """Set Limpet up in the project, and make its command beside it; ``around`` has it on PATH."""
    init(project)
    command = project.parent / "bin" / "limpet"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{SOURCE}" exec "{sys.executable}" -m limpet "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return project


@contextmanager
def at_terminal(claude: ClaudeCode, project: Path) -> Iterator[Terminal]:
    """The client in a mode in which it asks."""
    arguments = ("--permission-mode", "acceptEdits", "--allowedTools", "Bash")
    with claude.terminal(project, env=around(project), arguments=arguments, timeout=120) as terminal:
        yield terminal


def around(project: Path) -> dict[str, str]:
    """An environment in which agents find the command."""
    return {"PATH": os.pathsep.join((str(project.parent / "bin"), os.environ["PATH"]))}


def is_set(project: Path) -> bool:
    """Whether the setting was changed."""
    return limpet(project, "config", "get", "guard.rules.authority").strip() == "false"


def runs(command: str, **more: object) -> str:
    """A prompt at which the agent runs the command."""
    return tool("Bash", command=command, **more)


def test_a_word_typed_as_it_was_shown_is_used_once(claude: ClaudeCode, project: Path) -> None:
    """The person reads what they agree to, with the refused call; the agent runs it again in whatever shape; their next
    message is told of it."""
    with at_terminal(claude, project) as terminal:
        terminal.type(f"first {runs(f'true && {ACT}')}")
        word = terminal.find(WORD)
        terminal.wait_for("FAKE-ANSWER 2")
        assert not is_set(project)
        terminal.type(f"*yes {word}")
        terminal.wait_for("FAKE-ANSWER 3")
        terminal.type(f"again {runs(f'true && {ACT}')}")
        terminal.wait_for("FAKE-ANSWER 5")
        assert is_set(project)
        terminal.type("what happened")
        terminal.wait_for("your word was used at")
        terminal.wait_for("typed in the conversation")
        terminal.type(f"more {runs(f'true && {ACT}')}")
        terminal.wait(lambda: re.findall(WORD, visible(terminal.screen))[-1] != word)


def test_yes_to_the_clients_question_is_a_word(claude: ClaudeCode, project: Path) -> None:
    """It says what the person agrees to; the command is then run, and told of with their next message."""
    with at_terminal(claude, project) as terminal:
        terminal.type(f"first {runs(f'true && {ACT}')}")
        terminal.wait_for("FAKE-ANSWER 2")
        terminal.type(f"again {runs(ACT)}")
        terminal.wait_for("only you may do this: Set guard.rules.authority to false")
        terminal.wait_for(PROCEED)
        terminal.type("")
        terminal.wait(lambda: is_set(project))
        terminal.type("what happened")
        terminal.wait_for("by the client's question")


@contextmanager
def ended_by(file: Path) -> Iterator[None]:
    """Whatever happens meanwhile, the file is there at the end."""
    try:
        yield
    finally:
        file.touch()


def test_no_is_none_for_a_command_that_runs_already(claude: ClaudeCode, project: Path) -> None:
    """It waits in the background for the question to be put; nor is a yes for it, which is the one command's."""
    tries = project / "tries"
    waiting = f"while [ ! -e enough ] && ! {ACT} 2>> tries; do sleep 0.1; done"
    with at_terminal(claude, project) as terminal, ended_by(project / "enough"):
        terminal.type(f"first {runs(waiting, run_in_background=True)}")
        terminal.wait_for("FAKE-ANSWER 2")
        terminal.wait(lambda: tries.exists() and REFUSED in tries.read_text())
        terminal.type(f"again {runs(ACT)}")
        terminal.wait_for(PROCEED)
        before = tries.read_text().count(REFUSED)
        terminal.wait(lambda: tries.read_text().count(REFUSED) > before + 2)
        terminal.type("2")
        before = tries.read_text().count(REFUSED)
        terminal.wait(lambda: tries.read_text().count(REFUSED) > before + 2)
        assert not is_set(project)


def test_a_hook_that_answers_for_the_person_is_not_asked(claude: ClaudeCode, project: Path) -> None:
    """Whose allowance would be their word; the word that they type stays."""
    write_settings(project, hooks=hook_settings({"PermissionRequest": f"echo '{json.dumps(ALLOWED)}'"}))
    with at_terminal(claude, project) as terminal:
        terminal.type(f"first {runs(ACT)}")
        terminal.find(WORD)
        terminal.wait_for("FAKE-ANSWER 2")
        terminal.type(f"again {runs(ACT)}")
        terminal.wait_for("FAKE-ANSWER 4")
        assert not is_set(project)
        assert PROCEED.replace(" ", "") not in visible(terminal.screen)


@pytest.mark.parametrize(
    "command", [UNMARKED, f"script -qc '{UNMARKED} --yes' /dev/null", f"setsid -w {UNMARKED} --yes"]
)
def test_an_agent_without_its_marks_is_one_by_the_process_above(
    claude: ClaudeCode, project: Path, command: str
) -> None:
    """Also at a terminal that it makes itself (G1)."""
    conversation = claude.run(project, [runs(command)], env=around(project))
    assert f"{REFUSED} in " in " ".join(texts(conversation.requests[-1]).split())
    assert not is_set(project)
