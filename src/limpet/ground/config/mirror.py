"""Reads settings and session for the prompt hook, from JSON that a second process makes of changed YAML."""

from __future__ import annotations

import os

from limpet import __version__
from limpet.ground.clock import UNHURRIED, Clock, Patience
from limpet.ground.config.defaults import CACHE_BYTES, DEFAULTS
from limpet.ground.formats.json_text import dumps, loads, read_object
from limpet.ground.storage.files import Lock, read_text, remove_file, stamp, write_if_possible
from limpet.ground.storage.user_folders import project_cache, settings_files
from limpet.ground.trust.consent import consent_path
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, is_bound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.ground.workspace import Workspace

# The specs' state, which speaks without settings and session, as the project's own agents do.
SPECS = "manifest.yaml"
ALONE = (SPECS, "agents")
# Seconds that the compiler must have had to count as failed, where its deadline is longer.
ENOUGH = 1.0
LATE = "settings changed, but reading them took too long; using the previous ones"
_NUMBERS = (int, float)
SESSION = "session.yaml"
MIRROR = "mirror.json"


class Mirror(Value):
    """``work``: the view of the work that ``operations.mirror`` makes of the project's files.
    ``problems``: a line for each mistake in the files.
    ``note``: the reason why all this may be out of date, "" where it is not.
    ``kept``: whether the next reader finds it on the disk.
    ``agents``: the compiled agents, where they could not be kept either; else None.
    """

    settings: dict[str, Any]
    session: dict[str, Any]
    work: dict[str, Any] = {}
    problems: tuple[str, ...] = ()
    note: str = ""
    kept: bool = True
    agents: dict[str, dict[str, Any]] | None = None


def mirror_path(workspace: Workspace) -> str:
    return workspace.cached(MIRROR)


def read_mirror(workspace: Workspace, clock: Clock = UNHURRIED) -> Mirror:
    """Gives the compiler ``hosts.compiler_deadline_ms``, within what the clock leaves; for files that it could not
    compile then it is not waited for again until one of them changes. Raise nothing."""
    files = source_files(workspace)
    last = _parse(read_text(mirror_path(workspace), CACHE_BYTES))
    known = _mirror(last)
    if _is_fresh(last, files):
        return known
    if all(stamp(path) is None for path in (*yaml_files(workspace), *map(workspace.path, ALONE))):
        return Mirror(settings=DEFAULTS, session={})
    marks = {path: _mark(path) for path in (*files, *last.get("sources", ()))}
    if _read_failed(workspace) == marks:
        return known.replace(note=LATE)
    patience = Patience(known.settings["hosts"]["compiler_deadline_ms"] / 1000, clock)
    had_its_time = clock.left() > min(patience.seconds, ENOUGH)
    made = _compile_once(workspace, last, patience)
    if made.get("product") == __version__:
        kept = _parse(read_text(mirror_path(workspace), CACHE_BYTES)) != last
        return _mirror(made).replace(kept=kept, **({"agents": None} if kept else {}))
    if had_its_time and write_if_possible(_failed_path(workspace), dumps(marks)):
        start_compiler(workspace)  # which nobody waits for: the machine may have been busy
    return known.replace(note=LATE)


def read_last_mirror(workspace: Workspace) -> Mirror | None:
    """As it was compiled last: for who cannot wait for a compiler. None where something was there to be compiled, and
    this version compiled nothing that can be read. While a conversation is bound by what held before its project lost
    the user's trust, that of the project stands in."""
    last = _parse(read_text(mirror_path(workspace), CACHE_BYTES))
    if not last and is_bound(workspace):
        former = project_cache(os.path.join(workspace.stranger, FOLDER))
        last = _parse(read_text(os.path.join(former, MIRROR), CACHE_BYTES))
    if last.get("product") == __version__:
        return _mirror(last)
    is_empty = all(stamp(path) is None for path in yaml_files(workspace))
    return Mirror(settings=DEFAULTS, session={}) if is_empty else None


