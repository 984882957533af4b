"""Claude Code as a ``Host``, for installing, examining and spawning."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from functools import partial

from limpet.ground.workspace import FOLDER, Workspace
from limpet.hosts import base
from limpet.hosts.base import Headless
from limpet.hosts.claude_code import HOST, deny_rules, settings
from limpet.hosts.claude_code.checks import check_deny_rules, check_settings
from limpet.hosts.claude_code.checks import check_registration as check_registration
from limpet.hosts.claude_code.events import TIMEOUTS
from limpet.hosts.claude_code.install import FILES
from limpet.hosts.claude_code.install import plan_install as plan_settings
from limpet.hosts.claude_code.install import plan_removal as plan_settings_removal
from limpet.hosts.doctor.checks import Check
from limpet.hosts.file_changes import Plan
from limpet.hosts.hook_files import files
from limpet.hosts.skills import Skills, check_skill, plan_skill, plan_skill_removal, skill_files

NAME = HOST
TITLE = "Claude Code"
SCOPES = settings.SCOPES
EVENTS: tuple[str, ...] = tuple(TIMEOUTS)
SUB_AGENTS = ".claude/agents"
CAN = frozenset(base.CAPABILITIES)
WHY_NOT: Mapping[str, str] = {}
CONSENT = ""
SKILLS = Skills(".claude", settings.user_settings_folder)
HEADLESS: Headless | None = Headless(
    program="claude",
    variable="LIMPET_CLAUDE",
    words=("-p", "{prompt}", "--session-id", "{session}"),
    join="claude --resume {session}",
)


registered, in_force = partial(files.registered, FILES), partial(files.in_force, FILES)
other_hooks, private_files = partial(files.other_hooks, FILES), partial(files.private_files, FILES)
find_deny_rules, plan_deny_rules = deny_rules.find_deny_rules, deny_rules.plan_deny_rules


def is_used(project: str) -> bool:
    """Return whether there are signs of Claude Code: in the project, in the environment or on PATH."""
    signs = (os.path.exists(os.path.join(project, name)) for name in (".claude", "CLAUDE.md"))
    return any(signs) or "CLAUDE_PROJECT_DIR" in os.environ or shutil.which("claude") is not None


def find_hindrance(project: str) -> tuple[str, str]:
    """Return nothing: it asks about the folder before it starts, and a switch is told with the registration."""
    return "", ""


def try_hooks(workspace: Workspace) -> Iterator[Check]:
    """Run every line of ours, as the client does."""
    from limpet.hosts.claude_code.trial import try_hooks as try_lines  # here: what looks at a host tries nothing

    return try_lines(workspace)


def plan_install(home: str, scope: str) -> Plan:
    """Return the changes for hooks and status line of a scope, and the skill ``/limpet``. Raise LimpetError."""
    return plan_settings(home, scope) + plan_skill(home, scope, SKILLS)


def plan_removal(home: str, scopes: tuple[str, ...]) -> Plan:
    """Return the changes that undo it; the skill first, whose folder must be gone before the settings' own can be."""
    return plan_skill_removal(home, scopes, SKILLS) + plan_settings_removal(home, scopes)


def written_files(project: str) -> tuple[str, ...]:
    """Return the settings files and those of the skill."""
    return (*files.written_files(FILES, project), *skill_files(os.path.join(project, FOLDER), SKILLS))


def check(project: str) -> Iterator[Check]:
    """Yield the checks of settings, deny rules and skill."""
    yield from check_settings(project)
    yield check_deny_rules(project)
    yield from check_skill(os.path.join(project, FOLDER), SKILLS)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.claude_code import events, host, status_line

    hot: base.Events = events
    drawn: base.StatusLine = status_line
    cold: base.Host = host
