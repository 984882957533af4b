"""Reads Gemini CLI's tools as calls that the guard judges (observed on 0.61.0)."""

from __future__ import annotations

from limpet.guard.call import ToolCall
from limpet.hosts.gemini.events import is_headless
from limpet.hosts.named_calls import CallNames, read_named_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Event

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
NAMES = CallNames(
    kinds=KINDS,
    command=("command",),
    folder=("dir_path",),
    files=("file_path", "path"),
    searched=("dir_path",),
    patterns={"glob": "pattern", "grep_search": "include_pattern", "search_file_content": "include_pattern"},
    whole=("content",),
    old=("old_string",),
    new=("new_string",),
    everywhere="allow_multiple",
    writing=("write_file",),
)


def read_call(event: Event) -> ToolCall | None:
    return read_named_call(event, NAMES)


def asks_person(event: Event, environment: Mapping[str, str]) -> bool:
    """Without a terminal the call is not run, and the turn ends without a word."""
    return not is_headless()


can_ask = asks_person
