"""Antigravity, the editor and its command ``agy``, as a ``Host`` (contract documented, 2026-09; never run here)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.hosts import base
from limpet.hosts.antigravity import HOST, events, tools
from limpet.hosts.checks import FAIL, Check
from limpet.hosts.hook_files import Registration, forbidden_file, make_registrations, read_settings
from limpet.hosts.hook_host import HookHost
from limpet.hosts.records import USER


class Antigravity(HookHost):
    """Its file has the names of others' tools beside ours."""

    NAME, TITLE, ROOT = HOST, "Antigravity", "limpet"
    SUB_AGENTS = ".agents/agents"
    CAN = frozenset((base.PROMPT, base.DENIAL, base.QUESTION, base.CAPTURE, base.HEADLESS, base.COMMAND))
    WHY_NOT = {
        base.SUB_AGENT: "it has no event for them",
        base.COMPACTION: "it has no event for one",
        base.USAGE: "no event and no line of its transcript tells it",
        base.MODEL: "captures ask no model here",
        base.WINDOW: "it has none for hooks",
    }
    HEADLESS = base.Headless(
        program="agy",
        variable="LIMPET_AGY",
        words=("-p", "{prompt}", "--output-format", "stream-json"),
        join="agy --conversation {session}",
        told=r'"conversation_?[iI]d": ?"([\w-]+)"',
        is_client=False,
    )
    SIGNS = (".agents/rules", ".agents/workflows", ".agents/hooks.json", ".agents/mcp_config.json", ".agent")
    INSERTING = ("PreInvocation",)

    def registrations(self, shared: bool) -> tuple[Registration, ...]:
        """On Windows the client runs lines by ``cmd``, where ours would deny each call."""
        known, judged = self.TIMEOUTS.items(), self.MATCHERS
        timeouts = {event: seconds for event, seconds in known if event not in judged or os.name != "nt"}
        return make_registrations(
            HOST, timeouts, judged, shared, root=self.ROOT, flat=lambda event: event not in judged
        )

    def place(self, scope: str, project: str) -> str:
        """A project has one file, which is its own machine's or committed."""
        folder = os.path.expanduser(os.path.join("~", ".gemini", "config")) if scope == USER else None
        return os.path.join(folder or os.path.join(project, ".agents"), "hooks.json")

    def make_fields(self, session: str, project: str) -> dict[str, dict[str, object]]:
        common = {"conversationId": session, "workspacePaths": [project]}
        call = {"name": "run_command", "args": {"CommandLine": f"cat '{forbidden_file()}'"}}
        return {
            "PreInvocation": {**common, "invocationNum": 0, "initialNumSteps": 0},
            "PreToolUse": {**common, "toolCall": call, "stepIdx": 1},
            "Stop": {**common, "executionNum": 1, "terminationReason": "model_stop", "fullyIdle": True},
        }

    def check_registration(self, project: str) -> Iterator[Check]:
        for path in self.files_in_force(project):
            ours = read_settings(path).get(self.ROOT)
            if isinstance(ours, dict) and ours.get("enabled") is False:
                yield Check(FAIL, f"Limpet's hooks are disabled in {path}", "remove enabled there")
        yield from super().check_registration(project)


CLIENT = Antigravity(events, tools)
