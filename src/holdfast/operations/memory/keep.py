"""Changes to where a memory is kept and for how long; what it says stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.memory.files.store import read
from holdfast.memory.library import Library
from holdfast.memory.model.lookup import LEAST
from holdfast.operations.caller import Caller
from holdfast.operations.memory.library import open_library, owner_of, update_index
from holdfast.operations.memory.remember import Kept
from holdfast.operations.memory.view import full_path


class PutAway(Value):
    """A memory that was put away, or brought back.

    ``id``, ``title``: the memory's; what the caller asked for, and the file's name, where its file cannot be read.
    ``short``: the part of the id that commands take.
    ``path``: the file.
    ``days``: how long ``undo`` restores what was forgotten, 0 for ever.
    ``unindexed``: why the index could not be brought up to date, "" where it was.
    """

    id: str
    title: str
    short: str
    path: str
    days: int = 0
    unindexed: str = ""


def pin(workspace: Workspace, caller: Caller, key: str, pinned: bool = True, why: str = "") -> Kept:
    """Pin the memory, which then does not fade, or unpin it. Raise HoldfastError, for an agent always."""
    library = open_library(workspace, caller)
    stored = library.pin(key, pinned, why)
    return Kept(stored=stored, changed=("pinned",), unindexed=update_index(library))


def move(workspace: Workspace, caller: Caller, key: str, owner: str = "", storage: str = "", why: str = "") -> Kept:
    """Give the memory to another owner (a name or an alias), another storage, or both. Raise HoldfastError."""
    library = open_library(workspace, caller)
    stored = library.move(key, owner_of(owner) if owner else "", storage, why)
    return Kept(stored=stored, unindexed=update_index(library))


def archive(workspace: Workspace, caller: Caller, key: str, why: str = "") -> PutAway:
    """Archive the memory. Raise HoldfastError."""
    return _put(workspace, caller, key, lambda library: library.archive(key, why))


def forget(workspace: Workspace, caller: Caller, key: str, why: str = "") -> PutAway:
    """Forget the memory: it is deleted after ``undo_days``, until then ``undo`` restores it. Raise HoldfastError."""
    return _put(workspace, caller, key, lambda library: library.forget(key, why))


def undo(workspace: Workspace, caller: Caller, key: str, why: str = "") -> PutAway:
    """Restore an archived or forgotten memory. Raise HoldfastError, for an agent always."""
    return _put(workspace, caller, key, lambda library: library.undo(key, why))


def _put(workspace: Workspace, caller: Caller, key: str, act: Callable[[Library], str]) -> PutAway:
    library = open_library(workspace, caller)
    path = act(library)
    name, title = key, path.rpartition("/")[2]
    with suppress(HoldfastError):  # a file that nobody can read is put away as well
        entry = read(workspace.shared, path).entry
        name, title = entry.id, entry.title
    return PutAway(
        id=name,
        title=title,
        short=name.rpartition("-")[2] if len(name.rpartition("-")[2]) >= LEAST else path,
        path=full_path(workspace, path),
        days=int(library.settings["undo_days"]),
        unindexed=update_index(library),
    )
