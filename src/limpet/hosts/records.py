"""The record of what was installed where, by which it is removed without a trace or written anew."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from limpet import __version__
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import names_in, read_bytes, read_text
from limpet.ground.storage.user_folders import PROJECTS, project_key, state_folder
from limpet.hosts.file_changes import PRIVATE, ChangePlan, FileChange, parents

# Of one file, and of files by their paths.
Entry = dict[str, object]
Record = dict[str, Entry]

NAME = "install.json"
# One's own in this project; all people's, in a file that git keeps; one's own in all projects.
LOCAL, SHARED, USER = "local", "shared", "user"


def project_record(home: str) -> str:
    return os.path.join(state_folder(), PROJECTS, project_key(os.path.dirname(home)), NAME)


def user_record() -> str:
    return os.path.join(state_folder(), NAME)


def record_path(home: str, scope: str) -> str:
    return user_record() if scope == USER else project_record(home)


def all_records() -> tuple[str, ...]:
    folder = os.path.join(state_folder(), PROJECTS)
    paths = (user_record(), *(os.path.join(folder, name, NAME) for name in names_in(folder)))
    return tuple(filter(os.path.isfile, paths))


def read_record(path: str) -> Record:
    """Return the entry of each changed file, by its absolute path.

    ``host`` and ``scope``: no scope where the file has nothing of ours but deny rules.
    ``after``: the sha256 of the bytes that we wrote.
    ``original``: the bytes from before in base64, None where there was no file.
    ``folders``: how many folders were made for it.
    ``status_line``: the one that ours replaced in this file.
    ``runs``: the one from a file of the project that ours runs, as it was when it was installed.
    """
    files = read_object(read_text(path, STATE_BYTES)).get("files")
    if not isinstance(files, dict):
        return {}
    return {canonical(name): entry for name, entry in files.items() if isinstance(entry, dict)}


def recorded_root(path: str) -> str:
    """Return "" for the user's."""
    root = read_object(read_text(path, STATE_BYTES)).get("root")
    return root if isinstance(root, str) else ""


def known_entries(home: str, scope: str) -> Record:
    """A project that was moved here has the entries of its former place."""
    entries = read_record(record_path(home, scope))
    moved = "" if entries or scope == USER else moved_record(home)
    if not moved:
        return entries
    before, after = recorded_root(moved), os.path.realpath(os.path.dirname(home))
    return {_moved(path, before, after): entry for path, entry in read_record(moved).items()}


def moved_record(home: str) -> str:
    """Return the record of a project that was moved here, which is to move too; "" for none."""
    if os.path.isfile(project_record(home)):
        return ""
    root = os.path.realpath(os.path.dirname(home))
    return next((path for path in all_records() if _is_of_moved(path, root)), "")


def recorded_scopes(home: str, host: str) -> tuple[str, ...]:
    entries = known_entries(home, LOCAL).values()
    return tuple(str(entry.get("scope")) for entry in entries if entry.get("host") == host)


def fingerprint(raw: bytes | None) -> str:
    import hashlib

    return "" if raw is None else hashlib.sha256(raw).hexdigest()


def canonical(path: str) -> str:
    """Return the absolute path without links in its folder, so that a file has one name whichever way one came."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def _is_of_moved(path: str, root: str) -> bool:
    """The project is gone from its place, and its settings as we wrote them lie below ``root``."""
    before = recorded_root(path)
    if not before or os.path.isdir(before):
        return False
    files = ((_moved(name, before, root), entry.get("after")) for name, entry in read_record(path).items())
    return any(name.startswith(root + os.sep) and fingerprint(read_bytes(name)) == after for name, after in files)


def _moved(path: str, before: str, after: str) -> str:
    inside = path.startswith(before + os.sep)
    return os.path.join(after, path[len(before) + 1 :]) if inside else path


class RecordChange(FileChange):
    """A change to the record of a scope; ``entries``: by file the entry that it gets, None for one that goes."""

    home: str = ""
    scope: str = ""
    entries: Mapping[str, Entry | None] = {}


def change_record(home: str, scope: str, entries: Mapping[str, Entry | None]) -> RecordChange:
    path = record_path(home, scope)
    changed = {**known_entries(home, scope), **entries}
    kept = {name: entry for name, entry in changed.items() if entry is not None}
    root = "" if scope == USER else os.path.realpath(os.path.dirname(home))
    data = {"schema": 2, "product": __version__, "root": root, "files": dict(sorted(kept.items()))}
    return RecordChange(
        path=path,
        what="the previous content, for `limpet uninstall`",
        before=read_bytes(path),
        after=(dumps(data, indent=2) + "\n").encode() if kept else None,
        mode=PRIVATE,
        folders=() if scope == USER else parents(path)[:2],
        home=home,
        scope=scope,
        entries=entries,
    )


def move_record(home: str) -> ChangePlan:
    former = moved_record(home)
    if not former:
        return ChangePlan()
    gone = FileChange(former, "moved with the project", read_bytes(former), None, folders=(os.path.dirname(former),))
    return ChangePlan((change_record(home, LOCAL, {}), gone))


def combine(plans: Iterable[ChangePlan]) -> ChangePlan:
    """Return one plan of several; changes to the same record become one, in the place of the first."""
    whole = sum(plans, ChangePlan())
    changes: list[FileChange] = []
    places: dict[str, int] = {}
    for change in whole.changes:
        if not isinstance(change, RecordChange):
            changes += [change] if change not in changes else []  # two hosts may share a file
        elif change.path not in places:
            places[change.path] = len(changes)
            changes.append(change)
        else:
            known = changes[places[change.path]]
            assert isinstance(known, RecordChange)
            entries = {**known.entries, **change.entries}
            changes[places[change.path]] = change_record(change.home, change.scope, entries)
    return ChangePlan(tuple(changes), whole.notes)
