"""The first page: what reaches the agent now, what was heard, where the work stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.operations.conversations import newest_conversation
from limpet.operations.memory.waiting import count_kept
from limpet.operations.project import Project
from limpet.operations.timeline import TimelineEntry, read_timeline, session_title_of
from limpet.work.conversation import read_private
from limpet.work.lock import is_locked

# Entries of the log that are looked at, and of each column that are shown.
LOOKED_AT, SHOWN = 120, 12
_SENT = ("sent", "start", "subagent", "file", "compaction", "private", "failure")


def view_now(project: Project, asked: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    workspace = project.workspace
    entries = read_timeline(workspace, project.caller, LOOKED_AT)[::-1]
    columns: dict[str, list[TimelineEntry]] = {"sent": [], "kept": [], "other": []}
    for entry in entries:
        column = columns[_column_of(entry.kind)]
        if len(column) < SHOWN:
            column.append(entry)
    state = newest_conversation(workspace)
    found = project.in_force
    work = {"agent": found.agent, "workflow": found.workflow, "mode": found.mode, "task": _title_of(found.task)}
    return "now.html", {
        "columns": columns,
        "conversation": state and {**state, "title": session_title_of(workspace, state), **_usage(state)},
        "paused": bool(state and (private := read_private(str(state["id"]))) and private.paused),
        "memories": count_kept(workspace),
        "work": {name: value for name, value in work.items() if value},
        "locked": is_locked(project.session),
    }


def _column_of(kind: str) -> str:
    if kind in _SENT:
        return "sent"
    return "kept" if kind.startswith(("memory.", "learning.", "extraction.")) else "other"


def _title_of(task: object) -> str:
    return str(task.get("title") or task.get("id") or "") if isinstance(task, Mapping) else str(task or "")


def _usage(state: Mapping[str, Any]) -> dict[str, Any]:
    usage = state.get("usage")
    known = usage if isinstance(usage, Mapping) else {}
    return {"remaining": known.get("remaining"), "window": known.get("window")}
