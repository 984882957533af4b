"""The loop closed in the real Claude Code: what a person said in five conversations is offered as a rule, becomes one
by their word, comes with the next block that it belongs to, and is told and recorded when it is broken.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .clients import Claude, Client
from .conversation import texts
from .test_every_client import installed, limpet, project, set_up
from .test_memory import finish

pytestmark = pytest.mark.client

__all__ = ["project"]  # a fixture

SAID = "Never mock the database in tests"
WORD = r"makeitaruleof\w+(?:,\w+)?\?.*?" + re.escape(SAID.replace(" ", "")) + r".*?type\*yes(\w{5});"
CHECK = "{}_CHECK_{}=absent: mock_database in *.py"


@pytest.fixture
def claude(tmp_path: Path) -> Client:
    """The client, with a user of its own."""
    return installed(Claude.host, tmp_path)


def test_what_was_said_in_five_conversations_becomes_a_rule_by_a_word(claude: Client, project: Path) -> None:
    """The sentence is shown with the word; nothing becomes a rule before."""
    set_up(project, claude)
    for _ in range(4):
        claude.ask(project, SAID)  # the same words again bear out what was kept
        finish(project)
    assert json.loads(limpet(claude, project, "learn", "proposals", "--json"))["proposals"] == []
    begun = claude.ask(project, "hello").conversation
    with claude.terminal(project, begun) as terminal:
        terminal.type(SAID)
        terminal.wait_for("· done")  # the Stop hook is through, so what it began is there to be waited for
        finish(project)
        terminal.type("go on")
        word = terminal.find(WORD)
        terminal.type(f"*yes {word}")
        domain = terminal.find(r"Madearuleof(\w+):")
    shown = json.loads(limpet(claude, project, "rules", "show", domain.lower(), "--json"))
    (rule,) = (line["key"] for line in shown["lines"] if line["rule"] == SAID)
    number = rule.rpartition("_")[2]
    told = claude.ask(project, "tests of the database")
    assert SAID in texts(told.requests[-1])
    for line in (CHECK.format(domain, number), f"{domain}_CHECK_TELL=yes"):
        limpet(claude, project, "rules", "edit", domain.lower(), "--add-rule", line)
    (project / "test_shop.py").write_text("import shop\n", encoding="utf-8")
    broken = claude.ask(project, f"go {claude.edit(project / 'test_shop.py', 'import shop', 'mock_database()')}")
    assert "Limpet checked this project's rules" in texts(broken.requests[-1])
    finish(project)
    record = json.loads(limpet(claude, project, "rules", "list", "--record", "--json"))
    assert [one["broken"] for one in record if one["rule"] == rule] == [1]
