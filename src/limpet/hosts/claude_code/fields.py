"""What Claude Code would send with an event beside the conversation and its places, for a trial of our lines."""

from __future__ import annotations

import os

from limpet.hosts.commands.lines import STATUS_LINE
from limpet.hosts.hook_files.files import FORBIDDEN


def make_fields(event: str, session: str, project: str) -> dict[str, object]:
    """Return the fields of an event of a conversation in the project."""
    fields: dict[str, dict[str, object]] = {
        "SessionStart": {"source": "startup"},
        "UserPromptSubmit": {"prompt": "limpet doctor", "prompt_id": session},
        "PreCompact": {"trigger": "manual", "custom_instructions": None},
        "PostCompact": {"trigger": "manual", "compact_summary": ""},
        "PreToolUse": {
            "tool_name": "Read",
            "tool_input": {"file_path": os.path.join(project, FORBIDDEN)},
            "tool_use_id": session,
        },
        "SubagentStart": {"agent_id": session, "agent_type": "general-purpose"},
        "PostToolUseFailure": {"tool_name": "Bash", "tool_input": {}, "tool_use_id": session, "error": "a trial"},
        "ConfigChange": {"source": "project_settings", "file_path": os.path.join(project, ".claude", "settings.json")},
        "Stop": {"stop_hook_active": False},
        "SessionEnd": {"reason": "other"},
        STATUS_LINE: {"workspace": {"current_dir": project, "project_dir": project}, "model": {"id": "doctor"}},
    }
    return fields.get(event, {})
