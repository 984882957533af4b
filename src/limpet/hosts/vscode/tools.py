"""Reads the tools of VS Code's chat as calls that the guard judges (the page names none but ``editFiles``; names and
arguments as its source and public hooks have them, 2026-09)."""

from __future__ import annotations

from limpet.guard.call import ToolCall
from limpet.hosts.named_calls import CallNames, read_named_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Event

# What is added beside a verdict reaches the agent.
HEARS = True
NAMES = CallNames(
    kinds={
        **{"run_in_terminal": "shell", "runInTerminal": "shell", "runTerminalCommand": "shell"},
        **{"create_file": "write", "replace_string_in_file": "write", "multi_replace_string_in_file": "write"},
        **{"insert_edit_into_file": "write", "apply_patch": "write", "create_directory": "write", "editFiles": "write"},
        **{"edit_notebook_file": "write", "read_file": "read", "view_image": "read"},
        **{"list_dir": "search", "file_search": "search", "grep_search": "search"},
        **{"fetch_webpage": "web", "runSubagent": "agent"},
    },
    command=("command",),
    folder=("cwd",),
    files=("filePath", "dirPath", "path", "files"),
    searched=("path",),
    inside=("includePattern",),
    whole=("content",),
    old=("oldString",),
    new=("newString", "code", "newCode"),
    parts=("replacements",),
    patch="input",
    sending=("runSubagent",),
)
MATCHERS: dict[str, str] = {}


def read_call(event: Event) -> ToolCall | None:
    return read_named_call(event, NAMES)


def can_ask(event: Event, environment: Mapping[str, str]) -> bool:
    """``ask`` has the person confirm the call, also where it would be approved by itself."""
    return True


def asks_person(event: Event, environment: Mapping[str, str]) -> bool:
    """Whether a mode of the client's answers in their place is not documented."""
    return False
