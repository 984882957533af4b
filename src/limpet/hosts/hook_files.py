"""Our hooks in a host's JSON settings, in the shapes that hosts share: below a member the events, each with groups of
handlers or with the handlers themselves."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_edit import HINT, append_item, drop_empty, parse_json_object, reach
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_text
from limpet.ground.storage.user_folders import projects_folder
from limpet.ground.values import Value
from limpet.hosts.base import Events, Registered, Tools
from limpet.hosts.commands.lines import (
    POWERSHELL_NAME,
    HookLine,
    hook_command,
    quiet_command,
    read_command,
    shared_command,
)
from limpet.hosts.records import LOCAL, SHARED, USER, canonical

# Event, line, and the seconds that the host gives it.
Lines = list[tuple[str, HookLine, float]]
# The member that holds the events in most clients' settings.
HOOKS = "hooks"


class Hook(Value):
    """A hook line of ours in a settings file.

    ``root``: the member that holds the events.
    ``group``, ``index``: the place of its group in the event, and its own in the group, -1 where it is no group.
    ``timeout``, ``shell``, ``matcher`` (of its group): as they stand in the file, None for none.
    ``alone``: whether the group holds nothing else.
    """

    event: str
    group: int
    index: int
    command: str
    line: HookLine
    timeout: object = None
    shell: object = None
    matcher: object = None
    alone: bool = True
    root: str = HOOKS

    @property
    def place(self) -> tuple[str, bool]:
        """As of a ``Registration``."""
        return self.event, bool(self.line.quiet)


def read_settings(path: str, skips: re.Pattern[str] | None = None) -> dict[str, object]:
    """Return nothing where there is no file, no JSON object in it, or too much. ``skips``: what its client passes over
    there."""
    text = read_text(path, STATE_BYTES)
    if skips and text:
        with suppress(LimpetError):
            return parse_json_object(text, path, skips)
    return read_object(text)


def find_hooks(settings: object, host: str) -> list[Hook]:
    """The order is that of the file; members of another shape are ignored."""
    found: list[Hook] = []
    for root, event, number, group in _groups(settings):
        handlers = _handlers(group)
        for index, handler in enumerate(handlers):
            line = read_command(handler.get("command"))
            if line and line.host == host:
                hook = Hook(
                    event=event,
                    group=number,
                    index=-1 if handler is group else index,
                    command=handler["command"],
                    line=line,
                    timeout=handler.get("timeout"),
                    shell=handler.get("shell"),
                    matcher=group.get("matcher"),
                    alone=len(handlers) == 1,
                    root=root,
                )
                found.append(hook)
    return found


def other_commands(settings: object, names: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for _, event, _, group in _groups(settings):
        if event in names:
            found += [str(handler["command"]) for handler in _handlers(group) if handler.get("command")]
    return [command for command in dict.fromkeys(found) if not read_command(command)]


def _groups(settings: object) -> Iterator[tuple[str, str, int, dict[str, Any]]]:
    """(member, event, number, group), where a handler that stands by itself counts as a group."""
    for root, events in settings.items() if isinstance(settings, dict) else ():
        for event, groups in events.items() if isinstance(events, dict) else ():
            for number, group in enumerate(groups if isinstance(groups, list) else ()):
                if isinstance(group, dict):
                    yield root, event, number, group


def _handlers(group: dict[str, Any]) -> list[dict[str, Any]]:
    handlers = group.get("hooks", [group])
    if not isinstance(handlers, list):
        return []
    return [each if isinstance(each, dict) else {} for each in handlers]


def forbidden_file() -> str:
    """One that the guard lets no agent read, whoever is in force: a trial is the call that does."""
    return os.path.join(projects_folder(), "trial")


def forbidden_command() -> dict[str, object]:
    return {"command": f"cat {shlex.quote(forbidden_file())}"}


def make_registrations(
    host: str,
    timeouts: Mapping[str, int],
    matchers: Mapping[str, str],
    shared: bool,
    shell: str = "",
    unit: int = 1,
    root: str = HOOKS,
    flat: Callable[[str], bool] = lambda event: False,
) -> tuple[Registration, ...]:
    """``shared``: for a committed file. ``unit``: what the host's settings count in a second.
    ``flat``: an event -> whether it has handlers without groups."""
    line = shared_command if shared else hook_command
    found = []
    for event, seconds in timeouts.items():
        made = Registration(host, event, line(host, event), seconds * unit, shell, matchers.get(event, ""))
        found.append(made.replace(root=root, flat=flat(event)))
    return tuple(found)


def with_reading_apart(
    registrations: tuple[Registration, ...], event: str, reading: tuple[str, ...], variable: str
) -> tuple[Registration, ...]:
    """Have the tools of ``event`` that only read run a line of their own, which may end before it starts anything;
    ``variable``: the one that names the project to hooks."""
    found: list[Registration] = []
    for each in registrations:
        if each.event != event:
            found.append(each)
            continue
        others = "|".join(tool for tool in each.matcher.split("|") if tool not in reading)
        command = quiet_command(each.command, variable)
        found += [each.replace(matcher=others), each.replace(matcher="|".join(reading), command=command)]
    return tuple(found)


class Registration(Value):
    """An event to be answered.

    ``timeout``: in the unit of the host's settings.
    ``shell``: the one that is to run the line, "" for the host's usual one.
    ``matcher``: what the event must be about, "" for anything.
    ``root``, ``flat``: the member that holds the events, and whether this one has its handlers without groups.
    """

    host: str
    event: str
    command: str
    timeout: int
    shell: str = ""
    matcher: str = ""
    others: Mapping[str, object] = {}
    root: str = HOOKS
    flat: bool = False

    @property
    def place(self) -> tuple[str, bool]:
        """The event, and whether it is for the tools that only read."""
        line = read_command(self.command)
        return self.event, bool(line and line.quiet)


class HookFiles:
    """A host's settings files with hooks in this shape. Of each host a class says what differs.

    ``NAME``, ``TITLE``, ``SCOPES``, ``EVENTS``: as ``Host`` explains them.
    ``INSERTING``: its names of the events at which what a hook prints reaches the model before it begins.
    ``UNIT``: what its timeouts count in a second.
    ``HEAD``: members that its file has to have.
    ``ROOT``: the member that holds the events.
    """

    NAME: str
    TITLE: str
    INSERTING: tuple[str, ...]
    SCOPES: tuple[str, ...] = (LOCAL, SHARED, USER)
    UNIT = 1
    HEAD: Mapping[str, object] = {}
    ROOT = HOOKS
    SKIPS: re.Pattern[str] | None = None

    def __init__(self, events: Events, tools: Tools) -> None:
        self.TIMEOUTS, self.MATCHERS = events.TIMEOUTS, tools.MATCHERS
        self.EVENTS = tuple(events.TIMEOUTS)

    def place(self, scope: str, project: str) -> str:
        """Return the settings file as the host names it; two scopes may have the same."""
        raise NotImplementedError

    def make_fields(self, session: str, project: str) -> dict[str, dict[str, object]]:
        """Return what a trial sends with each event, beside the conversation, folder and name."""
        raise NotImplementedError

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
            found += [(path, command) for command in other_commands(read_settings(path, self.SKIPS), self.INSERTING)]
        return tuple(found)

    def private_files(self, project: str) -> tuple[str, ...]:
        return (canonical(self.place(LOCAL, project)),)

    def scope_of(self, path: str, project: str, hooks: list[Hook]) -> str:
        """Where the project has one file for both scopes, the lines tell whether they are for one machine."""
        scopes = [scope for scope in self.SCOPES if canonical(self.place(scope, project)) == path]
        if SHARED in scopes and LOCAL in scopes:
            return LOCAL if any(hook.line.launcher or hook.line.python for hook in hooks) else SHARED
        return scopes[0] if scopes else LOCAL

    def _found(self, paths: dict[str, str], project: str) -> tuple[Registered, ...]:
        known = []
        for path in paths:
            hooks = find_hooks(read_settings(path, self.SKIPS), self.NAME)
            if hooks:
                scope = self.scope_of(path, project, hooks)
                known.append(Registered(scope, path, tuple(dict.fromkeys(hook.event for hook in hooks))))
        return tuple(sorted(known, key=lambda each: self.SCOPES.index(each.scope)))


def add_hooks(settings: dict[str, Any], registrations: tuple[Registration, ...], where: str) -> None:
    """A line of ours for an event is updated in its place, others of ours go. Raise LimpetError for hooks that are not
    shaped like a host's."""
    for root in dict.fromkeys(registration.root for registration in registrations):
        for event, groups in reach(settings, (root,), where).items():
            if not isinstance(groups, list) and root == HOOKS:  # elsewhere a switch may stand beside the events
                raise LimpetError(f"{root}.{event} is not a list", where, HINT)
    wanted = {registration.place for registration in registrations}
    for host in {registration.host for registration in registrations}:
        left = [hook for hook in find_hooks(settings, host) if hook.place not in wanted]
        remove_hooks(settings, left, {})
    for registration in registrations:
        _add_hook(settings, registration)


