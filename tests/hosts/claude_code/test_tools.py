"""Claude Code's tools, and Copilot CLI's under the same names, as calls that the guard judges."""

import json
import re
from pathlib import Path

import pytest

from limpet.ground.event import Event
from limpet.hosts.claude_code.events import TIMEOUTS, read_event
from limpet.hosts.claude_code.tools import KINDS, MATCHER, MATCHERS, read_call

FIXTURES = Path(__file__).parents[2] / "fixtures"


def call(tool, **given):
    """The call of a tool in the folder /p."""
    return read_call(Event("tool_before", "claude-code", cwd="/p", tool=tool, tool_input=given))


def test_a_recorded_shell_command_is_read():
    """PowerShell is a shell of its own."""
    payload = json.loads((FIXTURES / "claude-code" / "PreToolUse-Bash.json").read_text(encoding="utf-8"))
    found = read_call(read_event("PreToolUse", payload, {}))
    assert (found.kind, found.command, found.shell, found.folder) == ("shell", "ls", "posix", payload["cwd"])
    assert call("PowerShell", command="gci").shell == "powershell"


@pytest.mark.parametrize(
    ("tool", "given", "edits"),
    [
        ("Write", {"file_path": "/p/a.txt", "content": "x\n"}, (("", "x\n", False),)),
        ("Edit", {"file_path": "a.txt", "old_string": "a", "new_string": "b"}, (("a", "b", False),)),
        (
            "Edit",
            {"file_path": "/p/./x/../a.txt", "old_string": "a", "new_string": "", "replace_all": True},
            (("a", "", True),),
        ),
        (
            "MultiEdit",
            {"file_path": "/p/a.txt", "edits": [{"old_string": "a", "new_string": "b"}, 7]},
            (("a", "b", False),),
        ),
        ("NotebookEdit", {"notebook_path": "/p/a.txt", "new_source": "x\n"}, (("", "x\n", False),)),
    ],
)
def test_a_write_names_its_file_and_its_texts(tool, given, edits):
    """A path is absolute."""
    found = call(tool, **given)
    assert (found.kind, found.paths, found.edits, found.whole) == ("write", ("/p/a.txt",), edits, tool == "Write")


@pytest.mark.parametrize(
    ("tool", "given", "paths"),
    [
        ("Read", {"file_path": "/x/a"}, ("/x/a",)),
        ("Read", {"path": "a"}, ("/p/a",)),
        ("Grep", {"pattern": "x"}, ("/p",)),
        ("Grep", {"pattern": "x", "path": "src", "glob": "*.py"}, ("/p/src",)),
        ("Grep", {"pattern": "x", "glob": "src/api/*.py"}, ("/p", "/p/src/api")),
        ("Glob", {"pattern": "**/*.py"}, ("/p",)),
        ("Glob", {"pattern": "/x/y/*.md"}, ("/p", "/x/y")),
        ("Glob", {"pattern": "/*"}, ("/p", "/")),
        ("Glob", {"pattern": "src/a.py", "path": "/x"}, ("/x", "/x/src/a.py")),
    ],
)
def test_a_search_names_the_folders_that_it_looks_into(tool, given, paths):
    """Also those that stand in its pattern."""
    assert call(tool, **given).paths == paths


def test_a_servers_tool_names_an_absolute_path_only():
    """A relative one is the server's own."""
    assert call("mcp__files__read", path="/x/a").paths == ("/x/a",)
    assert call("mcp__files__read", path="a").paths == ()


@pytest.mark.parametrize("event", [Event("tool_before", "x"), Event("tool_before", "x", tool="BashOutput")])
def test_what_does_nothing_is_no_call(event):
    assert read_call(event) is None


@pytest.mark.parametrize("given", [{"command": 7}, {"file_path": ["a"]}, {"edits": "x"}, {"content": None}])
@pytest.mark.parametrize("tool", [*KINDS, "mcp__a__b", "Unknown"])
def test_a_field_of_an_unexpected_type_counts_as_absent(tool, given):
    assert call(tool, **given).command == ""


@pytest.mark.parametrize(
    ("tool", "heard"),
    [("Bash", True), ("Edit", True), ("Read", True), ("mcp__a__b", True), ("WebFetch", False), ("TodoWrite", False)],
)
def test_the_hook_hears_of_what_the_guard_judges(tool, heard):
    """And of nothing else: each call waits for it."""
    assert bool(re.fullmatch(MATCHER, tool)) == heard
    assert set(MATCHERS) <= set(TIMEOUTS)
