"""Sharing a memory with the team: it goes into the folder that git keeps, and comes back from there."""

from __future__ import annotations

import getpass
import os
from contextlib import suppress

from holdfast.ground.errors import HoldfastError
from holdfast.ground.git import is_ignored, user_name
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.memory.model.stored import Gone, Stored
from holdfast.operations.caller import Caller
from holdfast.operations.memory.library import open_library, update_index
from holdfast.operations.memory.personal import personal_workspace
from holdfast.operations.memory.view import full_path

LONGEST_NAME = 80
NO_GIT = "this project is not in git yet; your team gets the memory once you commit it"
IGNORED = "git ignores the file, so your team will not get it. Check"
EVIDENCE = "it quotes a conversation: read the file before you commit it"


class Shared(Value):
    """A memory that was given to the team, or taken back.

    ``stored``: the entry in its new place.
    ``file``: the path of its file from the project's root, with ``/``.
    ``notices``: lines for the person, such as why git would not take it.
    ``unindexed``: why the index could not be brought up to date, "" where it was.
    """

    stored: Stored
    file: str
    notices: tuple[str, ...] = ()
    unindexed: str = ""


def share(workspace: Workspace, caller: Caller, key: str, why: str = "") -> Shared:
    """Give the memory to the team under the name by which the user commits. Raise HoldfastError with the reason for
    what must stay on this machine, and for an agent always."""
    library = open_library(workspace, caller)
    try:
        stored = library.share(key, _name(workspace), why)
    except Gone:
        _refuse_personal(caller, key)
        raise
    notices = [_doubt(workspace, stored)]
    if "\n## Evidence" in f"\n{stored.entry.body}":
        notices.append(EVIDENCE)
    told = tuple(filter(None, notices))
    return Shared(stored=stored, file=_file(workspace, stored), notices=told, unindexed=update_index(library))


def unshare(workspace: Workspace, caller: Caller, key: str, why: str = "") -> Shared:
    """Take the memory back from the team: it is this project's own, on this machine. Raise HoldfastError."""
    library = open_library(workspace, caller)
    stored = library.unshare(key, why)
    return Shared(stored=stored, file=_file(workspace, stored), unindexed=update_index(library))


def _refuse_personal(caller: Caller, key: str) -> None:
    """Raise HoldfastError with the reason where the key names a personal memory."""
    with suppress(Gone):
        open_library(personal_workspace(), caller).show(key, count=False)
        first = 'To share it, add it to this project first: holdfast memory add "TEXT"'
        raise HoldfastError("Memory is personal, not the project's", key, first)


def _name(workspace: Workspace) -> str:
    name = user_name(workspace.root)
    with suppress(OSError, KeyError, ImportError):  # a system that knows no user by name
        name = name or getpass.getuser()
    return " ".join(name.split())[:LONGEST_NAME] or "unknown"


def _doubt(workspace: Workspace, stored: Stored) -> str:
    """Return why git would not take the file, "" where it would."""
    ignored = is_ignored(os.path.dirname(workspace.shared), full_path(workspace, stored.path))
    if ignored is None:
        return NO_GIT
    return f"{IGNORED} .gitignore and .git/info/exclude" if ignored else ""


def _file(workspace: Workspace, stored: Stored) -> str:
    root = os.path.dirname(workspace.shared)
    return os.path.relpath(full_path(workspace, stored.path), root).replace(os.sep, "/")
