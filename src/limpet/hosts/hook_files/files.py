"""The settings files of a host that hold our hooks: where they are, and which of them a session obeys."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER
from limpet.hosts.base import Registered
from limpet.hosts.commands.lines import hook_command, shared_command
from limpet.hosts.hook_files.edits import Registration
from limpet.hosts.hook_files.hooks import Hook, find_hooks, other_commands, read_settings
from limpet.hosts.records.record import canonical
from limpet.hosts.scope import LOCAL, SHARED

FORBIDDEN = f"{FOLDER}/events/trial"
"""A file that the guard lets no agent read, whoever is in force: a trial is the call that does."""


class HookFiles(Value):
    """What is known of a host whose settings hold hooks in the shared shape.

    ``host``, ``title``: its name in the registry and for people.
    ``scopes``: those that it has settings for, the strongest first.
    ``place``: (scope, project) -> the settings file as the host names it; two scopes may have the same.
    ``in_force``: folder -> path -> scope of the files that a session begun there obeys, the strongest first.
    ``registrations``: whether the file is committed -> our hooks.
    ``inserting``: its names of the events at which what a hook prints reaches the model before it begins.
    ``sent``: (event, conversation, project) -> what the host would send beside these three, for a trial.
    ``unit``: what its timeouts count in a second.
    ``take_rest``: (text, the text before we came) -> the text without what else of ours such a file may hold.
    """

    host: str
    title: str
    scopes: tuple[str, ...]
    place: Callable[[str, str], str]
    in_force: Callable[[str], dict[str, str]]
    registrations: Callable[[bool], tuple[Registration, ...]]
    inserting: tuple[str, ...]
    sent: Callable[[str, str, str], dict[str, object]]
    unit: int = 1
    take_rest: Callable[[str, str], str] = lambda text, original: text


def registered(files: HookFiles, project: str) -> tuple[Registered, ...]:
    """Return the settings files with hooks of ours, in the order of the scopes."""
    return _found(files, {canonical(files.place(scope, project)): scope for scope in reversed(files.scopes)}, project)


def in_force(files: HookFiles, folder: str) -> tuple[Registered, ...]:
    """Return those that a session in ``folder`` obeys."""
    return _found(files, files.in_force(folder), folder)


def other_hooks(files: HookFiles, folder: str) -> tuple[tuple[str, str], ...]:
    """Return (settings file, command) of others' hooks whose words reach the model in a session in ``folder``."""
    found = ((path, other_commands(read_settings(path), files.inserting)) for path in files.in_force(folder))
    return tuple((path, command) for path, commands in found for command in commands)


def written_files(files: HookFiles, project: str) -> tuple[str, ...]:
    """Return the settings files of every scope."""
    return tuple(dict.fromkeys(canonical(files.place(scope, project)) for scope in files.scopes))


def private_files(files: HookFiles, project: str) -> tuple[str, ...]:
    """Return the file whose lines name paths of this machine."""
    return (canonical(files.place(LOCAL, project)),)


def make_registrations(
    host: str,
    timeouts: Mapping[str, int],
    matchers: Mapping[str, str],
    shared: bool,
    shell: str = "",
    unit: int = 1,
    others: Callable[[str], Mapping[str, object]] = lambda event: {},
) -> tuple[Registration, ...]:
    """Return the registration of each event, with the line for a committed file (``shared``) or for this machine.

    ``unit``: what the host's settings count in a second.
    ``shell``: as in a registration.
    ``others``: an event -> the further members of its handler.
    """
    line = shared_command if shared else hook_command
    return tuple(
        Registration(host, event, line(host, event), seconds * unit, shell, matchers.get(event, ""), others(event))
        for event, seconds in timeouts.items()
    )


def scope_of(files: HookFiles, path: str, project: str, hooks: list[Hook]) -> str:
    """Return the scope of the hooks in a file: where the project has one file for both, their lines tell whether they
    are for one machine."""
    scopes = [scope for scope in files.scopes if canonical(files.place(scope, project)) == path]
    if SHARED in scopes and LOCAL in scopes:
        return LOCAL if any(hook.line.launcher or hook.line.python for hook in hooks) else SHARED
    return scopes[0] if scopes else LOCAL


def _found(files: HookFiles, paths: dict[str, str], project: str) -> tuple[Registered, ...]:
    found = {path: find_hooks(read_settings(path), files.host) for path in paths}
    known = [
        Registered(scope_of(files, path, project, hooks), path, tuple(hook.event for hook in hooks))
        for path, hooks in found.items()
        if hooks
    ]
    return tuple(sorted(known, key=lambda each: files.scopes.index(each.scope)))
