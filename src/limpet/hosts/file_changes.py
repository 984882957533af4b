"""Changes to files, planned as values and then carried out. No other module of this room writes a user's file."""

from __future__ import annotations

import difflib
import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.storage.confinement import LEADS_OUT, leads_out
from limpet.ground.storage.durable import delete_file, make_shared_folders, write_durably
from limpet.ground.storage.files import is_larger, read_bytes
from limpet.ground.storage.user_folders import state_folder
from limpet.ground.values import Value
from limpet.hosts.commands.launcher import EXECUTABLE

PUBLIC = 0o644
PRIVATE = 0o600


class FileChange(Value):
    """``before`` and ``after`` are None for no file. ``mode``: of a new file.
    ``folders``: removed after a removed file if they are empty then, the innermost first."""

    path: str
    what: str
    before: bytes | None
    after: bytes | None
    mode: int = PUBLIC
    folders: tuple[str, ...] = ()


class ChangePlan(Value):
    """Changes in the order in which they are made, and notes for the person."""

    changes: tuple[FileChange, ...] = ()
    notes: tuple[str, ...] = ()

    def pending(self) -> tuple[FileChange, ...]:
        return tuple(change for change in self.changes if change.before != change.after)

    def __add__(self, other: ChangePlan) -> ChangePlan:
        return ChangePlan(self.changes + other.changes, self.notes + other.notes)


def apply_changes(changes: Iterable[FileChange]) -> None:
    """Carry the changes out; none of them when a file is no longer what the plan saw. Raise LimpetError."""
    todo = tuple(changes)
    for change in todo:
        if read_bytes(change.path) != change.before:
            raise LimpetError("A file changed in the meantime; nothing was written", change.path, "run it again")
    for change in todo:
        try:
            if change.after is None:
                delete_file(change.path)
            else:
                if not change.path.startswith(state_folder() + os.sep):  # whose folders are made for the owner only
                    make_shared_folders(os.path.dirname(change.path))
                write_durably(change.path, change.after, change.mode)
                if change.mode == EXECUTABLE:
                    os.chmod(change.path, EXECUTABLE)
        except OSError as error:
            what = f"Cannot change the file: {error.strerror}"
            raise LimpetError(what, change.path, "run the command again when it is writable") from error
    for change in todo:
        with suppress(OSError):  # one that is not empty, and those around it, stay
            for folder in change.folders if change.after is None else ():
                os.rmdir(folder)


def read_text_strictly(path: str) -> tuple[bytes | None, str]:
    """Return None and "" for no file. Raise LimpetError for what is not UTF-8, or too large to be settings."""
    if is_larger(path, STATE_BYTES):
        raise LimpetError(f"The file is larger than {STATE_BYTES // 1024} KB", path, "remove what is not a setting")
    raw = read_bytes(path)
    if raw is None and os.path.lexists(path):
        raise LimpetError("Cannot read the file", path, "make it readable")
    try:
        return raw, (raw or b"").decode()
    except UnicodeDecodeError as error:
        raise LimpetError(f"Not valid UTF-8 at byte {error.start}", path, "save it as UTF-8") from error


def refuse_link_out(path: str, root: str) -> None:
    """Raise LimpetError where a link leads from ``path`` out of the project at ``root``: it came with the checkout,
    and what is written there would land in a file of somebody's choice."""
    if leads_out(path, root):
        raise LimpetError(LEADS_OUT, path, "put the file or folder itself there")


def own_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def holds_own_digest(raw: bytes | None, mark: str) -> bool:
    """Whether the one line that begins with ``mark`` goes on with the digest of the others, so that nobody changed the
    file; git may have changed the line ends."""
    lines = (raw or b"").decode("utf-8", "replace").replace("\r\n", "\n").splitlines(keepends=True)
    marks = [line for line in lines if line.startswith(mark)]
    rest = "".join(line for line in lines if not line.startswith(mark))
    return len(marks) == 1 and marks[0].removeprefix(mark)[:16] == own_digest(rest)


def missing_folders(path: str) -> tuple[str, ...]:
    return tuple(folder for folder in parents(path) if not os.path.isdir(folder))


def parents(path: str) -> tuple[str, ...]:
    folder = os.path.dirname(path)
    return () if folder == path else (folder, *parents(folder))


def show_difference(change: FileChange) -> Iterator[str]:
    before, after = ((raw or b"").decode("utf-8", "replace").splitlines() for raw in (change.before, change.after))
    return difflib.unified_diff(before, after, change.path, change.path, lineterm="", n=1)
