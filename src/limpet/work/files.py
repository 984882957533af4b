"""Writes the files of the work that git tracks: one process at a time, atomically, without secrets.

A person's edit between reading and writing is never overwritten.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from limpet.ground.errors import LimpetError
from limpet.ground.storage import text_file
from limpet.ground.storage.fair_lock import fair_lock
from limpet.ground.storage.files import stamp
from limpet.ground.storage.text_file import refuse_link, replace_text
from limpet.ground.workspace import Workspace
from limpet.work.markdown_file import read_document

PATIENCE = 20.0
"""Seconds to wait for other processes that write."""

# A file that changes before each of so many writes is in the hands of another program.
TRIES = 5
_FOR_EVERYBODY = 0o644


def rewrite(workspace: Workspace, path: str, where: str, change: Callable[[str | None], str]) -> bool:
    """Write what ``change`` returns for the file's text (None where there is none); return whether that differed.

    The caller holds ``sole_writer``. ``change`` is called again where a person saved the file meanwhile. Raises
    LimpetError.
    """
    for _ in range(TRIES):
        mark = stamp(path)
        text = read_inside(workspace, path, where)
        if text is None and mark is not None:
            raise LimpetError("Cannot read the file", where, "Check that it is a file, and its permissions.")
        changed = change(text)
        if changed == text:
            return False
        if stamp(path) == mark:
            replace_text(path, changed, where, _FOR_EVERYBODY)
            return True
    raise LimpetError("Another process is writing the file", where, "Try again.")


def read_inside(workspace: Workspace, path: str, where: str) -> str | None:
    """Return the file's exact text, None where there is none. Raise LimpetError for a link out of the project."""
    refuse_link(path, where)
    return read_document(path, where)


def sole_writer(workspace: Workspace, what: str) -> AbstractContextManager[None]:
    """Return a ``with`` block in which no other process of Limpet writes ``what``. Raise LimpetError."""
    path = workspace.path("cache", "locks", f"{what}.lock")
    return text_file.sole_writer(path, f"the {what}", PATIENCE, fair_lock)
