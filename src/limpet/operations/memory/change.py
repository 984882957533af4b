"""Changes to a memory: what it says, where it is kept, for how long, and whether the team has it."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.event_log.append import Actor
from limpet.ground.event_log.record import record
from limpet.ground.git import is_ignored, setting
from limpet.ground.storage.files import read_bytes
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.files.audit import CHANGED, differences
from limpet.memory.files.body import split_evidence
from limpet.memory.files.store import read
from limpet.memory.files.verify import verify_text
from limpet.memory.library import Library
from limpet.memory.model.lookup import LEAST
from limpet.memory.model.results import Gone, Problem, Stored
from limpet.memory.model.rights import refuse_agents
from limpet.operations.caller import Caller
from limpet.operations.memory.conversations.privacy import refuse_private
from limpet.operations.memory.library import open_library, owner_of, personal_workspace, update_index
from limpet.operations.memory.remember import Kept, notices_on
from limpet.operations.memory.view import full_path
from limpet.operations.project import Project, open_as

BY_HAND = "edited by hand"
LONGEST_NAME = 80
NO_GIT = "this project is not in git yet; your team gets the memory once you commit it"
IGNORED = "git ignores the file, so your team will not get it. Check .gitignore and .git/info/exclude"
EVIDENCE = "it quotes a conversation: read the file before you commit it"


class PutAway(Value):
    """A memory that was put away, or brought back.

    ``id``, ``title``: the memory's; what the caller asked for, and the file's name, where its file cannot be read.
    ``short``: the part of the id that commands take.
    ``path``: the file.
    ``days``: how long ``undo`` restores what was forgotten, 0 for ever.
    ``notice``: why the index could not be brought up to date, "" where it was.
    """

    id: str
    title: str
    short: str
    path: str
    days: int = 0
    notice: str = ""


def edit(
    project: Project,
    key: str,
    changes: Mapping[str, Any],
    add_tags: tuple[str, ...] = (),
    remove_tags: tuple[str, ...] = (),
    why: str = "",
) -> Kept:
    """Change fields of the entry that ``key`` names, every other byte of its file kept. Raises LimpetError.

    ``add_tags`` and ``remove_tags`` are applied to the tags of ``changes``, else to those that the entry has.
    """
    refuse_private(project.caller)
    library = open_library(project)
    fields = dict(changes)
    if add_tags or remove_tags:
        known = (*fields.get("tags", library.show(key, count=False).entry.tags), *add_tags)
        fields["tags"] = tuple(tag for tag in known if tag not in remove_tags)
    stored = library.edit(key, fields, why)
    return Kept(stored=stored, changed=tuple(fields), notices=notices_on(library, stored.entry, changes))


def open_by_hand(project: Project, key: str) -> Stored:
    """Return the entry before a person edits its file. Raises LimpetError, for an agent always."""
    stored = open_library(project).show(key, count=False)
    refuse_agents(project.caller.reader, "edit the file directly")
    return stored


def check_by_hand(project: Project, before: Stored, why: str = "") -> tuple[Problem, ...]:
    """Return the mistakes in a file that a person edited; without any, record the changes in the audit log."""
    problems = verify_text(before.path, read_bytes(full_path(project.workspace, before.path)) or b"")
    if not problems:
        library = open_library(project)
        changed = differences(before.entry, library.show(before.path, count=False).entry)
        if changed:
            actor = Actor(
                writer=library.writer, now=library.clock.now(), retention=library.retention, why=why or BY_HAND
            )
            data = {"memory": before.entry.id, "path": before.path, "changed": changed}
            record(library.shared, actor, CHANGED, data)
            update_index(library)
    return tuple(problems)


def pin(project: Project, key: str, pinned: bool = True, why: str = "") -> Kept:
    """Pin the memory, which then does not fade, or unpin it. Raise LimpetError, for an agent always."""
    library = open_library(project)
    return _kept(library, library.pin(key, pinned, why))


def move(project: Project, key: str, owner: str = "", storage: str = "", why: str = "") -> Kept:
    """Give the memory to another owner (a name or an alias), another storage, or both. Raise LimpetError."""
    library = open_library(project)
    return _kept(library, library.move(key, owner_of(owner) if owner else "", storage, why))


def share(project: Project, key: str, why: str = "") -> Kept:
    """Give the memory to the team under the name by which the user commits. Raise LimpetError with the reason for
    what must stay on this machine, and for an agent always."""
    library = open_library(project)
    try:
        stored = library.share(key, name_of_user(project.workspace), why)
    except Gone:
        _refuse_personal(project.caller, key)
        raise
    ignored = is_ignored(os.path.dirname(library.shared), full_path(project.workspace, stored.path))
    doubt = NO_GIT if ignored is None else IGNORED if ignored else ""
    return _kept(library, stored, doubt, EVIDENCE if split_evidence(stored.entry.body)[1] else "")


def unshare(project: Project, key: str, why: str = "") -> Kept:
    """Take the memory back from the team: it is this project's own, on this machine. Raise LimpetError."""
    library = open_library(project)
    return _kept(library, library.unshare(key, why))


def archive(project: Project, key: str, why: str = "") -> PutAway:
    """Archive the memory. Raise LimpetError."""
    return _put(project, key, lambda library: library.archive(key, why))


def forget(project: Project, key: str, why: str = "") -> PutAway:
    """Forget the memory: it is deleted after ``undo_days``, until then ``undo`` restores it. Raise LimpetError."""
    return _put(project, key, lambda library: library.forget(key, why))


def undo(project: Project, key: str, why: str = "") -> PutAway:
    """Restore an archived or forgotten memory. Raise LimpetError, for an agent always."""
    return _put(project, key, lambda library: library.undo(key, why))


def _kept(library: Library, stored: Stored, *notices: str) -> Kept:
    return Kept(stored=stored, notices=tuple(filter(None, (*notices, update_index(library)))))


def _put(project: Project, key: str, act: Callable[[Library], str]) -> PutAway:
    library = open_library(project)
    path = act(library)
    name, title = key, path.rpartition("/")[2]
    with suppress(LimpetError):  # a file that nobody can read is put away as well
        entry = read(library.shared, path).entry
        name, title = entry.id, entry.title
    return PutAway(
        id=name,
        title=title,
        short=name.rpartition("-")[2] if len(name.rpartition("-")[2]) >= LEAST else path,
        path=full_path(project.workspace, path),
        days=int(library.settings["undo_days"]),
        notice=update_index(library),
    )


def _refuse_personal(caller: Caller, key: str) -> None:
    """Raise LimpetError with the reason where the key names a personal memory."""
    with suppress(Gone):
        open_library(open_as(personal_workspace(), caller)).show(key, count=False)
        first = 'To share it, add it to this project first: limpet memory add "TEXT"'
        raise LimpetError("Memory is personal, not the project's", key, first)


def name_of_user(workspace: Workspace) -> str:
    name = setting(workspace.root, "user.name")
    with suppress(OSError, KeyError, ImportError):  # a system that knows no user by name
        name = name or getpass.getuser()
    return " ".join(name.split())[:LONGEST_NAME] or "unknown"
