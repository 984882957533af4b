"""Gemini CLI's tools as calls that the guard judges (recorded from 0.61.0)."""

import json
import os
import re
from pathlib import Path

import pytest

from limpet.ground import processes
from limpet.ground.event import Event
from limpet.hosts.gemini.events import TIMEOUTS, read_event
from limpet.hosts.gemini.tools import JUDGED, KINDS, MATCHERS, asks_person, read_call

FIXTURES = Path(__file__).parents[2] / "fixtures" / "gemini-cli"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the paths are POSIX's")


def call(tool, **given):
    """The call of a tool in the folder /p."""
    return read_call(Event("tool_before", "gemini-cli", cwd="/p", tool=tool, tool_input=given))


def recorded(tool):
    payload = json.loads((FIXTURES / f"BeforeTool-{tool}.json").read_text(encoding="utf-8"))
    return read_call(read_event("BeforeTool", payload, {}))


def test_recorded_calls_are_read():
    """A command runs in the folder that it names."""
    found = recorded("run_shell_command")
    assert (found.kind, found.command, found.shell, found.folder) == ("shell", "ls", "posix", "/home/dev/project")
    found = recorded("replace")
    assert (found.kind, found.paths, found.whole) == ("write", ("/home/dev/project/parser.py",), False)
    assert found.edits == (("old", "new", False),)
    assert (recorded("read_file").kind, recorded("read_file").paths) == ("read", ("/home/dev/project/absent.py",))
    assert call("run_shell_command", command="ls", dir_path="src/../lib").folder == "/p/lib"
    assert call("run_shell_command", command="ls").folder == "/p"


def test_a_write_names_its_file_and_its_texts():
    found = call("write_file", file_path="src/../a.txt", content="x\n")
    assert (found.paths, found.edits, found.whole) == (("/p/a.txt",), (("", "x\n", False),), True)
    everywhere = call("replace", file_path="/p/a.txt", old_string="a", new_string="", allow_multiple=True)
    assert (everywhere.paths, everywhere.edits) == (("/p/a.txt",), (("a", "", True),))


@pytest.mark.parametrize(
    ("tool", "given", "paths"),
    [
        ("list_directory", {"dir_path": "src"}, ("/p/src",)),
        ("grep_search", {"pattern": "x"}, ("/p",)),
        ("grep_search", {"pattern": "x", "dir_path": "src", "include_pattern": "a/b/*.py"}, ("/p/src", "/p/src/a/b")),
        ("search_file_content", {"pattern": "x", "include_pattern": ".limpet/memory/x.md"}, None),
        ("glob", {"pattern": "/etc/*"}, ("/p", "/etc")),
        ("glob", {"pattern": "**/*.py", "dir_path": "../q"}, ("/q",)),
        ("mcp_files_read", {"path": "/etc/passwd"}, ("/etc/passwd",)),
        ("mcp_files_read", {"path": "passwd"}, ()),
        ("web_fetch", {"prompt": "read https://example.org"}, ()),
        ("invoke_agent", {"agent_name": "x", "prompt": "look", "file_path": "/p/x"}, ()),
    ],
)
def test_what_reads_names_its_files_and_folders(tool, given, paths):
    """Of a pattern the part before its first wildcard."""
    wanted = ("/p", "/p/.limpet/memory/x.md") if paths is None else paths
    assert call(tool, **given).paths == wanted


def test_the_kind_of_a_tool_decides_what_is_judged():
    assert {call(tool).kind for tool in KINDS} == {*KINDS.values()}
    assert call("mcp_github_push").kind == call("discovered_tool_x").kind == "tool"
    assert call("") is None


def test_the_hook_is_registered_for_what_is_judged():
    """As the client reads a matcher: anywhere in the name."""
    (matcher,) = MATCHERS.values()
    assert set(MATCHERS) <= set(TIMEOUTS)
    for tool, kind in KINDS.items():
        assert bool(re.search(matcher, tool)) == (kind in JUDGED)
    assert re.search(matcher, "mcp_github_push") and re.search(matcher, "discovered_tool_x")
    assert not re.search(matcher, "write_todos") and not re.search(matcher, "x_glob")


def test_a_question_reaches_nobody_without_a_terminal(monkeypatch):
    monkeypatch.setattr(processes, "read_ancestors", lambda: ())
    assert not asks_person(Event("tool_before", "gemini-cli"), {})
