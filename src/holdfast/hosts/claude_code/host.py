"""Claude Code as a ``Host``, for installing, examining and spawning."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

from holdfast.ground.workspace import FOLDER
from holdfast.hosts import base
from holdfast.hosts.base import Headless, Registered
from holdfast.hosts.claude_code import HOST, deny_rules, settings, trial
from holdfast.hosts.claude_code.checks import check_deny_rules, check_settings
from holdfast.hosts.claude_code.checks import check_registration as check_registration
from holdfast.hosts.claude_code.events import TIMEOUTS
from holdfast.hosts.claude_code.install import plan_install as plan_settings
from holdfast.hosts.claude_code.install import plan_removal as plan_settings_removal
from holdfast.hosts.claude_code.settings import find_hooks, read_settings, settings_in_force, settings_path
from holdfast.hosts.claude_code.skill import check_skill, plan_skill, plan_skill_removal, skill_files
from holdfast.hosts.doctor.checks import Check
from holdfast.hosts.file_changes import Plan
from holdfast.hosts.scope import LOCAL

NAME = HOST
TITLE = "Claude Code"
SCOPES = settings.SCOPES
EVENTS: tuple[str, ...] = tuple(TIMEOUTS)
SUB_AGENTS = ".claude/agents"
CAN = frozenset((base.PROMPT, base.COMPACTION, base.WINDOW, base.HEADLESS))
HEADLESS: Headless | None = Headless(
    program="claude",
    variable="HOLDFAST_CLAUDE",
    words=("-p", "{prompt}", "--session-id", "{session}"),
    join="claude --resume {session}",
)


try_hooks = trial.try_hooks
find_deny_rules, plan_deny_rules = deny_rules.find_deny_rules, deny_rules.plan_deny_rules


def is_used(project: str) -> bool:
    """Return whether there are signs of Claude Code: in the project, in the environment or on PATH."""
    signs = (os.path.exists(os.path.join(project, name)) for name in (".claude", "CLAUDE.md"))
    return any(signs) or "CLAUDE_PROJECT_DIR" in os.environ or shutil.which("claude") is not None


def plan_install(home: str, scope: str) -> Plan:
    """Return the changes for hooks and status line of a scope, and the skill ``/holdfast``. Raise HoldfastError."""
    return plan_settings(home, scope) + plan_skill(home, scope)


def plan_removal(home: str, scopes: tuple[str, ...]) -> Plan:
    """Return the changes that undo it; the skill first, whose folder must be gone before the settings' own can be."""
    return plan_skill_removal(home, scopes) + plan_settings_removal(home, scopes)


def registered(project: str) -> tuple[Registered, ...]:
    """Return the settings files with hooks of ours."""
    paths = {scope: settings_path(scope, project) for scope in SCOPES}
    hooks = {scope: find_hooks(read_settings(path)) for scope, path in paths.items()}
    return tuple(
        Registered(scope, paths[scope], tuple(hook.event for hook in found)) for scope, found in hooks.items() if found
    )


def in_force(folder: str) -> tuple[Registered, ...]:
    """Return the settings files with hooks of ours that a session in ``folder`` obeys: those of the folder, the local
    ones of the repository's main worktree, and the user's."""
    found = ((scope, path, find_hooks(read_settings(path))) for path, scope in settings_in_force(folder).items())
    return tuple(Registered(scope, path, tuple(hook.event for hook in hooks)) for scope, path, hooks in found if hooks)


def other_hooks(folder: str) -> tuple[tuple[str, str], ...]:
    """Return (settings file, command) of others' hooks on prompts and starts that a session in ``folder`` obeys."""
    found = ((path, settings.other_commands(read_settings(path))) for path in settings_in_force(folder))
    return tuple((path, command) for path, commands in found for command in commands)


def private_files(project: str) -> tuple[str, ...]:
    """Return the path of the local settings, whose lines name paths of this machine."""
    return (settings_path(LOCAL, project),)


def written_files(project: str) -> tuple[str, ...]:
    """Return the settings files and those of the skill."""
    settings = (settings_path(scope, project) for scope in SCOPES)
    return (*settings, *skill_files(os.path.join(project, FOLDER)))


def check(project: str) -> Iterator[Check]:
    """Yield the checks of settings, deny rules and skill."""
    yield from check_settings(project)
    yield check_deny_rules(project)
    yield from check_skill(os.path.join(project, FOLDER))


TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.hosts.claude_code import events, host, status_line

    hot: base.Events = events
    drawn: base.StatusLine = status_line
    cold: base.Host = host
