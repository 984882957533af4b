"""Reads Copilot CLI's tools as calls that the guard judges (observed on 1.0.102). To hooks with Claude Code's names of
events it gives Claude Code's names of tools, with arguments of its own."""

from __future__ import annotations

import os

from limpet.guard.call import ToolCall
from limpet.hosts.copilot.events import is_headless
from limpet.hosts.payload import edits_in, files_in, folder_of_pattern, is_one_new_file, payload_text_of, texts_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Event

    Given = Mapping[str, object]

# What is added beside a verdict reaches the agent.
HEARS = True
# Tool -> kind of the call. What writes nothing, runs nothing, reads no file and sends nothing is not registered.
KINDS = {
    "Bash": "shell",
    "PowerShell": "shell",
    "Write": "write",
    "Edit": "write",  # also what applies a patch, whose text is all that is given
    "Read": "read",
    "Grep": "search",
    "Glob": "search",
    "WebFetch": "web",
    "WebSearch": "web",
    "Agent": "agent",
    "AskUserQuestion": "question",
}
JUDGED = ("shell", "write", "read", "search")
# What hands a text on that comes back as a prompt, at a time or from another agent.
SENDING = ("Agent", "write_agent", "manage_schedule")
# Event -> the tools that its hook is registered for; only a server's tools have a hyphen, behind the server's name.
MATCHERS = {"PreToolUse": "|".join((*(tool for tool, kind in KINDS.items() if kind in JUDGED), *SENDING, ".+-.+"))}
# Where a tool's arguments say which files in the folders are meant.
PATTERNS = {"Glob": "pattern", "Grep": "glob"}


def read_call(event: Event) -> ToolCall | None:
    tool, given = event.tool, event.tool_input or {}
    if not tool:
        return None
    kind, patch = KINDS.get(tool, "tool"), payload_text_of(given, "input") if tool == "Edit" else ""
    paths = (os.path.normpath(os.path.join(event.cwd, path)) for path in _paths(tool, kind, given, event.cwd, patch))
    return ToolCall(
        kind=kind,
        tool=tool,
        command=payload_text_of(given, "command") if kind == "shell" else "",
        shell="powershell" if tool == "PowerShell" else "posix",
        paths=tuple(dict.fromkeys(paths)),
        edits=_edits(tool, given, patch) if kind == "write" else (),
        whole=is_one_new_file(patch) if patch else tool == "Write",
        folder=event.cwd,
        sent=texts_in(given) if tool in SENDING else (),
    )


def can_ask(event: Event, environment: Mapping[str, str]) -> bool:
    """It puts a question to the person in every mode, and refuses the call where there is none."""
    return True


def asks_person(event: Event, environment: Mapping[str, str]) -> bool:
    """No permission, mode or hook answers it for them."""
    return not is_headless()


def _paths(tool: str, kind: str, given: Given, folder: str, patch: str) -> list[str]:
    named = payload_text_of(given, "path")
    if kind == "search":
        several = given.get("paths")
        searched = [each for each in several if isinstance(each, str)] if isinstance(several, list) else []
        searched = searched or [payload_text_of(given, "paths") or named or folder]
        inside = folder_of_pattern(payload_text_of(given, PATTERNS.get(tool, "")))
        return [*filter(None, searched), *(os.path.join(each, inside) for each in searched if inside)]
    if kind == "tool":
        named = next((path for path in (named, payload_text_of(given, "file_path")) if os.path.isabs(path)), "")
    is_meant = named and kind in ("read", "write", "tool")
    return [*([os.path.expanduser(named)] if is_meant else []), *files_in(patch)]


def _edits(tool: str, given: Given, patch: str) -> tuple[tuple[str, str, bool], ...]:
    if patch:
        return edits_in(patch)
    if tool == "Write":
        return (("", payload_text_of(given, "file_text"), False),)
    return ((payload_text_of(given, "old_str"), payload_text_of(given, "new_str"), False),)
