"""A host whose settings hold hooks in the shape that hosts share, and that is given the skill: all of the Protocol
``Host`` that is the same for such hosts. Separate from ``base``, which says what may be asked of any."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from limpet.ground.workspace import FOLDER, Workspace
from limpet.hosts.base import Headless, Host, OwnRules
from limpet.hosts.checks import Check
from limpet.hosts.file_changes import ChangePlan
from limpet.hosts.hook_checks import check_lines, check_settings, try_lines
from limpet.hosts.hook_files import HookFiles, Registration, make_registrations
from limpet.hosts.hook_install import plan_hooks, plan_hooks_removal
from limpet.hosts.records import canonical
from limpet.hosts.skills import AGENTS, check_skill, plan_skill, plan_skill_removal, skill_files


class HookHost(HookFiles, Host):
    """``SIGNS``: of a project in which it is used. ``SKILLS``: where it reads skills."""

    SIGNS: tuple[str, ...]
    WHY_NOT: Mapping[str, str] = {}
    HEADLESS: Headless | None = None
    SKILLS = AGENTS
    SUB_AGENTS = ""
    CONSENT = ""

    def is_used(self, project: str) -> bool:
        return any(os.path.exists(os.path.join(project, *sign.split("/"))) for sign in self.SIGNS)

    def find_hindrance(self, project: str) -> tuple[str, str]:
        """Where a host keeps whom it trusts may not be documented."""
        return "", ""

    def written_files(self, project: str) -> tuple[str, ...]:
        paths = dict.fromkeys(canonical(self.place(scope, project)) for scope in self.SCOPES)
        return (*paths, *skill_files(os.path.join(project, FOLDER), self.SKILLS))

    def plan_install(self, home: str, scope: str) -> ChangePlan:
        return plan_hooks(self, home, scope) + plan_skill(home, scope, self.SKILLS)

    def plan_removal(self, home: str, scopes: tuple[str, ...]) -> ChangePlan:
        """The skill goes first: its folder must be gone before the settings' own can be."""
        return plan_skill_removal(home, scopes, self.SKILLS) + plan_hooks_removal(self, home, scopes)

    def find_deny_rules(self, project: str) -> OwnRules | None:
        return None

    def plan_deny_rules(self, home: str, wanted: bool) -> ChangePlan:
        return ChangePlan()

    def plan_writing(self, home: str, name: str) -> ChangePlan:
        return ChangePlan()

    def check(self, project: str) -> Iterator[Check]:
        yield from self.check_registration(project)
        yield from check_lines(self, project)
        yield from check_skill(os.path.join(project, FOLDER), self.SKILLS)

    def check_registration(self, project: str) -> Iterator[Check]:
        return check_settings(self, project)

    def try_hooks(self, workspace: Workspace) -> Iterator[Check]:
        return try_lines(self, workspace)


class FlatHost(HookHost):
    """One whose events have their handlers without groups."""

    HEAD = {"version": 1}

    def registrations(self, shared: bool) -> tuple[Registration, ...]:
        return make_registrations(self.NAME, self.TIMEOUTS, self.MATCHERS, shared, flat=lambda event: True)
