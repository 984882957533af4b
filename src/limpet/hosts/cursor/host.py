"""Cursor as a ``Host``, for installing and examining (contract documented, 2026-09; never run here)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial

from limpet.hosts import base, hook_checks, hook_files
from limpet.hosts.checks import Check
from limpet.hosts.cursor import HOST
from limpet.hosts.cursor.events import TIMEOUTS
from limpet.hosts.cursor.tools import MATCHERS
from limpet.hosts.file_changes import ChangePlan
from limpet.hosts.hook_files import HookFiles, Registration, forbidden_command, make_registrations
from limpet.hosts.records import LOCAL, SHARED, USER, canonical
from limpet.hosts.rules_file import check_rules, plan_rules, plan_rules_removal, rules_files
from limpet.hosts.skills import AGENTS

NAME = HOST
TITLE = "Cursor"
SCOPES: tuple[str, ...] = (LOCAL, SHARED, USER)
EVENTS: tuple[str, ...] = tuple(TIMEOUTS)
SUB_AGENTS = ".cursor/agents"
CAN = frozenset((base.DENIAL, base.CAPTURE, base.COMMAND))
WHY_NOT: Mapping[str, str] = {
    base.PROMPT: "its reply to a prompt adds nothing: they come at the start, with the next tool, and by a file",
    base.QUESTION: "it does not put a hook's question; the user lets a call pass with `limpet guard allow`",
    base.SUB_AGENT: "its event for them only lets one start or not",
    base.COMPACTION: "it tells before one and not after",
    base.USAGE: "it tells the window's use before a compaction alone",
    base.MODEL: "captures ask no model here",
    base.WINDOW: "it draws its own items only",
    base.HEADLESS: "the continuation is written to a file: limpet resume",
}
CONSENT = "trust the workspace when it asks, or it runs no hooks of a project."
HEADLESS: base.Headless | None = None


def registrations(shared: bool) -> tuple[Registration, ...]:
    return make_registrations(HOST, TIMEOUTS, MATCHERS, shared, flat=lambda event: True)


def place(scope: str, project: str) -> str:
    """A project has one file, which is its own machine's or committed."""
    folder = os.path.expanduser("~") if scope == USER else project
    return os.path.join(folder, ".cursor", "hooks.json")


def files_in_force(folder: str) -> dict[str, str]:
    return {canonical(place(LOCAL, folder)): LOCAL, canonical(place(USER, folder)): USER}


def make_fields(event: str, session: str, project: str) -> dict[str, object]:
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
    return {**common, **fields.get(event, {})}


FILES = HookFiles(
    host=HOST,
    title=TITLE,
    scopes=SCOPES,
    place=place,
    in_force=files_in_force,
    registrations=registrations,
    inserting=("sessionStart", "beforeSubmitPrompt", "postToolUse"),
    sent=make_fields,
    head={"version": 1},
)
find_deny_rules, plan_deny_rules = hook_checks.find_deny_rules, hook_checks.plan_deny_rules
plan_writing = hook_checks.plan_writing
registered, in_force = partial(hook_files.registered, FILES), partial(hook_files.in_force, FILES)
other_hooks, private_files = partial(hook_files.other_hooks, FILES), partial(hook_files.private_files, FILES)
check_registration, try_hooks = partial(hook_checks.check_registration, FILES), partial(hook_checks.try_lines, FILES)


def plan_install(home: str, scope: str) -> ChangePlan:
    """With the project's rules in a file, which the client reads at every prompt."""
    plan = hook_checks.plan_install(FILES, AGENTS, home, scope)
    return plan if scope == USER else plan + plan_rules(HOST, os.path.dirname(home))


def plan_removal(home: str, scopes: tuple[str, ...]) -> ChangePlan:
    plan = hook_checks.plan_removal(FILES, AGENTS, home, scopes)
    return plan if scopes == (USER,) else plan + plan_rules_removal(HOST, os.path.dirname(home), scopes)


def written_files(project: str) -> tuple[str, ...]:
    return (*hook_checks.written_files(FILES, AGENTS, project), *rules_files(HOST, project))


def check(project: str) -> Iterator[Check]:
    yield from hook_checks.check(FILES, AGENTS, project)
    yield from check_rules(HOST, project)


def is_used(project: str) -> bool:
    return any(os.path.exists(os.path.join(project, name)) for name in (".cursor", ".cursorrules"))


def find_hindrance(project: str) -> tuple[str, str]:
    """Where it keeps whom it trusts is not documented."""
    return "", ""


TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.cursor import events, host, tools

    hot: base.Events = events
    judged: base.Tools = tools
    cold: base.Host = host
