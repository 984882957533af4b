"""Copilot CLI as a ``Host``, for installing, examining and spawning (contract observed on 1.0.102)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.ground.formats.json_text import read_object
from limpet.ground.repository import find_upward
from limpet.ground.storage.files import read_text
from limpet.ground.workspace import FOLDER
from limpet.hosts import base
from limpet.hosts.checks import FAIL, Check
from limpet.hosts.copilot import HOST, events, tools
from limpet.hosts.file_changes import ChangePlan, parents
from limpet.hosts.hook_files import forbidden_command, read_settings
from limpet.hosts.hook_host import HookHost
from limpet.hosts.records import LOCAL, SHARED, USER
from limpet.hosts.rules_file import check_rules, plan_rules_removal
from limpet.transcripts.copilot import copilot_home


class Copilot(HookHost):
    NAME, TITLE = HOST, "Copilot CLI"
    SUB_AGENTS = ".github/agents"
    CAN = frozenset({*base.CAPABILITIES} - {base.COMPACTION, base.MODEL, base.WINDOW})
    WHY_NOT = {
        base.COMPACTION: "it tells before one and not after; that it was made is seen in the transcript",
        base.MODEL: "captures ask no model here",
        base.WINDOW: "it takes one from your own settings alone, not from a project's",
    }
    CONSENT = "trust the folder when it asks (2. Yes, and remember)."
    HEADLESS = base.Headless(
        program="copilot",
        variable="LIMPET_COPILOT",
        words=("-p", "{prompt}", "--session-id={session}"),
        join="copilot --resume={session}",
    )
    SIGNS = (".github/copilot", ".github/hooks", ".github/copilot-instructions.md")
    INSERTING = ("UserPromptSubmit", "userPromptSubmitted", "SessionStart", "sessionStart")

    def place(self, scope: str, project: str) -> str:
        folder = os.path.join(project, ".github", "copilot")
        paths = {LOCAL: os.path.join(folder, "settings.local.json"), SHARED: os.path.join(folder, "settings.json")}
        return paths.get(scope) or os.path.join(copilot_home(), "settings.json")

    def root_of(self, folder: str) -> str:
        """Those at the root of its worktree hold."""
        return find_upward(folder, lambda each: os.path.lexists(os.path.join(each, ".git"))) or folder

    def make_fields(self, session: str, project: str) -> dict[str, dict[str, object]]:
        return {
            "UserPromptSubmit": {"prompt": "limpet doctor"},
            "PreToolUse": {"tool_name": "Bash", "tool_input": forbidden_command()},
            "SubagentStart": {"agent_id": session, "agent_type": "explore", "parent_agent_id": session},
            "PreCompact": {"trigger": "manual"},
            "Stop": {"stop_reason": "end_turn"},
            "SessionEnd": {"reason": "complete"},
        }

    def find_hindrance(self, project: str) -> tuple[str, str]:
        found = self.in_force(project)
        text = read_text(os.path.join(copilot_home(), "config.json")) or ""
        known = read_object("".join(line for line in text.splitlines() if not line.lstrip().startswith("//")))
        trusted = known.get("trustedFolders")
        folders = [os.path.realpath(str(path)) for path in trusted] if isinstance(trusted, list) else []
        around = map(os.path.realpath, (project, *parents(os.path.join(project, FOLDER))))
        if any(each.scope == USER for each in found) or any(path in folders for path in around):
            return "", ""
        return "the folder is not trusted, so that no hook of the project runs", self.CONSENT

    def plan_removal(self, home: str, scopes: tuple[str, ...]) -> ChangePlan:
        """With the project's rules in a file, which the person had for GitHub's cloud agent."""
        return super().plan_removal(home, scopes) + plan_rules_removal(HOST, os.path.dirname(home), scopes)

    def check_registration(self, project: str) -> Iterator[Check]:
        off = [path for path in self.files_in_force(project) if read_settings(path).get("disableAllHooks")]
        for path in off:
            yield Check(FAIL, f"All hooks are disabled in {path}", "set disableAllHooks to false there")
        yield from super().check_registration(project)

    def check(self, project: str) -> Iterator[Check]:
        yield from super().check(project)
        yield from check_rules(HOST, project)


CLIENT = Copilot(events, tools)
