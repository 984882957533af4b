"""Copilot CLI as a ``Host``, for installing, examining and spawning (contract observed on 1.0.102)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial

from limpet.ground.formats.json_text import read_object
from limpet.ground.repository import find_upward
from limpet.ground.storage.files import read_text
from limpet.ground.workspace import FOLDER
from limpet.hosts import base, hook_checks, hook_files
from limpet.hosts.checks import FAIL, Check
from limpet.hosts.copilot import HOST
from limpet.hosts.copilot.events import TIMEOUTS
from limpet.hosts.copilot.tools import MATCHERS
from limpet.hosts.file_changes import ChangePlan, parents
from limpet.hosts.hook_files import HookFiles, Registration, forbidden_command, make_registrations, read_settings
from limpet.hosts.records import LOCAL, SHARED, USER, canonical
from limpet.hosts.rules_file import check_rules, plan_rules_removal
from limpet.hosts.skills import AGENTS
from limpet.transcripts.copilot import copilot_home

NAME = HOST
TITLE = "Copilot CLI"
SCOPES: tuple[str, ...] = (LOCAL, SHARED, USER)
EVENTS: tuple[str, ...] = tuple(TIMEOUTS)
SUB_AGENTS = ".github/agents"
CAN = frozenset({*base.CAPABILITIES} - {base.COMPACTION, base.MODEL, base.WINDOW})
WHY_NOT: Mapping[str, str] = {
    base.COMPACTION: "it tells before one and not after; that it was made is seen in the transcript",
    base.MODEL: "captures ask no model here",
    base.WINDOW: "it takes one from your own settings alone, not from a project's",
}
CONSENT = "trust the folder when it asks (2. Yes, and remember)."
HEADLESS: base.Headless | None = base.Headless(
    program="copilot",
    variable="LIMPET_COPILOT",
    words=("-p", "{prompt}", "--session-id={session}"),
    join="copilot --resume={session}",
)


def registrations(shared: bool) -> tuple[Registration, ...]:
    return make_registrations(HOST, TIMEOUTS, MATCHERS, shared)


def place(scope: str, project: str) -> str:
    folder = os.path.join(project, ".github", "copilot")
    paths = {LOCAL: os.path.join(folder, "settings.local.json"), SHARED: os.path.join(folder, "settings.json")}
    return paths.get(scope) or os.path.join(copilot_home(), "settings.json")


def files_in_force(folder: str) -> dict[str, str]:
    """Those at the root of its worktree hold."""
    root = find_upward(folder, lambda each: os.path.lexists(os.path.join(each, ".git"))) or folder
    return {canonical(place(scope, root)): scope for scope in SCOPES}


def make_fields(event: str, session: str, project: str) -> dict[str, object]:
    fields: dict[str, dict[str, object]] = {
        "UserPromptSubmit": {"prompt": "limpet doctor"},
        "PreToolUse": {"tool_name": "Bash", "tool_input": forbidden_command()},
        "SubagentStart": {"agent_id": session, "agent_type": "explore", "parent_agent_id": session},
        "PreCompact": {"trigger": "manual"},
        "Stop": {"stop_reason": "end_turn"},
        "SessionEnd": {"reason": "complete"},
    }
    return fields.get(event, {})


FILES = HookFiles(
    host=HOST,
    title=TITLE,
    scopes=SCOPES,
    place=place,
    in_force=files_in_force,
    registrations=registrations,
    inserting=("UserPromptSubmit", "userPromptSubmitted", "SessionStart", "sessionStart"),
    sent=make_fields,
)
plan_install = partial(hook_checks.plan_install, FILES, AGENTS)
written_files = partial(hook_checks.written_files, FILES, AGENTS)
find_deny_rules, plan_deny_rules = hook_checks.find_deny_rules, hook_checks.plan_deny_rules
plan_writing = hook_checks.plan_writing
registered, in_force = partial(hook_files.registered, FILES), partial(hook_files.in_force, FILES)
other_hooks, private_files = partial(hook_files.other_hooks, FILES), partial(hook_files.private_files, FILES)
try_hooks = partial(hook_checks.try_lines, FILES)


def plan_removal(home: str, scopes: tuple[str, ...]) -> ChangePlan:
    """With the project's rules in a file, which the person had for GitHub's cloud agent."""
    plan = hook_checks.plan_removal(FILES, AGENTS, home, scopes)
    return plan + plan_rules_removal(HOST, os.path.dirname(home), scopes)


def is_used(project: str) -> bool:
    signs = (os.path.join(project, ".github", name) for name in ("copilot", "hooks", "copilot-instructions.md"))
    return any(map(os.path.exists, signs))


def find_hindrance(project: str) -> tuple[str, str]:
    found = in_force(project)
    text = read_text(os.path.join(copilot_home(), "config.json")) or ""
    known = read_object("".join(line for line in text.splitlines() if not line.lstrip().startswith("//")))
    trusted = known.get("trustedFolders")
    folders = [os.path.realpath(str(path)) for path in trusted] if isinstance(trusted, list) else []
    around = map(os.path.realpath, (project, *parents(os.path.join(project, FOLDER))))
    if any(each.scope == USER for each in found) or any(path in folders for path in around):
        return "", ""
    return "the folder is not trusted, so that no hook of the project runs", CONSENT


def check_registration(project: str) -> Iterator[Check]:
    yield from _check_switch(project)
    yield from hook_checks.check_registration(FILES, project)


def check(project: str) -> Iterator[Check]:
    yield from _check_switch(project)
    yield from hook_checks.check(FILES, AGENTS, project)
    yield from check_rules(HOST, project)


def _check_switch(project: str) -> Iterator[Check]:
    off = [path for path in files_in_force(project) if read_settings(path).get("disableAllHooks")]
    yield from (Check(FAIL, f"All hooks are disabled in {path}", "set disableAllHooks to false there") for path in off)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.copilot import events, host, tools

    hot: base.Events = events
    judged: base.Tools = tools
    cold: base.Host = host
