"""VS Code as a ``Host``, for installing and examining (documented 2026-07, Preview; never run here)."""

from __future__ import annotations

import os

from limpet.hosts import base
from limpet.hosts.hook_files import forbidden_command
from limpet.hosts.hook_host import FlatHost
from limpet.hosts.records import LOCAL, SHARED, USER
from limpet.hosts.vscode import HOST, events, tools


class VsCode(FlatHost):
    """Without its head Copilot CLI, which reads these files too, takes them for broken."""

    NAME, TITLE = HOST, "VS Code"
    SUB_AGENTS = ".github/agents"
    CAN = frozenset((base.PROMPT, base.DENIAL, base.QUESTION, base.SUB_AGENT, base.CAPTURE, base.COMMAND))
    WHY_NOT = {
        base.COMPACTION: "it tells before one and not after; what that took comes with the next prompt",
        base.USAGE: "no event and no line of its transcript tells it",
        base.MODEL: "captures ask no model here",
        base.WINDOW: "it has none for hooks",
        base.HEADLESS: "the continuation is written to a file: limpet resume",
    }
    CONSENT = "trust the workspace when it asks, or it runs no hooks of a project."
    SIGNS = (".vscode",)
    INSERTING = ("SessionStart", "UserPromptSubmit")

    def place(self, scope: str, project: str) -> str:
        """It reads each file of the folder."""
        if scope == USER:
            return os.path.join(os.path.expanduser("~"), ".copilot", "hooks", "limpet.json")
        return os.path.join(project, ".github", "hooks", {LOCAL: "limpet.local.json", SHARED: "limpet.json"}[scope])

    def make_fields(self, session: str, project: str) -> dict[str, dict[str, object]]:
        common = {"timestamp": "2026-01-01T00:00:00.000Z", "sessionId": session}
        fields: dict[str, dict[str, object]] = {
            "SessionStart": {"source": "new"},
            "UserPromptSubmit": {"prompt": "limpet doctor"},
            "PreToolUse": {
                **{"tool_name": "run_in_terminal", "tool_input": forbidden_command(), "tool_use_id": session}
            },
            "SubagentStart": {"agent_id": session, "agent_type": "Plan"},
            "PreCompact": {"trigger": "auto"},
            "Stop": {"stop_hook_active": False},
        }
        return {event: {**common, "hookEventName": event, **fields[event]} for event in self.EVENTS}


CLIENT = VsCode(events, tools)
