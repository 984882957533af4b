"""What is kept of imports, in the project's private folder: the one file of this room that touches the disk."""

from __future__ import annotations

import os
from typing import Any

from limpet.ground.config.defaults import CACHE_BYTES
from limpet.ground.digest import blake2b
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import names_in, read_text
from limpet.ground.workspace import Workspace

BEGUN, DONE, BACK = "begun", "done", "rolled back"
IMPORTS, JOURNAL = "imports", "journal.json"


def list_imports(workspace: Workspace) -> list[str]:
    """Their folders, the oldest first; one without a journal changed nothing, one that cannot be read says nothing."""
    top = os.path.join(workspace.data, IMPORTS)
    folders = [os.path.join(top, name) for name in sorted(names_in(top))]
    return [folder for folder in folders if {"kind", "state", "files"} <= read_journal(folder).keys()]


def read_journal(folder: str) -> dict[str, Any]:
    return read_object(read_text(os.path.join(folder, JOURNAL), CACHE_BYTES))


def set_state(folder: str, state: str) -> None:
    write_durably(os.path.join(folder, JOURNAL), dumps({**read_journal(folder), "state": state}, indent=1))


def unfinished(workspace: Workspace) -> str:
    """The kind of the import that was interrupted, "" for none."""
    found = map(read_journal, list_imports(workspace))
    return next((str(one["kind"]) for one in found if one["state"] == BEGUN), "")


def is_imported_kind(workspace: Workspace, kind: str) -> bool:
    found = map(read_journal, list_imports(workspace))
    return any((one["kind"], one["state"]) == (kind, DONE) for one in found)


def long_checksum(raw: bytes | None) -> str:
    """ "" for no file."""
    return "" if raw is None else blake2b(raw, digest_size=32).hexdigest()
