"""A host whose settings hold hooks in the shape that hosts share, and that is given the skill: all of the Protocol
``Host`` that is the same for such hosts. Separate from ``base``, which says what may be asked of any."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from limpet.ground.workspace import FOLDER, Workspace
from limpet.hosts.base import Events, Headless, Host, OwnRules, Registered, Tools
from limpet.hosts.checks import Check
from limpet.hosts.file_changes import ChangePlan
from limpet.hosts.hook_checks import Lines, check_lines, check_settings, try_lines
from limpet.hosts.hook_files import (
    HOOKS,
    Hook,
    Registration,
    find_hooks,
    make_registrations,
    other_commands,
    read_settings,
)
from limpet.hosts.hook_install import plan_hooks, plan_hooks_removal
from limpet.hosts.records import LOCAL, SHARED, USER, canonical
from limpet.hosts.skills import AGENTS, check_skill, plan_skill, plan_skill_removal, skill_files


class HookHost(Host):
    """Of each host a class says what differs, beside what ``Host`` explains.

    ``INSERTING``: its names of the events at which what a hook prints reaches the model before it begins.
    ``UNIT``: what its timeouts count in a second.
    ``HEAD``: members that its file has to have.
    ``ROOT``: the member that holds the events.
    """

    INSERTING: tuple[str, ...]
    WHY_NOT: Mapping[str, str] = {}
    SCOPES: tuple[str, ...] = (LOCAL, SHARED, USER)
    HEADLESS: Headless | None = None
    SKILLS = AGENTS
    SUB_AGENTS = ""
    CONSENT = ""
    UNIT = 1
    HEAD: Mapping[str, object] = {}
    ROOT = HOOKS

    def __init__(self, events: Events, tools: Tools) -> None:
        self.TIMEOUTS, self.MATCHERS = events.TIMEOUTS, tools.MATCHERS
        self.EVENTS = tuple(events.TIMEOUTS)

    def place(self, scope: str, project: str) -> str:
        """Return the settings file as the host names it; two scopes may have the same."""
        raise NotImplementedError

    def make_fields(self, session: str, project: str) -> dict[str, dict[str, object]]:
        """Return what a trial sends with each event, beside the conversation, folder and name."""
        raise NotImplementedError

    def find_hindrance(self, project: str) -> tuple[str, str]:
        """Where a host keeps whom it trusts may not be documented."""
        return "", ""

    def registrations(self, shared: bool) -> tuple[Registration, ...]:
        """``shared``: for a committed file."""
        return make_registrations(self.NAME, self.TIMEOUTS, self.MATCHERS, shared, unit=self.UNIT)

    def root_of(self, folder: str) -> str:
        """Return the folder whose settings hold for a session begun in ``folder``."""
        return folder

    def files_in_force(self, folder: str) -> dict[str, str]:
        """Path -> scope of the files that a session begun there obeys, the strongest first."""
        found: dict[str, str] = {}
        for scope in self.SCOPES:
            found.setdefault(canonical(self.place(scope, self.root_of(folder))), scope)
        return found

    def take_rest(self, text: str, original: str) -> str:
        """Return a file's text without what of ours it may hold beside hooks. ``original``: the text before we came."""
        return text

    def drawn(self, path: str) -> Lines:
        """Return a settings file's lines for what the host draws, which answer in no shape of its hooks."""
        return []

    def registered(self, project: str) -> tuple[Registered, ...]:
        paths = {canonical(self.place(scope, project)): scope for scope in reversed(self.SCOPES)}
        return self._found(paths, project)

    def in_force(self, folder: str) -> tuple[Registered, ...]:
        return self._found(self.files_in_force(folder), folder)

    def other_hooks(self, folder: str) -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        for path in self.files_in_force(folder):
            found += [(path, command) for command in other_commands(read_settings(path), self.INSERTING)]
        return tuple(found)

    def private_files(self, project: str) -> tuple[str, ...]:
        return (canonical(self.place(LOCAL, project)),)

    def written_files(self, project: str) -> tuple[str, ...]:
        paths = dict.fromkeys(canonical(self.place(scope, project)) for scope in self.SCOPES)
        return (*paths, *skill_files(os.path.join(project, FOLDER), self.SKILLS))

    def scope_of(self, path: str, project: str, hooks: list[Hook]) -> str:
        """Where the project has one file for both scopes, the lines tell whether they are for one machine."""
        scopes = [scope for scope in self.SCOPES if canonical(self.place(scope, project)) == path]
        if SHARED in scopes and LOCAL in scopes:
            return LOCAL if any(hook.line.launcher or hook.line.python for hook in hooks) else SHARED
        return scopes[0] if scopes else LOCAL

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

    def _found(self, paths: dict[str, str], project: str) -> tuple[Registered, ...]:
        known = []
        for path in paths:
            hooks = find_hooks(read_settings(path), self.NAME)
            if hooks:
                scope = self.scope_of(path, project, hooks)
                known.append(Registered(scope, path, tuple(dict.fromkeys(hook.event for hook in hooks))))
        return tuple(sorted(known, key=lambda each: self.SCOPES.index(each.scope)))


class FlatHost(HookHost):
    """One whose events have their handlers without groups."""

    HEAD = {"version": 1}

    def registrations(self, shared: bool) -> tuple[Registration, ...]:
        return make_registrations(self.NAME, self.TIMEOUTS, self.MATCHERS, shared, flat=lambda event: True)
