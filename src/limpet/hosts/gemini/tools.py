"""Reads Gemini CLI's tools as calls that the guard judges (observed on 0.61.0)."""

from __future__ import annotations

import os

from limpet.guard.call import ToolCall
from limpet.hosts.gemini.events import is_headless
from limpet.hosts.payload import folder_of_pattern, payload_text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Event

    Given = Mapping[str, object]

# What is added beside a verdict reaches nobody.
HEARS = False
# Tool -> kind of the call. What writes nothing, runs nothing and reads no file is not judged, and not registered.
KINDS = {
    "run_shell_command": "shell",
    "write_file": "write",
    "replace": "write",
    "read_file": "read",
    "grep_search": "search",
    "search_file_content": "search",  # an older name, which the client still takes
    "glob": "search",
    "list_directory": "search",
    "web_fetch": "web",
    "google_web_search": "web",
    "invoke_agent": "agent",
    "ask_user": "question",
}
JUDGED = ("shell", "write", "read", "search")
# Tools of MCP servers and of the project's own discovery command begin with these.
FOREIGN = ("mcp_", "discovered_tool_")
_OWN = "|".join(tool for tool, kind in KINDS.items() if kind in JUDGED)
# Event -> the tools that its hook is registered for, as a regular expression.
MATCHERS = {"BeforeTool": f"^({_OWN})$|^({'|'.join(FOREIGN)})"}
# Where a tool's arguments say which files in the folder are meant.
PATTERNS = {"glob": "pattern", "grep_search": "include_pattern", "search_file_content": "include_pattern"}


def read_call(event: Event) -> ToolCall | None:
    tool, given = event.tool, event.tool_input or {}
    if not tool:
        return None
    kind = KINDS.get(tool, "tool")
    below = payload_text_of(given, "dir_path") if kind == "shell" else ""
    return ToolCall(
        kind=kind,
        tool=tool,
        command=payload_text_of(given, "command") if kind == "shell" else "",
        shell="powershell" if os.name == "nt" else "posix",
        paths=tuple(os.path.normpath(os.path.join(event.cwd, each)) for each in _paths(tool, kind, given, event.cwd)),
        edits=_edits(tool, given) if kind == "write" else (),
        whole=tool == "write_file",
        folder=os.path.normpath(os.path.join(event.cwd, below)) if below else event.cwd,
    )


def asks_person(event: Event, environment: Mapping[str, str]) -> bool:
    """Without a terminal the call is not run, and the turn ends without a word."""
    return not is_headless()


can_ask = asks_person


def _paths(tool: str, kind: str, given: Given, folder: str) -> list[str]:
    named = payload_text_of(given, "file_path") or (payload_text_of(given, "path") if kind == "tool" else "")
    if kind != "search":
        return [named] if named and (kind in ("read", "write") or (kind == "tool" and os.path.isabs(named))) else []
    searched = payload_text_of(given, "dir_path") or folder
    inside = folder_of_pattern(payload_text_of(given, PATTERNS.get(tool, "")))
    return [each for each in (searched, os.path.join(searched, inside) if inside else "") if each]


def _edits(tool: str, given: Given) -> tuple[tuple[str, str, bool], ...]:
    if tool == "write_file":
        return (("", payload_text_of(given, "content"), False),)
    old, new = payload_text_of(given, "old_string"), payload_text_of(given, "new_string")
    return ((old, new, given.get("allow_multiple") is True),)