def remove_hooks(settings: dict[str, Any], hooks: list[Hook], original: object) -> None:
    """``original``: the data before we came; objects and lists that we emptied stay if they were there then."""
    for hook in reversed(hooks):
        groups = settings[hook.root][hook.event]
        handlers = groups[hook.group].get("hooks") or []
        if handlers:
            del handlers[hook.index]
        if not handlers:
            del groups[hook.group]
        drop_empty(settings, (hook.root, hook.event), original)


def _add_hook(settings: dict[str, Any], wanted: Registration) -> None:
    if wanted.matcher:  # a hook beside somebody else's, in a group for other things than it has to hear of, goes
        beside = [hook for hook in _ours(settings, wanted) if hook.matcher != wanted.matcher and not hook.alone]
        remove_hooks(settings, beside, {})
    ours = _ours(settings, wanted)
    if not ours:
        handler = {"type": "command", "command": wanted.command, "timeout": wanted.timeout, **wanted.others}
        handler |= {"shell": wanted.shell} if wanted.shell else {}
        matcher = {"matcher": wanted.matcher} if wanted.matcher else {}
        group = {**handler, **matcher} if wanted.flat else {**matcher, "hooks": [handler]}
        append_item(settings, (wanted.root, wanted.event), group)
        return
    group = settings[ours[0].root][wanted.event][ours[0].group]
    handler = group if ours[0].index < 0 else group["hooks"][ours[0].index]
    handler["command"] = wanted.command
    if wanted.matcher:
        group["matcher"] = wanted.matcher
    if wanted.shell:
        handler["shell"] = wanted.shell
    elif ours[0].shell == POWERSHELL_NAME:
        del handler["shell"]
    remove_hooks(settings, ours[1:], {})


def _ours(settings: dict[str, Any], wanted: Registration) -> list[Hook]:
    return [hook for hook in find_hooks(settings, wanted.host) if hook.place == wanted.place]
