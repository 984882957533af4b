"""Codex CLI's tools as calls that the guard judges; calls as its 0.169.0 told of them."""

import json
import re
from pathlib import Path

import pytest

from limpet.ground.event import Event
from limpet.hosts.codex.events import TIMEOUTS, read_event
from limpet.hosts.codex.tools import MATCHERS, asks_person, can_ask, read_call

RECORDED = Path(__file__).parents[2] / "fixtures" / "codex-cli"
PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@ def a\n x\n-old\n+new\n*** End Patch"


def call(tool, **given):
    """The call of a tool in the folder /p."""
    return read_call(Event("tool_before", "codex-cli", cwd="/p", tool=tool, tool_input=given))


def recorded(name):
    """A recorded call."""
    return read_call(read_event("PreToolUse", json.loads((RECORDED / f"PreToolUse-{name}.json").read_text()), {}))


@pytest.mark.parametrize("name", ["Bash", "script"])
def test_a_command_runs_in_the_folder_that_its_call_names(name):
    """Also one that a script of the model's calls."""
    found = recorded(name)
    told = ("shell", "ls -a", "posix", "/home/dev/project/docs")
    assert (found.kind, found.command, found.shell, found.folder) == told


def test_a_recorded_patch_names_its_file_and_its_text():
    """An edit has the lines around it; an image is read."""
    found = recorded("apply_patch")
    assert (found.kind, found.paths, found.whole) == ("write", ("/home/dev/project/notes.md",), True)
    assert found.edits == (("", "one\n", False),)
    assert (recorded("view_image").kind, recorded("view_image").paths) == ("read", ("/home/dev/project/none.png",))
    found = call("apply_patch", command=PATCH)
    assert (found.paths, found.edits, found.whole) == (("/p/src/a.py",), (("x\nold\n", "x\nnew\n", False),), False)


def test_a_servers_tool_is_known_by_its_name_and_an_absolute_path():
    assert (recorded("mcp__notes__recall").kind, recorded("mcp__notes__recall").tool) == ("tool", "mcp__notes__recall")
    assert call("mcp__fs__read", path="/etc/passwd").paths == ("/etc/passwd",)
    assert call("mcp__fs__read", path="a.txt").paths == ()


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("spawn_agent", "agent"),
        ("collaborationspawn_agent", "agent"),
        ("request_user_input", "question"),
        ("request_user_input_async", "question"),
        ("web_search", "web"),
        ("clocksleep", "tool"),
        ("get_goal", "tool"),
    ],
)
def test_other_tools_are_told_apart(tool, kind):
    """One in a group bears the group's name before its own."""
    assert (call(tool).kind, call(tool).paths) == (kind, ())


@pytest.mark.parametrize(
    "command",
    [
        f"apply_patch <<'EOF'\n{PATCH}\nEOF",
        f"  apply_patch <<EOF\n{PATCH}\nEOF\n",
        f'apply_patch << "PATCH"\n{PATCH}\nPATCH',
    ],
)
def test_a_patch_that_a_command_gives_is_a_write(command):
    """The client applies it itself, and starts no shell."""
    found = call("Bash", command=command)
    assert (found.kind, found.tool, found.paths) == ("write", "Bash", ("/p/src/a.py",))


@pytest.mark.parametrize(
    "command",
    [
        f"apply_patch <<'EOF'\n{PATCH}\nEOF\ngit push",
        f"git push; apply_patch <<'EOF'\n{PATCH}\nEOF",
        f"apply_patch -h; git push <<'EOF'\n{PATCH}\nEOF",
        f"apply_patch <<'EOF'; git push\n{PATCH}\nEOF",
        "apply_patch <<'EOF'\n*** Begin Patch\nEOF\ngit push\n*** End Patch\nEOF",
        "apply_patch <<EOF\n*** Begin Patch\n*** Add File: a\n+$(git push)\n*** End Patch\nEOF",
        "apply_patch <<EOF\n*** Begin Patch\n*** Add File: a\n+`git push`\n*** End Patch\nEOF",
        f"apply_patch '{PATCH}'",
        "apply_patch",
    ],
)
def test_a_command_that_may_do_more_stays_a_command(command):
    assert (call("Bash", command=command).kind, call("Bash", command=command).command) == ("shell", command)


@pytest.mark.parametrize("given", [{}, {"command": 7}, {"command": ["bash", "-lc", "ls"]}, {"path": {}}])
@pytest.mark.parametrize("tool", ["Bash", "apply_patch", "view_image", "mcp__a__b"])
def test_arguments_of_another_type_count_as_absent(tool, given):
    assert call(tool, **given).paths == ()


def test_what_is_no_tool_is_no_call_and_no_question_reaches_a_person():
    assert read_call(Event("tool_before", "codex-cli")) is None
    event = Event("tool_before", "codex-cli", host_mode="default")
    assert (can_ask(event, {}), asks_person(event, {})) == (False, False)


def test_hooks_are_registered_for_what_is_judged():
    assert set(MATCHERS) == {"PreToolUse"} <= set(TIMEOUTS)
    judged = re.compile(MATCHERS["PreToolUse"])
    assert [bool(judged.fullmatch(name)) for name in ("Bash", "apply_patch", "view_image", "mcp__a__b")] == [True] * 4
    assert judged.fullmatch("collabspawn_agent")  # whose task is told to the agent that it starts
    assert [bool(judged.search(name)) for name in ("get_goal", "clocksleep", "wait_agent")] == [False] * 3
