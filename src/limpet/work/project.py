"""The project's ``session.yaml``: pipeline, task, squad, modes, lock; written by commands and by hand. What is closed
leaves it for ``archive/work.jsonl``, because every move reads and writes the file whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.config.mirror import SESSION
from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import Fault, explain_fault, load_schema, sift
from limpet.ground.formats.yaml_edit import Path, set_values, with_value
from limpet.ground.formats.yaml_items import remove_items
from limpet.ground.formats.yaml_text import key_lines, load_yaml
from limpet.ground.storage.durable import sync_file
from limpet.ground.storage.files import is_larger, read_text
from limpet.ground.storage.json_lines import append_object
from limpet.ground.storage.text_file import read_strictly, refuse_conflict, refuse_link, replace_text, sole_writer
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.roles.agent import AGENTS_FOLDER, own_files
from limpet.work.in_force import ALIASES, OWN_AGENTS
from limpet.work.markdown_file import refuse_newer

NAME = SESSION
SCHEMA_VERSION = 1
# Seconds for which a command waits while others write, and how often it starts again when the file changed under it.
PATIENCE, TRIES = 20.0, 5

Session = dict[str, Any]
# New values by key, or by a path of keys.
Changes = Mapping[Any, Any]
_HEADER = "# State of the project's work, written by `limpet work agent` and `limpet work`; you can edit it.\n"
_OURS = ("schema_version", "revision")
ARCHIVE = ("archive", "work.jsonl")
NEVER_ROTATED = 2**62
_CLOSED: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "deviations": lambda one: bool(one.get("resolved")),
    "mode_transitions": lambda one: True,
}


class Cut(Value):
    """The removal of the items at these ``places``, from 0, as a list's new value; what stays keeps its bytes."""

    places: tuple[int, ...]


def read_project(workspace: Workspace) -> tuple[Session, list[str]]:
    """Return the session without its empty keys, aliases resolved, and a line for each value that does not count.
    Beside the file's keys it has ``OWN_AGENTS``, where there are any. Raise LimpetError with ``file:line`` where the
    file is no YAML mapping."""
    path = workspace.kept(SESSION)
    refuse_link(path, NAME)
    text = read_text(path, STATE_BYTES)
    if text is None and is_larger(path, STATE_BYTES):
        raise LimpetError(f"File is larger than {STATE_BYTES // 1024} KB and is ignored", NAME, "Fix it by hand.")
    if text is None and os.path.lexists(path):
        raise LimpetError("Cannot read the file", NAME, "Check that it is a file, and its permissions.")
    text = text or ""
    refuse_conflict(text, NAME)
    _, good, faults = _read(text)
    lines = key_lines(text, NAME) if faults else {}
    schema = load_schema("session")
    problems = [f"{NAME}:{lines.get(fault.path, 1)}: {explain_fault(fault, schema)}" for fault in faults]
    return _tidy(workspace, good), problems


def language_of(session: Mapping[str, Any], otherwise: str = "") -> str:
    language = session.get("language")
    return language if isinstance(language, str) and language else otherwise


def change_project(workspace: Workspace, change: Callable[[Session], Changes]) -> Session:
    """Write what ``change`` returns for the session, exclusively; return the new session.

    ``change`` gets the session as ``read_project`` reads it and returns values by key, or by a path of keys for deeper
    ones. None clears; a list is the whole new list, of which items that stay keep their bytes; a ``Cut`` removes items
    from one. It is called again when the file was edited meanwhile; an error that it raises leaves the file as it was.

    Raises LimpetError, with nothing written, for an unknown key, a bad value, a change to a list that holds one, an
    unreadable file, one of a newer version, and a lock that is unavailable.
    """
    lock = workspace.kept("locks", f"{SESSION}.lock")
    with sole_writer(lock, NAME, PATIENCE):
        for _ in range(TRIES):
            session = _change_once(workspace, change)
            if session is not None:
                return session
    raise LimpetError("Another program keeps changing the file", NAME, "Stop that program, then try again.")


def with_changes(session: Session, changes: Changes) -> Session:
    """Return the session as ``change_project`` would leave it, but for a ``Cut``."""
    changed: Any = session
    for key, value in changes.items():
        changed = with_value(changed, _path(key), value, NAME)
    return {key: value for key, value in changed.items() if value is not None}


def accept_changes(changes: Changes) -> dict[Any, Any]:
    """Resolve aliases. Raise LimpetError for a key that commands may not set, or a bad value."""
    schema = load_schema("session")
    for path in map(_path, changes):
        if path[0] not in schema["properties"] or path[0] in _OURS:
            known = ", ".join(name for name in schema["properties"] if name not in _OURS)
            raise LimpetError(f"Unknown key {path[0]}", NAME, f"Keys: {known}")
    for key, value in changes.items():
        nested = value
        for name in reversed(_path(key)):
            nested = {name: nested}
        _, faults = sift(nested, schema)
        if faults:
            raise LimpetError(explain_fault(faults[0], schema), NAME, "Nothing was changed.")
    return {key: _unaliased(key, value) if isinstance(key, str) else value for key, value in changes.items()}


