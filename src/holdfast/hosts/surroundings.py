"""Finds the coding agent around this process: by the variables of commands that it runs, or among the processes above.

Its facts are ``framework/clients.json``, which also knows agents that are no hosts of ours.
"""

from __future__ import annotations

import os

import holdfast
from holdfast.ground.formats.json_text import loads
from holdfast.ground.processes import read_ancestors
from holdfast.ground.storage.confinement import lies_in
from holdfast.ground.storage.files import read_text
from holdfast.ground.workspace import Workspace, find_workspace
from holdfast.operations.surroundings import Surroundings
from holdfast.work.conversation import known_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from holdfast.ground.processes import Process

FILE = os.path.join(os.path.dirname(os.path.abspath(holdfast.__file__)), "framework", "clients.json")
_ENDINGS = (".exe", ".cmd", ".js", ".mjs", ".cjs", ".py")

_read: dict[str, Any] = {}


def read_surroundings(environment: Mapping[str, str]) -> Surroundings:
    """Return what is around this process; the table of processes is read only where no variable names an agent."""
    around = find_surroundings(environment)
    return around if around.host else find_surroundings(environment, read_ancestors())


def find_surroundings(environment: Mapping[str, str], ancestors: Iterable[Process] = ()) -> Surroundings:
    """Return the coding agent and the conversation around this process: by its variables, else the nearest of the
    ``ancestors`` that is one. An agent that is only named in the arguments of another program is none."""
    clients = _table()["clients"]
    for name, client in clients.items():
        if any(map(environment.get, client["variables"])):
            return Surroundings(name, environment.get(client["conversation"], ""))
    return next((Surroundings(name) for name in map(_client, ancestors) if name), Surroundings())


def ways_in(client: str) -> tuple[str, ...]:
    """Return the ways in which a person can give their word in a coding agent's conversation."""
    return tuple(_table()["clients"].get(client, {}).get("ways", ()))


def shell_of_client(ancestors: Sequence[Process]) -> float | None:
    """Return when the process began in which the nearest coding agent runs this one, None without an agent above it, or
    directly below one."""
    place = next((place for place, process in enumerate(ancestors) if _client(process)), 0)
    return ancestors[place - 1].started if place else None


def is_nested(ancestors: Iterable[Process]) -> bool:
    """Return whether the coding agent above this process was started by another one: there is another process between
    them, such as the shell of a command."""
    names = [_client(process) for process in ancestors]
    return sum(bool(name) and (place == 0 or not names[place - 1]) for place, name in enumerate(names)) > 1


def project_around(folder: str, environment: Mapping[str, str]) -> Workspace | None:
    """Return the project that a command run in this folder is about: the one of the conversation around this process if
    the folder lies in it, whatever ``.holdfast`` is nearer; else the nearest, None for none."""
    own = known_project(find_surroundings(environment).conversation)
    inside = own and lies_in(os.path.realpath(own.root), os.path.realpath(folder))
    return own if inside else find_workspace(folder)


def variables_of_hosts() -> frozenset[str]:
    """Return the variables by which coding agents mark the commands that they run."""
    known = _table()["clients"].values()
    return frozenset(name for client in known for name in (*client["variables"], client["conversation"]) if name)


def _client(process: Process) -> str:
    """Return the name of the coding agent that a process is, "" for none."""
    paths = tuple(_programs(process.words))
    clients = _table()["clients"].items()
    return next((name for name, each in clients if any(_is_one(path, each["programs"]) for path in paths)), "")


def _table() -> dict[str, Any]:
    if not _read:
        table: Any = loads(read_text(FILE) or "{}")
        _read.update(table)
    return _read


def _programs(words: tuple[str, ...]) -> Iterable[str]:
    """Yield the path of the program, and that of the script that an interpreter runs."""
    path = words[0].replace("\\", "/") if words else ""
    yield path
    valued = _table()["interpreters"].get(_name_of(path).rstrip("0123456789."))
    left = iter(words[1:] if valued is not None else ())
    for word in left:
        if not word.startswith("-") and word != "run":
            yield word.replace("\\", "/")
            return
        if word in valued:
            next(left, "")


def _is_one(path: str, programs: Iterable[str]) -> bool:
    name, inside = _name_of(path), f"/{path.lower()}/"
    return any(f"/{known}/" in inside if "/" in known else known == name for known in programs)


def _name_of(path: str) -> str:
    name = path.rpartition("/")[2].lower()
    return next((name.removesuffix(ending) for ending in _ENDINGS if name.endswith(ending)), name)
