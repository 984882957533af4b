"""Reads Claude Code's tools as calls that the guard judges (observed on 2.1.329)."""

from __future__ import annotations

import os

from limpet.guard.call import ToolCall
from limpet.hosts.claude_code.events import PROJECT
from limpet.hosts.payload import folder_of_pattern, payload_text_of, texts_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Event

    Given = Mapping[str, object]
    Edit = tuple[str, str, bool]

# Tool -> kind of the call. What writes nothing, runs nothing, reads no file and sends nothing is not registered.
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
# What hands a text on that comes back as a prompt, at a time or from another agent.
SENDING = ("Task", "Agent", "SendMessage", "CronCreate", "ScheduleWakeup", "RemoteTrigger")
MATCHER = "|".join((*(tool for tool, kind in KINDS.items() if kind in JUDGED), *SENDING, "mcp__.*"))
# Those that read and no more, whose calls mostly concern nobody.
READING = ("Read", "Grep", "Glob", "LS")
# Event -> the tools that its hook is registered for.
MATCHERS = {"PreToolUse": MATCHER}
HEARS = True
# Those that look at what runs already, or end it.
OF_SHELLS = ("BashOutput", "TaskOutput", "KillShell", "TaskStop")
# Where a tool's arguments say which files in the folder are meant.
PATTERNS = {"Glob": "pattern", "Grep": "glob"}


def read_call(event: Event) -> ToolCall | None:
    tool, given = event.tool, event.tool_input or {}
    if not tool or tool in OF_SHELLS:
        return None
    kind = KINDS.get(tool, "tool")
    return ToolCall(
        kind=kind,
        tool=tool,
        command=payload_text_of(given, "command") if kind == "shell" else "",
        shell="powershell" if tool == "PowerShell" else "posix",
        paths=_paths(tool, kind, given, event.cwd),
        edits=_edits(tool, given) if kind == "write" else (),
        whole=tool == "Write",
        folder=event.cwd,
        sent=texts_in(given) if tool in SENDING else (),
    )


def can_ask(event: Event, environment: Mapping[str, str]) -> bool:
    """Without a terminal it refuses the call by itself."""
    return True


def asks_person(event: Event, environment: Mapping[str, str]) -> bool:
    from limpet.hosts.claude_code import question

    return question.asks_person(event, environment, environment.get(PROJECT) or event.cwd)


def _paths(tool: str, kind: str, given: Given, folder: str) -> tuple[str, ...]:
    if kind not in ("read", "write", "search", "tool"):
        return ()
    named = payload_text_of(given, "file_path", "notebook_path", "path")
    if kind == "tool" and not os.path.isabs(named):
        named = ""
    found = [named] if named else []
    if kind == "search" and not named and folder:
        found = [folder]
    wanted = payload_text_of(given, PATTERNS.get(tool, ""))
    if wanted:
        found.append(os.path.join(found[0] if found else folder, folder_of_pattern(wanted)))
    return tuple(dict.fromkeys(os.path.normpath(os.path.join(folder, os.path.expanduser(each))) for each in found))


def _edits(tool: str, given: Given) -> tuple[Edit, ...]:
    if tool in ("Write", "NotebookEdit"):
        return (("", payload_text_of(given, "content", "new_source"), False),)
    several = given.get("edits")
    edits = [each for each in several if isinstance(each, dict)] if isinstance(several, list) else [given]
    return tuple(
        (payload_text_of(each, "old_string"), payload_text_of(each, "new_string"), each.get("replace_all") is True)
        for each in edits
    )