def closed_places(session: Mapping[str, Any], kept: int) -> dict[str, tuple[int, ...]]:
    """Return the places of the closed items of each list, without the newest ``kept``, once there are twice as many.
    The item with the highest id stays, because the next id counts on from it."""
    found = {}
    for name, is_closed in _CLOSED.items():
        items = session.get(name) or []
        closed = [place for place, item in enumerate(items) if is_closed(item)]
        if len(closed) > 2 * kept:
            highest = max((item.get("id") or "" for item in items), key=lambda name: (len(name), name))
            found[name] = tuple(place for place in closed[:-kept] if not highest or items[place].get("id") != highest)
    return found


def archive_closed(workspace: Workspace, kept: int) -> None:
    """The archive comes first: what a crash leaves in both is read once. A file that cannot be changed stays."""

    def cut(session: dict[str, Any]) -> dict[Any, Any]:
        places = closed_places(session, kept)
        text = read_strictly(workspace.kept(SESSION), NAME)
        for name, gone in places.items():
            remove_items(text, (name,), gone, NAME)  # what cannot leave the list must not get into the archive
        for name, gone in places.items():
            for place in gone:
                append_object(workspace.kept(*ARCHIVE), {"list": name, "item": session[name][place]}, NEVER_ROTATED)
        if places:
            sync_file(workspace.kept(*ARCHIVE))  # before they leave the session, which is on the disk at once
        return {name: Cut(gone) for name, gone in places.items()}

    with suppress(LimpetError, OSError, ValueError):
        change_project(workspace, cut)


def _change_once(workspace: Workspace, change: Callable[[Session], Changes]) -> Session | None:
    """Return None when somebody edited the file between reading and writing it."""
    path = workspace.kept(SESSION)
    text = read_strictly(path, NAME)
    written, session, _ = _read(text)
    refuse_newer(written.get("schema_version", SCHEMA_VERSION), SCHEMA_VERSION, NAME)
    changes = change(_tidy(workspace, session))
    cuts = {key: value.places for key, value in changes.items() if isinstance(value, Cut)}
    wanted = accept_changes({key: value for key, value in changes.items() if key not in cuts})
    edits: list[tuple[Path, Any]] = []
    for key, value in wanted.items():
        edits += _edits(written, session, _path(key), value)
    if not (edits or cuts):
        return _tidy(workspace, session)
    edited = text or _HEADER
    for key, places in cuts.items():
        edited = remove_items(edited, (key,), places, NAME)
    revision = written.get("revision")
    known = revision if isinstance(revision, int) else 0
    version = [] if written.get("schema_version") == SCHEMA_VERSION else [(("schema_version",), SCHEMA_VERSION)]
    edited = set_values(edited, [*version, (("revision",), known + 1), *edits], NAME)
    if read_strictly(path, NAME) != text:
        return None
    replace_text(path, edited, NAME, mode=0o600)
    return _tidy(workspace, _read(edited)[1])


def _edits(written: Session, session: Session, path: tuple[str, ...], value: Any) -> Iterator[tuple[Path, Any]]:
    old = _at(written, path)
    if not isinstance(value, list) or not value or not (old is None or isinstance(old, list)):
        if old != value:
            yield path, value
        return
    known = old or []
    if known != (_at(session, path) or []):
        what = f"{'.'.join(path)} has an invalid value"
        raise LimpetError(what, NAME, "Fix it by hand. For the line, run: limpet work status")
    if len(value) < len(known):
        yield path, value
        return
    for place, item in enumerate(value):
        if place >= len(known):
            yield (*path, place), item
        elif known[place] != item:
            old = known[place]
            if isinstance(old, dict) and isinstance(item, dict) and old.keys() <= item.keys():
                yield from (((*path, place, key), value) for key, value in item.items() if old.get(key) != value)
            else:
                yield (*path, place), item


@lru_cache(maxsize=4)
def _read(text: str) -> tuple[Session, Session, list[Fault]]:
    """Return the file's mapping, the same without what does not count, and why; nobody changes them."""
    data = load_yaml(text, NAME)
    if data is not None and not isinstance(data, dict):
        raise LimpetError("Must be a mapping of keys to values", NAME, "Fix the file by hand.")
    written = data or {}
    return (written, *sift(written, load_schema("session")))


def _path(key: str | tuple[str, ...]) -> tuple[str, ...]:
    return (key,) if isinstance(key, str) else key


def _at(values: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        values = values.get(name) if isinstance(values, dict) else None
    return values


def _tidy(workspace: Workspace, session: Session) -> Session:
    """Leave out empty keys, resolve aliases, add the agents that have a file in the project."""
    own = own_files(workspace.path(AGENTS_FOLDER))
    tidy = {key: _unaliased(key, value) for key, value in session.items() if value is not None}
    if not own:
        return tidy
    from limpet.roles.compiled import names_of  # what few projects need

    return {**tidy, OWN_AGENTS: names_of(workspace, own)}


def _unaliased(key: str, value: Any) -> Any:
    return ALIASES.get(key, {}).get(value, value) if isinstance(value, str) else value
