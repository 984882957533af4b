"""Changes to what a memory says: by fields, or by a person in the file itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.ground.event_log.append import Actor
from holdfast.ground.event_log.record import record
from holdfast.ground.storage.files import read_bytes
from holdfast.ground.workspace import Workspace
from holdfast.memory.files.audit import CHANGED, differences
from holdfast.memory.files.verify import verify_text
from holdfast.memory.model.problem import Problem
from holdfast.memory.model.rights import refuse_agents
from holdfast.memory.model.stored import Stored
from holdfast.operations.caller import Caller
from holdfast.operations.memory.conversations.privacy import refuse_private
from holdfast.operations.memory.library import open_library, update_index
from holdfast.operations.memory.remember import Kept, notices_on
from holdfast.operations.memory.view import full_path

BY_HAND = "edited by hand"


def edit(
    workspace: Workspace,
    caller: Caller,
    key: str,
    changes: Mapping[str, Any],
    add_tags: tuple[str, ...] = (),
    remove_tags: tuple[str, ...] = (),
    why: str = "",
) -> Kept:
    """Change fields of the entry that ``key`` names, every other byte of its file kept. Raises HoldfastError.

    ``add_tags`` and ``remove_tags`` are applied to the tags of ``changes``, else to those that the entry has.
    """
    refuse_private(caller)
    library = open_library(workspace, caller)
    fields = dict(changes)
    if add_tags or remove_tags:
        known = (*fields.get("tags", library.show(key, count=False).entry.tags), *add_tags)
        fields["tags"] = tuple(tag for tag in known if tag not in remove_tags)
    stored = library.edit(key, fields, why)
    notices, unindexed = notices_on(stored.entry, changes), update_index(library)
    return Kept(stored=stored, changed=tuple(fields), notices=notices, unindexed=unindexed)


def open_by_hand(workspace: Workspace, caller: Caller, key: str) -> Stored:
    """Return the entry before a person edits its file. Raises HoldfastError, for an agent always."""
    stored = open_library(workspace, caller).show(key, count=False)
    refuse_agents(caller.reader, "edit the file directly")
    return stored


def check_by_hand(workspace: Workspace, caller: Caller, before: Stored, why: str = "") -> tuple[Problem, ...]:
    """Return the mistakes in a file that a person edited; without any, record the changes in the audit log."""
    problems = verify_text(before.path, read_bytes(full_path(workspace, before.path)) or b"")
    if not problems:
        library = open_library(workspace, caller)
        changed = differences(before.entry, library.show(before.path, count=False).entry)
        if changed:
            actor = Actor(writer=library.writer, now=caller.now, retention=library.retention, why=why or BY_HAND)
            data = {"memory": before.entry.id, "path": before.path, "changed": changed}
            record(workspace.shared, actor, CHANGED, data)
            update_index(library)
    return tuple(problems)
