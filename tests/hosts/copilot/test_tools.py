"""Copilot CLI's tools as calls that the guard judges (observed on 1.0.102)."""

import json
import re
from pathlib import Path

import pytest

from limpet.ground.event import Event
from limpet.hosts.copilot import tools
from limpet.hosts.copilot.events import TIMEOUTS, read_event
from limpet.hosts.copilot.tools import KINDS, MATCHERS, asks_person, can_ask, read_call

FIXTURES = Path(__file__).parents[2] / "fixtures" / "copilot-cli"
PATCH = "*** Begin Patch\n*** Update File: a.txt\n@@\n-old\n+new\n*** Add File: src/z.py\n+x = 1\n*** End Patch"


def call(tool, given):
    """The call of a tool in the folder /p."""
    payload = {"session_id": "s", "cwd": "/p", "tool_name": tool, "tool_input": given, "timestamp": "t"}
    return read_call(read_event("PreToolUse", payload, {}))


@pytest.mark.parametrize("name", ["PreToolUse-Bash", "PreToolUse-subagent"])
def test_a_recorded_command_is_read(name):
    """Also a subagent's."""
    payload = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    found = read_call(read_event("PreToolUse", payload, {}))
    assert (found.kind, found.command, found.shell, found.folder) == ("shell", "ls", "posix", payload["cwd"])


@pytest.mark.parametrize(
    ("tool", "given", "paths", "edits", "whole"),
    [
        ("Write", {"path": "/p/a.txt", "file_text": "x\n"}, ("/p/a.txt",), (("", "x\n", False),), True),
        ("Edit", {"path": "a.txt", "old_str": "a", "new_str": "b"}, ("/p/a.txt",), (("a", "b", False),), False),
        ("Edit", PATCH, ("/p/a.txt", "/p/src/z.py"), (("old\n", "new\n", False), ("", "x = 1\n", False)), False),
        ("Edit", {"input": PATCH}, ("/p/a.txt", "/p/src/z.py"), None, False),
        ("Edit", PATCH.replace("*** Update File: a.txt\n@@\n-old\n+new\n", ""), ("/p/src/z.py",), None, True),
        ("Edit", PATCH.replace("a.txt", "/x/../y/a.txt"), ("/y/a.txt", "/p/src/z.py"), None, False),
    ],
)
def test_a_write_names_its_files_and_its_texts(tool, given, paths, edits, whole):
    """What applies a patch is called an edit too, and its text is all that is given."""
    found = call(tool, given)
    assert (found.kind, found.paths, found.whole) == ("write", paths, whole)
    assert edits in (None, found.edits)


@pytest.mark.parametrize(
    ("name", "path", "edit"),
    [("Edit", "notes.txt", ("old", "new", False)), ("patch", "more.txt", ("", "one\n", False))],
)
def test_a_recorded_edit_is_read(name, path, edit):
    payload = json.loads((FIXTURES / f"PreToolUse-{name}.json").read_text(encoding="utf-8"))
    found = read_call(read_event("PreToolUse", payload, {}))
    assert (found.kind, found.paths, found.edits) == ("write", (f"/home/dev/project/{path}",), (edit,))


@pytest.mark.parametrize(
    ("tool", "given", "paths"),
    [
        ("Read", {"path": "/x/a"}, ("/x/a",)),
        ("Read", {"path": "a"}, ("/p/a",)),
        ("Grep", {"pattern": "x"}, ("/p",)),
        ("Grep", {"pattern": "x", "paths": "src", "glob": "*.py"}, ("/p/src",)),
        ("Grep", {"pattern": "x", "paths": ["src", "/x", 7]}, ("/p/src", "/x")),
        ("Grep", {"pattern": "x", "glob": "src/api/*.py"}, ("/p", "/p/src/api")),
        ("Glob", {"pattern": "**/*.py"}, ("/p",)),
        ("Glob", {"pattern": "/x/y/*.md"}, ("/p", "/x/y")),
        ("Glob", {"pattern": "/*"}, ("/p", "/")),
        ("Glob", {"pattern": "src/a.py", "paths": ["/x"]}, ("/x", "/x/src/a.py")),
    ],
)
def test_a_search_names_the_folders_that_it_looks_into(tool, given, paths):
    """Also those that stand in its pattern."""
    assert call(tool, given).paths == paths


def test_a_servers_tool_names_an_absolute_path_only():
    """A relative one is the server's own; PowerShell is a shell of its own, and no tool is no call."""
    found = call("files-read", {"path": "/x/a"})
    assert (found.kind, found.paths) == ("tool", ("/x/a",))
    assert call("files-read", {"file_path": "/x/a"}).paths == ("/x/a",)
    assert call("files-read", {"path": "a"}).paths == ()
    assert call("PowerShell", {"command": "gci"}).shell == "powershell"
    assert read_call(Event("tool_before", "copilot-cli")) is None


@pytest.mark.parametrize("given", [{"command": 7}, {"path": ["a"]}, {"paths": 7}, {"file_text": None}, 7, None, "x"])
@pytest.mark.parametrize("tool", [*KINDS, "a-b", "Unknown"])
def test_a_field_of_an_unexpected_type_counts_as_absent(tool, given):
    assert call(tool, given).command == ""


@pytest.mark.parametrize(
    ("tool", "heard"),
    [
        *(("Bash", True), ("Edit", True), ("Read", True), ("my-srv-do_it", True), ("github-mcp-server-get", True)),
        *(("WebFetch", False), ("sql", False), ("read_bash", False), ("AskUserQuestion", False)),
    ],
)
def test_the_hook_hears_of_what_the_guard_judges(tool, heard):
    """And of nothing else: each call waits for it. The client takes a matcher for the whole name."""
    assert bool(re.fullmatch(MATCHERS["PreToolUse"], tool)) == heard
    assert set(MATCHERS) <= set(TIMEOUTS)


@pytest.mark.parametrize("headless", [False, True])
def test_a_question_reaches_the_person_where_there_is_one(headless, monkeypatch):
    """Elsewhere the client refuses the call by itself."""
    monkeypatch.setattr(tools, "is_headless", lambda: headless)
    event = Event("tool_before", "copilot-cli")
    assert (can_ask(event, {}), asks_person(event, {})) == (True, not headless)
