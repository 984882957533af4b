"""VS Code as a ``Host``, for installing and examining (documented 2026-07, Preview; never run here)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial

from limpet.hosts import base, hook_checks, hook_files
from limpet.hosts.hook_files import HookFiles, Registration, forbidden_command, make_registrations
from limpet.hosts.records import LOCAL, SHARED, USER, canonical
from limpet.hosts.skills import AGENTS
from limpet.hosts.vscode import HOST
from limpet.hosts.vscode.events import TIMEOUTS
from limpet.hosts.vscode.tools import MATCHERS

NAME = HOST
TITLE = "VS Code"
SCOPES: tuple[str, ...] = (LOCAL, SHARED, USER)
EVENTS: tuple[str, ...] = tuple(TIMEOUTS)
SUB_AGENTS = ".github/agents"
CAN = frozenset((base.PROMPT, base.DENIAL, base.QUESTION, base.SUB_AGENT, base.CAPTURE, base.COMMAND))
WHY_NOT: Mapping[str, str] = {
    base.COMPACTION: "it tells before one and not after",
    base.USAGE: "no event and no line of its transcript tells it",
    base.MODEL: "captures ask no model here",
    base.WINDOW: "it has none for hooks",
    base.HEADLESS: "the continuation is written to a file: limpet resume",
}
CONSENT = "trust the workspace when it asks, or it runs no hooks of a project."
HEADLESS: base.Headless | None = None


def registrations(shared: bool) -> tuple[Registration, ...]:
    return make_registrations(HOST, TIMEOUTS, MATCHERS, shared, flat=lambda event: True)


def place(scope: str, project: str) -> str:
    """It reads each file of the folder."""
    names = {LOCAL: "limpet.local.json", SHARED: "limpet.json"}
    if scope == USER:
        return os.path.join(os.path.expanduser("~"), ".copilot", "hooks", "limpet.json")
    return os.path.join(project, ".github", "hooks", names[scope])


def files_in_force(folder: str) -> dict[str, str]:
    return {canonical(place(scope, folder)): scope for scope in SCOPES}


def make_fields(event: str, session: str, project: str) -> dict[str, object]:
    common = {"timestamp": "2026-01-01T00:00:00.000Z", "sessionId": session, "hookEventName": event}
    fields: dict[str, dict[str, object]] = {
        "SessionStart": {"source": "new"},
        "UserPromptSubmit": {"prompt": "limpet doctor"},
        "PreToolUse": {"tool_name": "run_in_terminal", "tool_input": forbidden_command(), "tool_use_id": session},
        "SubagentStart": {"agent_id": session, "agent_type": "Plan"},
        "PreCompact": {"trigger": "auto"},
        "Stop": {"stop_hook_active": False},
    }
    return {**common, **fields.get(event, {})}


FILES = HookFiles(
    host=HOST,
    title=TITLE,
    scopes=SCOPES,
    place=place,
    in_force=files_in_force,
    registrations=registrations,
    inserting=("SessionStart", "UserPromptSubmit"),
    sent=make_fields,
    head={"version": 1},  # without it Copilot CLI, which reads these files too, takes them for broken
)
plan_install = partial(hook_checks.plan_install, FILES, AGENTS)
plan_removal = partial(hook_checks.plan_removal, FILES, AGENTS)
written_files, check = partial(hook_checks.written_files, FILES, AGENTS), partial(hook_checks.check, FILES, AGENTS)
find_deny_rules, plan_deny_rules = hook_checks.find_deny_rules, hook_checks.plan_deny_rules
plan_writing = hook_checks.plan_writing
registered, in_force = partial(hook_files.registered, FILES), partial(hook_files.in_force, FILES)
other_hooks, private_files = partial(hook_files.other_hooks, FILES), partial(hook_files.private_files, FILES)
check_registration, try_hooks = partial(hook_checks.check_registration, FILES), partial(hook_checks.try_lines, FILES)


def is_used(project: str) -> bool:
    return os.path.exists(os.path.join(project, ".vscode"))


def find_hindrance(project: str) -> tuple[str, str]:
    """Where it keeps whom it trusts is not documented."""
    return "", ""


TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.vscode import events, host, tools

    hot: base.Events = events
    judged: base.Tools = tools
    cold: base.Host = host
