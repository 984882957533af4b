"""What was set in a window of the real Claude Code, and what stands between it and a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from .claude_code import ClaudeCode
from .test_approval import ACT, PROCEED, REFUSED, at_terminal, ended_by, is_set, runs, with_command

pytestmark = pytest.mark.client


@pytest.fixture
def project(project: Path) -> Path:
    """A project with Limpet whose command is on PATH."""
    return with_command(project)


def test_what_was_set_goes_on_after_a_clear(claude: ClaudeCode, project: Path) -> None:
    """The new conversation is told to have it, and asks."""
    with at_terminal(claude, project) as terminal:
        terminal.type("*mode explore")
        terminal.wait_for("FAKE-ANSWER 1")
        terminal.type("/clear")
        terminal.wait_for("still in force: permission explore")
        terminal.type(f"go {runs('touch two.txt')}")
        terminal.wait_for(PROCEED)
        assert not (project / "two.txt").exists()


def test_a_link_with_the_clients_name_makes_no_answer(claude: ClaudeCode, project: Path) -> None:
    """The command's loop began before the question: its shell is not one that the client starts then."""
    tries = project / "tries"
    (project / "loop.sh").write_text(f"while [ ! -e enough ] && ! {ACT} 2>> tries; do sleep 0.1; done\n")
    waiting = "ln -s $(command -v bash) claude; ./claude loop.sh"
    with at_terminal(claude, project) as terminal, ended_by(project / "enough"):
        terminal.type(f"first {runs(waiting, run_in_background=True)}")
        terminal.wait_for("FAKE-ANSWER 2")
        terminal.wait(lambda: tries.exists() and REFUSED in tries.read_text())
        terminal.type(f"again {runs(ACT)}")
        terminal.wait_for(PROCEED)
        before = tries.read_text().count(REFUSED)
        terminal.wait(lambda: tries.read_text().count(REFUSED) > before + 2)
        assert not is_set(project)
