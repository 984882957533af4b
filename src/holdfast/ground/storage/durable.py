"""Writes that survive a power cut, for files that people would miss: settings, rules, work, memories, instructions.

Separate from ``files``, whose writes for the prompt hook cost little to lose and do not wait for the disk.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress

from holdfast.ground.storage.confinement import refuse_leading_out
from holdfast.ground.storage.drafts import draft_path
from holdfast.ground.storage.files import (
    OWNER_DIRECTORY,
    OWNER_ONLY,
    remove_file,
    replace_patiently,
    stamp,
    write_atomic,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.storage.files import Stamp


def write_durably(path: str, data: bytes | str, mode: int = OWNER_ONLY) -> None:
    """Replace a user's file whole, as ``write_atomic`` does, and on the disk when this returns. Raises OSError."""
    parent = os.path.dirname(path)
    new = [parent]
    while new[-1] and not os.path.isdir(new[-1]):
        new.append(os.path.dirname(new[-1]))
    write_atomic(path, data, mode, settle=os.fsync)
    for folder in {os.path.dirname(os.path.realpath(path)), *new}:
        sync_folder(folder)


def create_file(path: str, raw: bytes) -> None:
    """Create a new file, for the owner only, whole or not at all.

    Raises FileExistsError where something is already, else OSError.
    """
    draft = _write_draft(path, raw)
    try:
        _claim(draft, path)
    finally:
        remove_file(draft)
    sync_folder(os.path.dirname(path))


def replace_file(path: str, raw: bytes, expected: Stamp | None = None) -> bool:
    """Replace a file's bytes, for the owner only: readers see the old ones or the new ones. Return whether it was done.

    With ``expected`` only where the file still bears that stamp when the new bytes are on the disk. Raises OSError.
    """
    draft = _write_draft(path, raw)
    try:
        if expected is not None and stamp(path) != expected:
            return False
        replace_patiently(draft, path)
    finally:
        remove_file(draft)
    sync_folder(os.path.dirname(path))
    return True


def rename_file(source: str, target: str) -> None:
    """Move a file to where nothing is yet; the caller holds the lock that makes this sure. Raises OSError."""
    for folder in (os.path.dirname(source), os.path.dirname(target)):
        refuse_leading_out(folder)
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
    os.rename(source, target)
    for folder in {os.path.dirname(target), os.path.dirname(source)}:
        sync_folder(folder)


def delete_file(path: str) -> None:
    """Delete a file. Raises OSError."""
    refuse_leading_out(os.path.dirname(path))
    os.unlink(path)
    sync_folder(os.path.dirname(path))


def make_folder(path: str) -> None:
    """Create the folder, for the owner only; an existing one that others may enter is tightened. Raises OSError."""
    refuse_leading_out(path)
    try:
        os.mkdir(path, OWNER_DIRECTORY)
    except FileExistsError:
        if os.name == "posix" and os.stat(path).st_mode & 0o077:
            os.chmod(path, OWNER_DIRECTORY)
        return
    sync_folder(os.path.dirname(path))


def sync_file(path: str) -> None:
    """Flush a file that was appended to, and its name, to the disk. Raises OSError."""
    refuse_leading_out(path)
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    sync_folder(os.path.dirname(path))


def sync_folder(path: str) -> None:
    """Flush the folder's names to the disk, where the system can."""
    if sys.platform == "win32":
        return
    with suppress(OSError):  # some network file systems refuse it
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _write_draft(path: str, raw: bytes) -> str:
    refuse_leading_out(os.path.dirname(path))
    draft = draft_path(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(draft, flags, OWNER_ONLY), "wb", buffering=0) as file:
            view = memoryview(raw)
            while view:
                view = view[file.write(view) :]
            os.fsync(file.fileno())
    except BaseException:
        remove_file(draft)
        raise
    return draft


def _claim(draft: str, path: str) -> None:
    """Give the draft its name, which must be free: a rename on POSIX would overwrite, a link cannot."""
    if sys.platform == "win32":
        os.rename(draft, path)
        return
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        rename_file(draft, path)
