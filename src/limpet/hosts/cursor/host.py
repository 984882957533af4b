"""Cursor as a ``Host``, for installing and examining (contract documented, 2026-09; never run here)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.hosts import base
from limpet.hosts.checks import Check
from limpet.hosts.cursor import HOST, events, tools
from limpet.hosts.file_changes import ChangePlan
from limpet.hosts.hook_files import forbidden_command
from limpet.hosts.hook_host import FlatHost
from limpet.hosts.records import USER
from limpet.hosts.rules_file import check_rules, plan_rules, plan_rules_removal, rules_files


class Cursor(FlatHost):
    NAME, TITLE = HOST, "Cursor"
    SUB_AGENTS = ".cursor/agents"
    CAN = frozenset((base.DENIAL, base.CAPTURE, base.COMMAND))
    WHY_NOT = {
        base.PROMPT: "its reply to a prompt adds nothing: they come at the start, with the next tool, and by a file",
        base.QUESTION: "it does not put a hook's question; the user lets a call pass with `limpet guard allow`",
        base.SUB_AGENT: "its event for them only lets one start or not",
        base.COMPACTION: "it tells before one and not after; what that took comes with the next tool or start",
        base.USAGE: "it tells the window's use before a compaction alone",
        base.MODEL: "captures ask no model here",
        base.WINDOW: "it draws its own items only",
        base.HEADLESS: "the continuation is written to a file: limpet resume",
    }
    CONSENT = "trust the workspace when it asks, or it runs no hooks of a project."
    SIGNS = (".cursor", ".cursorrules")
    INSERTING = ("sessionStart", "beforeSubmitPrompt", "postToolUse")

    def place(self, scope: str, project: str) -> str:
        """A project has one file, which is its own machine's or committed."""
        return os.path.join(os.path.expanduser("~") if scope == USER else project, ".cursor", "hooks.json")

    def make_fields(self, session: str, project: str) -> dict[str, dict[str, object]]:
        common = {"conversation_id": session, "workspace_roots": [project], "cursor_version": "0"}
        fields: dict[str, dict[str, object]] = {
            "beforeSubmitPrompt": {"prompt": "limpet doctor", "generation_id": session},
            "preToolUse": {"tool_name": "Shell", "tool_input": forbidden_command(), "tool_use_id": session},
            "postToolUse": {"tool_name": "Shell", "tool_input": {}, "tool_use_id": session},
            "postToolUseFailure": {"tool_name": "Shell", "tool_input": {}, "tool_use_id": session},
            "preCompact": {"trigger": "manual"},
            "stop": {"status": "completed", "loop_count": 0},
            "sessionEnd": {"reason": "completed"},
        }
        return {event: {**common, **fields.get(event, {})} for event in self.EVENTS}

    def plan_install(self, home: str, scope: str) -> ChangePlan:
        """With the project's rules in a file, which the client reads at every prompt."""
        plan = super().plan_install(home, scope)
        return plan if scope == USER else plan + plan_rules(HOST, os.path.dirname(home))

    def plan_removal(self, home: str, scopes: tuple[str, ...]) -> ChangePlan:
        plan = super().plan_removal(home, scopes)
        return plan if scopes == (USER,) else plan + plan_rules_removal(HOST, os.path.dirname(home), scopes)

    def written_files(self, project: str) -> tuple[str, ...]:
        return (*super().written_files(project), *rules_files(HOST, project))

    def check(self, project: str) -> Iterator[Check]:
        yield from super().check(project)
        yield from check_rules(HOST, project)


CLIENT = Cursor(events, tools)
