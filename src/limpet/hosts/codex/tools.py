"""Reads Codex CLI's tools as calls that the guard judges (observed on 0.169.0).

The newer models write scripts that call them: hooks are told of each call in one, not of the script. They are not told
of what is typed into a program that runs already. A call's folder is that in which it runs.
"""

from __future__ import annotations

import os

from limpet.guard.call import ToolCall
from limpet.hosts.payload import edits_in, files_in, is_one_new_file, payload_text_of, texts_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Event

HEARS = True
# Tool -> kind of the call. One in a group has the group's name before its own, with nothing between.
KINDS = {"Bash": "shell", "apply_patch": "write", "view_image": "read", "web_search": "web"}
ENDINGS = {"spawn_agent": "agent", "request_user_input": "question", "request_user_input_async": "question"}
# What hands a text on to an agent that works already, or that comes back as a prompt; ``codex queue`` is a command.
SENDING = ("send_message", "send_input", "followup_task", "create_goal")
# Event -> the tools that its hook is registered for: those that are judged, and those that send or start an agent, in
# whatever group.
MATCHERS = {"PreToolUse": f"Bash|apply_patch|view_image|mcp__.*|.*({'|'.join((*SENDING, 'spawn_agent'))})"}
PROGRAM = "codex"
PATCH, BEGIN, END = "apply_patch", "*** Begin Patch", "*** End Patch"


def read_call(event: Event) -> ToolCall | None:
    tool, given = event.tool, event.tool_input or {}
    if not tool:
        return None
    kind = KINDS.get(tool) or next((ENDINGS[end] for end in ENDINGS if tool.endswith(end)), "tool")
    command = payload_text_of(given, "command")
    if kind == "write":
        return _patch(tool, command, event.cwd)
    if kind != "shell":
        named = payload_text_of(given, "path", "file_path")
        is_path = named and (kind == "read" or os.path.isabs(named))
        paths = (os.path.normpath(os.path.join(event.cwd, named)),) if is_path else ()
        sent = texts_in(given) if tool.endswith(SENDING) else ()
        return ToolCall(kind=kind, tool=tool, paths=paths, folder=event.cwd, sent=sent)
    shell, patch = "powershell" if os.name == "nt" else "posix", _patch_in(command)
    return _patch(tool, patch, event.cwd) if patch else _shell_call(command, shell, tool, event.cwd)


def _shell_call(command: str, shell: str, tool: str, folder: str) -> ToolCall:
    """One that puts a prompt into the queue of a conversation hands on what it says."""
    words = command.split()
    sent = (command,) if "queue" in words and any(word.endswith(PROGRAM) for word in words) else ()
    return ToolCall("shell", tool, command, shell, folder=folder, sent=sent)


def asks_person(event: Event, environment: Mapping[str, str]) -> bool:
    """A hook's question reaches nobody, and makes the host run the tool."""
    return False


can_ask = asks_person


def _patch(tool: str, patch: str, folder: str) -> ToolCall:
    paths = (os.path.normpath(os.path.join(folder, name)) for name in files_in(patch))
    found = tuple(dict.fromkeys(paths))
    return ToolCall("write", tool, paths=found, edits=edits_in(patch), whole=is_one_new_file(patch), folder=folder)


def _patch_in(command: str) -> str:
    """Return the patch of a command that does nothing but apply it, which the host does itself; "" for any other."""
    head, begin, rest = command.strip().removeprefix(PATCH).partition(BEGIN)
    body, end, last = rest.rpartition(END)
    mark = head.strip().removeprefix("<<").strip(" '\"")
    is_plain = command.lstrip().startswith(PATCH) and begin and end and mark.isalnum() and mark == last.strip()
    is_quoted = "'" in head or '"' in head or not any(sign in body for sign in "$`\\")
    return begin + body + end if is_plain and is_quoted and f"\n{mark}\n" not in body else ""
