"""Reads Claude Code's tools as calls that the guard judges (observed on 2.1.329), also with the names that Copilot CLI
gives to their arguments (1.0.102)."""

from __future__ import annotations

import os

from holdfast.guard.call import ToolCall
from holdfast.hosts.claude_code.events import PROJECT
from holdfast.hosts.payload import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.ground.event import Event

    Given = Mapping[str, object]
    Edit = tuple[str, str, bool]

# Tool -> kind of the call. What writes nothing, runs nothing and reads no file is not judged, and not registered.
KINDS = {
    "Bash": "shell",
    "PowerShell": "shell",
    "Write": "write",
    "Edit": "write",
    "MultiEdit": "write",
    "NotebookEdit": "write",
    "Read": "read",
    "Grep": "search",
    "Glob": "search",
    "LS": "search",
    "WebFetch": "web",
    "WebSearch": "web",
    "Task": "agent",
    "Agent": "agent",
    "AskUserQuestion": "question",
}
JUDGED = ("shell", "write", "read", "search")
SERVERS = "mcp__"
MATCHER = "|".join((*(tool for tool, kind in KINDS.items() if kind in JUDGED), f"{SERVERS}.*"))
# Event -> the tools that its hook is registered for.
MATCHERS = {"PreToolUse": MATCHER}
# Those that look at what runs already, or end it.
OF_SHELLS = ("BashOutput", "TaskOutput", "KillShell", "TaskStop")
PATHS = ("file_path", "notebook_path", "path")
# Where a tool's arguments say which files in the folder are meant.
PATTERNS = {"Glob": "pattern", "Grep": "glob"}
WILD = "*?[{"
PATCHED = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


def read_call(event: Event) -> ToolCall | None:
    """Return the tool call of an event, None where nothing is to be judged."""
    tool, given = event.tool, event.tool_input or {}
    if not tool or tool in OF_SHELLS:
        return None
    kind = KINDS.get(tool, "tool")
    edits = _edits(tool, given) if kind == "write" else ()
    return ToolCall(
        kind=kind,
        tool=tool,
        command=text_of(given, "command") if kind == "shell" else "",
        shell="powershell" if tool == "PowerShell" else "posix",
        paths=_paths(tool, kind, given, event.cwd),
        edits=edits,
        whole=tool == "Write",
        folder=event.cwd,
    )


def asks_person(event: Event, environment: Mapping[str, str]) -> bool:
    """Return whether a question about this call reaches the person, and nobody else can answer it."""
    from holdfast.hosts.claude_code import question

    return question.asks_person(event, environment, environment.get(PROJECT) or event.cwd)


def _paths(tool: str, kind: str, given: Given, folder: str) -> tuple[str, ...]:
    """Return the absolute paths that the call reads, searches or writes."""
    if kind not in ("read", "write", "search", "tool"):
        return ()
    named = [value for name in PATHS if (value := text_of(given, name))][:1]
    if kind == "tool":
        named = [value for value in named if os.path.isabs(value)]
    found = [*named, *_patched(text_of(given, "input"))] if kind == "write" else named
    if kind == "search" and not named and folder:
        found = [folder]
    wanted = text_of(given, PATTERNS.get(tool, ""))
    if wanted:
        found.append(os.path.join(found[0] if found else folder, _plain_part(wanted)))
    return tuple(dict.fromkeys(os.path.normpath(os.path.join(folder, os.path.expanduser(each))) for each in found))


def _plain_part(pattern: str) -> str:
    """Return the folders that a pattern names before its first wildcard."""
    plain = pattern[: next((place for place, letter in enumerate(pattern) if letter in WILD), len(pattern))]
    return plain if plain == pattern else plain.rpartition("/")[0] or ("/" if plain.startswith("/") else "")


def _edits(tool: str, given: Given) -> tuple[Edit, ...]:
    """Return (old text, new text, everywhere) of each edit; of a whole file and of what is only added the old text is
    empty."""
    if tool in ("Write", "NotebookEdit"):
        texts = (text_of(given, name) for name in ("content", "file_text", "new_source"))
        return (("", next(filter(None, texts), ""), False),)
    several = given.get("edits")
    edits = [each for each in several if isinstance(each, dict)] if isinstance(several, list) else [given]
    if patch := text_of(given, "input"):
        return (("", "".join(line[1:] for line in patch.splitlines(keepends=True) if line[:1] == "+"), False),)
    return tuple(
        (
            text_of(each, "old_string") or text_of(each, "old_str"),
            text_of(each, "new_string") or text_of(each, "new_str"),
            each.get("replace_all") is True,
        )
        for each in edits
    )


def _patched(patch: str) -> list[str]:
    """Return the files that a patch in Copilot's form names."""
    return [line[len(mark) :].strip() for line in patch.splitlines() for mark in PATCHED if line.startswith(mark)]


if TYPE_CHECKING:
    from holdfast.hosts import base
    from holdfast.hosts.claude_code import tools

    judged: base.Tools = tools