def drop_mirror(workspace: Workspace) -> None:
    remove_file(mirror_path(workspace))


def run_compiler(workspace: Workspace, patience: Patience) -> str | None:
    """The compiler's output, which it also writes where it can; None when it fails or is late."""
    from limpet.ground.processes import own_command, run_child

    done = run_child(own_command("limpet.operations.mirror", workspace.home, workspace.state), patience)
    return done.stdout.decode("ascii", "replace") if done else None


def start_compiler(workspace: Workspace) -> None:
    import subprocess

    from limpet.ground.processes import own_command

    nothing = subprocess.DEVNULL
    try:
        subprocess.Popen(
            own_command("limpet.operations.mirror", workspace.home, workspace.state),
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "DETACHED_PROCESS", 0),
        )
    except (OSError, ValueError):
        return


def yaml_files(workspace: Workspace) -> tuple[str, ...]:
    return (*settings_files(workspace), workspace.kept(SESSION))


def source_files(workspace: Workspace) -> tuple[str, ...]:
    """Whether or not they are there: the user's word says which settings count."""
    return (*yaml_files(workspace), consent_path(workspace))


def _failed_path(workspace: Workspace) -> str:
    return workspace.cached("mirror.failed")


def _mark(path: str) -> list[int] | None:
    found = stamp(path)
    return None if found is None else [*found]


def _read_failed(workspace: Workspace) -> object:
    try:
        return loads(read_text(_failed_path(workspace), CACHE_BYTES) or "null")
    except ValueError:
        return None


def _parse(text: str | None) -> dict[str, Any]:
    data = read_object(text)
    shape = {"sources": dict, "settings": dict, "session": dict, "problems": list}
    if not all(isinstance(data.get(key), kind) for key, kind in shape.items()):
        return {}
    if not all(isinstance(data["settings"].get(section), dict) for section in DEFAULTS):
        return {}
    if data.get("product") == __version__ and not _is_like(data["settings"], DEFAULTS):
        data["product"] = "spoilt"
    return data


def _is_fresh(data: dict[str, Any], files: tuple[str, ...]) -> bool:
    if data.get("product") != __version__:
        return False
    seen = data["sources"]
    return all(path in seen for path in files) and all(_mark(path) == mark for path, mark in seen.items())


def _is_like(value: dict[str, Any], default: dict[str, Any]) -> bool:
    for key, item in default.items():
        found, kind = value.get(key), type(item)
        if kind is dict:
            if type(found) is not dict or not _is_like(found, item):
                return False
        elif type(found) is not kind and not (kind in _NUMBERS and type(found) in _NUMBERS):
            return False
    return True


def _mirror(data: dict[str, Any]) -> Mirror:
    """Of another version, whose settings may lack keys, only the session counts."""
    current = data.get("product") == __version__
    settings = data["settings"] if current else DEFAULTS
    problems = tuple(map(str, data["problems"])) if current else ()
    work, agents = (data.get("work"), data.get("agents")) if current else ({}, None)
    return Mirror(
        settings=settings,
        session=data.get("session", {}),
        work=work if isinstance(work, dict) else {},
        problems=problems,
        agents=agents if isinstance(agents, dict) else None,
    )


def _compile_once(workspace: Workspace, last: dict[str, Any], patience: Patience) -> dict[str, Any]:
    path = mirror_path(workspace)
    lock = workspace.kept("locks", "mirror.lock")
    with Lock(lock, patience=0) as first:
        if first or not os.access(os.path.dirname(lock), os.W_OK):
            data = _parse(read_text(path, CACHE_BYTES))
            return data if _is_fresh(data, source_files(workspace)) else _parse(run_compiler(workspace, patience))
    with Lock(lock, patience.clock.left(patience.seconds)):
        data = _parse(read_text(path, CACHE_BYTES))
    if data == last and patience.clock.left() and not os.access(workspace.cache, os.W_OK):
        return _parse(run_compiler(workspace, patience))
    return {} if data == last else data
