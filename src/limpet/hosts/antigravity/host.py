"""Antigravity, the editor and its command ``agy``, as a ``Host`` (contract documented, 2026-09; never run here)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial

from limpet.hosts import base, hook_checks, hook_files
from limpet.hosts.antigravity import HOST
from limpet.hosts.antigravity.events import TIMEOUTS
from limpet.hosts.antigravity.tools import MATCHERS
from limpet.hosts.checks import FAIL, Check
from limpet.hosts.hook_files import HookFiles, Registration, forbidden_file, make_registrations, read_settings
from limpet.hosts.records import LOCAL, SHARED, USER, canonical
from limpet.hosts.skills import AGENTS

NAME = HOST
TITLE = "Antigravity"
SCOPES: tuple[str, ...] = (LOCAL, SHARED, USER)
EVENTS: tuple[str, ...] = tuple(TIMEOUTS)
SUB_AGENTS = ".agents/agents"
CAN = frozenset((base.PROMPT, base.DENIAL, base.QUESTION, base.CAPTURE, base.HEADLESS, base.COMMAND))
WHY_NOT: Mapping[str, str] = {
    base.SUB_AGENT: "it has no event for them",
    base.COMPACTION: "it has no event for one",
    base.USAGE: "no event and no line of its transcript tells it",
    base.MODEL: "captures ask no model here",
    base.WINDOW: "it has none for hooks",
}
CONSENT = ""
HEADLESS: base.Headless | None = base.Headless(
    program="agy",
    variable="LIMPET_AGY",
    words=("-p", "{prompt}", "--output-format", "stream-json"),
    join="agy --conversation {session}",
    told=r'"conversation_?[iI]d": ?"([\w-]+)"',
    is_client=False,
)
# The member of its file that is ours, where others have the names of their tools.
ROOT = "limpet"


def registrations(shared: bool) -> tuple[Registration, ...]:
    """On Windows the client runs lines by ``cmd``, where ours would deny each call."""
    timeouts = {event: seconds for event, seconds in TIMEOUTS.items() if event not in MATCHERS or os.name != "nt"}
    return make_registrations(HOST, timeouts, MATCHERS, shared, root=ROOT, flat=lambda event: event not in MATCHERS)


def place(scope: str, project: str) -> str:
    """A project has one file, which is its own machine's or committed."""
    folder = os.path.expanduser(os.path.join("~", ".gemini", "config")) if scope == USER else None
    return os.path.join(folder or os.path.join(project, ".agents"), "hooks.json")


def files_in_force(folder: str) -> dict[str, str]:
    return {canonical(place(LOCAL, folder)): LOCAL, canonical(place(USER, folder)): USER}


def make_fields(event: str, session: str, project: str) -> dict[str, object]:
    common = {"conversationId": session, "workspacePaths": [project]}
    fields: dict[str, dict[str, object]] = {
        "PreInvocation": {"invocationNum": 0, "initialNumSteps": 0},
        "PreToolUse": {
            "toolCall": {"name": "run_command", "args": {"CommandLine": f"cat '{forbidden_file()}'"}},
            "stepIdx": 1,
        },
        "Stop": {"executionNum": 1, "terminationReason": "model_stop", "fullyIdle": True},
    }
    return {**common, **fields.get(event, {})}


FILES = HookFiles(
    host=HOST,
    title=TITLE,
    scopes=SCOPES,
    place=place,
    in_force=files_in_force,
    registrations=registrations,
    inserting=("PreInvocation",),
    sent=make_fields,
)
plan_install = partial(hook_checks.plan_install, FILES, AGENTS)
plan_removal = partial(hook_checks.plan_removal, FILES, AGENTS)
written_files = partial(hook_checks.written_files, FILES, AGENTS)
find_deny_rules, plan_deny_rules = hook_checks.find_deny_rules, hook_checks.plan_deny_rules
plan_writing = hook_checks.plan_writing
registered, in_force = partial(hook_files.registered, FILES), partial(hook_files.in_force, FILES)
other_hooks, private_files = partial(hook_files.other_hooks, FILES), partial(hook_files.private_files, FILES)
try_hooks = partial(hook_checks.try_lines, FILES)


def is_used(project: str) -> bool:
    signs = (".agents/rules", ".agents/workflows", ".agents/hooks.json", ".agents/mcp_config.json", ".agent")
    return any(os.path.exists(os.path.join(project, *sign.split("/"))) for sign in signs)


def find_hindrance(project: str) -> tuple[str, str]:
    """Where it keeps whom it trusts is not documented."""
    return "", ""


def check_registration(project: str) -> Iterator[Check]:
    yield from _check_switch(project)
    yield from hook_checks.check_registration(FILES, project)


def check(project: str) -> Iterator[Check]:
    yield from _check_switch(project)
    yield from hook_checks.check(FILES, AGENTS, project)


def _check_switch(project: str) -> Iterator[Check]:
    for path in files_in_force(project):
        ours = read_settings(path).get(ROOT)
        if isinstance(ours, dict) and ours.get("enabled") is False:
            yield Check(FAIL, f"Limpet's hooks are disabled in {path}", "remove enabled there")


TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.antigravity import events, host, tools

    hot: base.Events = events
    judged: base.Tools = tools
    cold: base.Host = host
