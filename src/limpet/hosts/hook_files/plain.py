"""What is done in a host that is given nothing but hooks and the skill: most of the Protocol ``Host``."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.ground.workspace import FOLDER, Workspace
from limpet.hosts.base import OwnRules
from limpet.hosts.doctor.checks import Check
from limpet.hosts.file_changes import Plan
from limpet.hosts.hook_files import files as hook_files
from limpet.hosts.hook_files import install
from limpet.hosts.hook_files.checks import check_lines, check_registration
from limpet.hosts.hook_files.files import HookFiles
from limpet.hosts.skills import Skills, check_skill, plan_skill, plan_skill_removal, skill_files


def plan_install(files: HookFiles, skills: Skills, home: str, scope: str) -> Plan:
    """Return the changes for the hooks of a scope, and the skill. Raise LimpetError."""
    return install.plan_install(files, home, scope) + plan_skill(home, scope, skills)


def plan_removal(files: HookFiles, skills: Skills, home: str, scopes: tuple[str, ...]) -> Plan:
    """Return the changes that undo it."""
    return plan_skill_removal(home, scopes, skills) + install.plan_removal(files, home, scopes)


def written_files(files: HookFiles, skills: Skills, project: str) -> tuple[str, ...]:
    """Return the settings files and those of the skill."""
    return (*hook_files.written_files(files, project), *skill_files(os.path.join(project, FOLDER), skills))


def check(files: HookFiles, skills: Skills, project: str) -> Iterator[Check]:
    """Yield the checks of hooks, of the programs that they name, and of the skill."""
    yield from check_registration(files, project)
    yield from check_lines(files, project)
    yield from check_skill(os.path.join(project, FOLDER), skills)


def try_hooks(files: HookFiles, workspace: Workspace) -> Iterator[Check]:
    """Run every line of ours, as the host does."""
    from limpet.hosts.hook_files.trial import try_hooks as try_lines  # here: what looks at a host tries nothing

    return try_lines(files, workspace)


def find_deny_rules(project: str) -> OwnRules | None:
    """Return None: the host has no rules of its own that we add to."""
    return None


def plan_deny_rules(home: str, wanted: bool) -> Plan:
    """Return no changes."""
    return Plan()
