"""Every list of the house in a terminal: no line is longer than it is wide, and an id that a command takes stays
whole."""

import re

import pytest

from limpet.memory.model.ids import short_id

from ..conversation import RULES, write, write_rules
from ..hook_host import MANIFEST, Host
from ..memories import Memories, configure
from ..wishes import say

SESSION = "5f0c2a1b-1111-4000-8000-000000000001"
LONG = "Never write the amount of an invoice as a floating point number; the sums then differ by a cent between reports"
LISTS = [
    ["memory", "list"],
    ["memory", "search", "invoice amount"],
    ["sessions"],
    ["memory", "list", "--counts"],
    ["memory", "list", "--type", "gotcha"],
    ["sessions"],
    ["log"],
    ["log", "--session", "5f0c"],
    ["guard", "log"],
    ["guard", "explain"],
    ["constitution"],
    ["rules", "list", "--all"],
    ["rules", "list", "--record"],
    ["rules", "match", "the endpoint", "--all"],
    ["rules", "show", "--suggest", "api"],
    ["config", "get"],
    ["trust", "--list"],
    ["work", "agent", "show"],
    ["work", "story", "list"],
    ["work", "start"],
    ["work", "status"],
    ["learn", "proposals"],
    ["why"],
    ["why", "--start"],
    ["status"],
    ["registry", "list"],
    ["registry", "show", "template/task"],
    ["registry", "impact", "template/task"],
    ["decide", "I need a template for documenting API endpoints"],
    ["health"],
]
# A line that is a command is left to the terminal, so that it can be copied.
COMMAND = re.compile(r"\s*limpet ")


@pytest.fixture
def ids(workspace, call):
    """Of a project with something in each list: by the command that shows them."""
    configure(workspace)
    write_rules(workspace, MANIFEST, **RULES)
    memories = Memories(workspace)
    memory = memories.add(LONG, source="capture:abc", type="user_correction")
    gotcha = memories.add(f"Beware: {LONG}"[:118], type="gotcha", category="test", severity="critical")
    proposal = say(memories, "Use the container for all of the tests that need a database of their own")
    write(workspace.path("stories", "S-1", "story.md"), f"---\nid: S-1\ntitle: {LONG}\n---\n")
    host = Host(workspace)
    host.send("SessionStart", source="startup", session_id=SESSION)
    host.prompt("the endpoint for the amounts of an invoice", session_id=SESSION)
    call("work", "agent", "activate", "dev", "--session", SESSION)
    tool = {"tool_name": "Bash", "tool_input": {"command": "git push --force origin release/2026-11-29 --tags"}}
    host.send("PreToolUse", session_id=SESSION, tool_use_id="t1", **tool)
    call("work", "agent", "deactivate", "--session", SESSION)
    decision = call("guard", "log").stdout.splitlines()[1].split()[0]
    return {
        "memory list": short_id(memory),
        "memory list --type gotcha": short_id(gotcha),
        "learn proposals": short_id(proposal),
        "sessions": SESSION[:8],
        "log": SESSION[:8],
        "guard log": decision,
        "work story list": "S-1",
    }


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_lists_fit_the_terminal(ids, screen, columns):
    """Columns that are needed less are left out of a narrow one."""
    for words in LISTS:
        lines = screen(columns, *words)
        assert [line for line in lines if len(line) > columns and not COMMAND.match(line)] == [], words
        if wanted := ids.get(" ".join(words)):
            assert wanted in {word for line in lines for word in line.split()}, (words, lines)
