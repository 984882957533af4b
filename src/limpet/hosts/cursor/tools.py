"""Reads Cursor's tools as calls that the guard judges (documented 2026-09; arguments as public hooks read them)."""

from __future__ import annotations

from limpet.guard.call import ToolCall
from limpet.hosts.named_calls import CallNames, read_named_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Event

# What is added beside a verdict reaches nobody.
HEARS = False
NAMES = CallNames(
    kinds={
        **{"Shell": "shell", "Write": "write", "StrReplace": "write", "Edit": "write", "MultiEdit": "write"},
        **{"Delete": "write", "Read": "read", "Grep": "search", "Glob": "search", "LS": "search", "Task": "agent"},
    },
    command=("command",),
    folder=("working_directory", "cwd"),
    files=("file_path", "path", "target_file"),
    searched=("path", "target_directory"),
    inside=("glob", "glob_pattern", "include_pattern"),
    whole=("content", "contents"),
    old=("old_string",),
    new=("new_string",),
    parts=("edits",),
    sending=("Task",),
)
_OWN = "|".join(tool for tool in NAMES.kinds)
# Event -> the tools that its hook is registered for.
MATCHERS = {"preToolUse": f"{_OWN}|MCP:.*"}


def read_call(event: Event) -> ToolCall | None:
    return read_named_call(event, NAMES)


def can_ask(event: Event, environment: Mapping[str, str]) -> bool:
    """The client takes ``ask`` and does not put the question."""
    return False


asks_person = can_ask
