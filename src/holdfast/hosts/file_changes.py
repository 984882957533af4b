"""Changes to files, planned as values and then carried out. No other module of this room writes a user's file."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator

from holdfast.ground.errors import HoldfastError
from holdfast.ground.storage.confinement import refuse_leading_out
from holdfast.ground.storage.durable import delete_file, write_durably
from holdfast.ground.storage.files import read_bytes
from holdfast.ground.values import Value

PUBLIC = 0o644
PRIVATE = 0o600


class Change(Value):
    """A change to one file.

    ``path``: absolute.
    ``what``: a description for the person.
    ``before``, ``after``: its bytes, None for no file.
    ``mode``: the permission of a new file.
    ``folders``: removed after a removed file if they are empty then, the innermost first.
    """

    path: str
    what: str
    before: bytes | None
    after: bytes | None
    mode: int = PUBLIC
    folders: tuple[str, ...] = ()


class Plan(Value):
    """Changes in the order in which they are made, and notes for the person."""

    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()

    def pending(self) -> tuple[Change, ...]:
        """Return the changes that change something."""
        return tuple(change for change in self.changes if change.before != change.after)

    def __add__(self, other: Plan) -> Plan:
        return Plan(self.changes + other.changes, self.notes + other.notes)


def apply_changes(changes: Iterable[Change]) -> None:
    """Carry the changes out; none of them when a file is no longer what the plan saw. Raise HoldfastError."""
    todo = tuple(changes)
    for change in todo:
        if read_bytes(change.path) != change.before:
            raise HoldfastError("changed while the plan was made; nothing was written", change.path, "run it again")
    for change in todo:
        try:
            if change.after is None:
                delete_file(change.path)
            else:
                refuse_leading_out(change.path)
                os.makedirs(os.path.dirname(change.path), exist_ok=True)
                write_durably(change.path, change.after, change.mode)
        except OSError as error:
            what = f"cannot be changed: {error.strerror}"
            raise HoldfastError(what, change.path, "run it again when it can") from error
    for change in todo:
        _remove_empty(change.folders if change.after is None else ())


def read_text_strictly(path: str) -> tuple[bytes | None, str]:
    """Return the file's bytes and text, None and "" where there is none. Raise HoldfastError for what is not UTF-8."""
    raw = read_bytes(path)
    if raw is None and os.path.lexists(path):
        raise HoldfastError("cannot be read", path, "make it a readable file")
    try:
        return raw, (raw or b"").decode()
    except UnicodeDecodeError as error:
        raise HoldfastError(f"not UTF-8 at byte {error.start}", path, "save it as UTF-8") from error


def missing_folders(path: str) -> tuple[str, ...]:
    """Return the folders that a file at ``path`` still needs, the innermost first."""
    return tuple(folder for folder in parents(path) if not os.path.isdir(folder))


def parents(path: str) -> tuple[str, ...]:
    """Return the folders around an absolute path, the innermost first."""
    folder = os.path.dirname(path)
    return () if folder == path else (folder, *parents(folder))


def show_difference(change: Change) -> Iterator[str]:
    """Yield the lines of a unified diff."""
    before, after = ((raw or b"").decode("utf-8", "replace").splitlines() for raw in (change.before, change.after))
    return difflib.unified_diff(before, after, change.path, change.path, lineterm="", n=1)


def _remove_empty(folders: Iterable[str]) -> None:
    for folder in folders:
        try:
            os.rmdir(folder)
        except OSError:
            return
