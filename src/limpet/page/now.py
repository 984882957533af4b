"""The first page: what reaches the agent now, what was heard, where the work stands."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.memory.files.store import ACCESSED
from limpet.operations.conversations import newest_conversation, read_conversation
from limpet.operations.memory.waiting import count_kept, has_proved_wish
from limpet.operations.project import Project
from limpet.operations.timeline import TimelineEntry, read_timeline, session_title_of
from limpet.work.conversation import read_private
from limpet.work.lock import is_locked
from limpet.work.pipeline.state import task_title

# Entries of the log that are looked at, and of each column that are shown.
LOOKED_AT, SHOWN = 40, 10
_SENT = ("sent", "start", "subagent", "file", "compaction", "private", "failure")


def view_now(project: Project, asked: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    workspace = project.workspace
    entries = read_timeline(workspace, project.caller, LOOKED_AT)[::-1]
    columns: dict[str, list[TimelineEntry]] = {"sent": [], "kept": [], "other": []}
    for entry in entries:
        if entry.kind == ACCESSED:  # of which there are many that nobody asks for
            continue
        column = columns[_column_of(entry.kind)]
        if len(column) < SHOWN:
            column.append(entry)
    spoken = next((entry.session for entry in entries if entry.kind in _SENT and entry.session), "")
    state = None
    with suppress(LimpetError):  # its state may be gone
        state = read_conversation(workspace, spoken) if spoken else newest_conversation(workspace)
    found = project.in_force
    work = {"agent": found.agent, "workflow": found.workflow, "mode": found.mode, "task": task_title(found.task)}
    return "now.html", {
        "columns": columns,
        "conversation": _described(project, state) if state else None,
        "work": {name: value for name, value in work.items() if value},
        "locked": is_locked(project.session),
    }


def view_counts(project: Project, asked: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Apart, because all memories are counted for it: the first page does not wait."""
    return "counts.html", {
        "memories": count_kept(project.workspace),
        "proposes": has_proved_wish(project.workspace, project.settings["learning"]),
    }


def _column_of(kind: str) -> str:
    if kind in _SENT:
        return "sent"
    return "kept" if kind.startswith(("memory.", "learning.", "extraction.")) else "other"


def _described(project: Project, state: Mapping[str, Any]) -> dict[str, Any]:
    usage, session = state.get("usage"), str(state["id"])
    private = read_private(session)
    return {
        "id": session,
        "title": session_title_of(project.workspace, state),
        "remaining": usage.get("remaining") if isinstance(usage, Mapping) else None,
        "bracket": state.get("bracket"),
        "prompts": state.get("prompt_count") or 0,
        "compactions": state.get("compactions") or 0,
        "heard": state.get("last_activity"),
        "paused": private is not None and private.paused,
    }
