"""Writes that survive a power cut, for files that people would miss. Separate from ``files``, whose writes for the
prompt hook cost little to lose and do not wait for the disk."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress

from limpet.ground.storage.confinement import refuse_leading_out
from limpet.ground.storage.files import (
    OWNER_DIRECTORY,
    OWNER_ONLY,
    Stamp,
    draft_path,
    mode_of,
    remove_file,
    replace_patiently,
    stamp,
    write_all,
    write_atomic,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def write_durably(path: str, data: bytes | str, mode: int = OWNER_ONLY, follow: bool = True) -> None:
    """As ``write_atomic`` does, and on the disk when this returns. Raise OSError."""
    new = _missing_folders(os.path.dirname(path))
    write_atomic(path, data, mode, follow, settle=os.fsync)
    for folder in {os.path.dirname(os.path.realpath(path)), os.path.dirname(path), *map(os.path.dirname, new)}:
        sync_folder(folder)


def write_together(files: Mapping[str, bytes], mode: int = OWNER_ONLY) -> None:
    """The bytes of all are on the disk before the first takes its place, so that a full disk changes none. Folders are
    there; links are followed. Raise OSError."""
    drafts: dict[str, str] = {}
    try:
        for path, raw in files.items():
            target = os.path.realpath(path)
            drafts[target] = _write_draft(target, raw, mode_of(target, mode))
        for target, draft in drafts.items():
            replace_patiently(draft, target)
    finally:
        for draft in drafts.values():
            remove_file(draft)
    for folder in set(map(os.path.dirname, drafts)):
        sync_folder(folder)


def put_back(path: str, raw: bytes, mode: int) -> None:
    """A file or link, in place of whatever has its name. Of a link ``raw`` is where it leads. Raise OSError."""
    make_shared_folders(os.path.dirname(path))
    if stat.S_ISLNK(mode):
        draft = draft_path(path)
        os.symlink(os.fsdecode(raw), draft)
    else:
        draft = _write_draft(path, raw, OWNER_ONLY)
        os.chmod(draft, stat.S_IMODE(mode))
    try:
        replace_patiently(draft, path)
    finally:
        remove_file(draft)
    sync_folder(os.path.dirname(path))


def create_file(path: str, raw: bytes) -> None:
    """For the owner only. Raises FileExistsError where something is already, else OSError."""
    draft = _write_draft(path, raw)
    try:
        _claim(draft, path)
    finally:
        remove_file(draft)
    sync_folder(os.path.dirname(path))


def replace_file(path: str, raw: bytes, expected: Stamp | None = None) -> bool:
    """For the owner only: readers see the old bytes or the new ones. With ``expected`` only where the file still has
    that stamp when the new bytes are on the disk; False where it has not. Raise OSError."""
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
    """To where nothing is yet; the caller holds the lock that makes this sure. Raise OSError."""
    for folder in (os.path.dirname(source), os.path.dirname(target)):
        refuse_leading_out(folder)
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
    try:
        os.rename(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _move_across(source, target)
    for folder in {os.path.dirname(target), os.path.dirname(source)}:
        sync_folder(folder)


def delete_file(path: str) -> None:
    """Raise OSError."""
    refuse_leading_out(os.path.dirname(path))
    os.unlink(path)
    sync_folder(os.path.dirname(path))


def make_folder(path: str) -> None:
    """For the owner only, as those above it that are missing; an existing one that others may enter is tightened. Raise
    OSError."""
    refuse_leading_out(path)
    try:
        os.mkdir(path, OWNER_DIRECTORY)
    except FileNotFoundError:
        make_folder(os.path.dirname(path))
        os.mkdir(path, OWNER_DIRECTORY)
    except FileExistsError:
        if os.name == "posix" and os.stat(path).st_mode & 0o077:
            os.chmod(path, OWNER_DIRECTORY)
        return
    sync_folder(os.path.dirname(path))


def make_shared_folders(path: str) -> None:
    """Open to whom the user's other folders are open. Raise OSError."""
    refuse_leading_out(path)
    new = _missing_folders(path)
    os.makedirs(path, exist_ok=True)
    for folder in new:
        sync_folder(os.path.dirname(folder))


def date_file(path: str, when: float) -> None:
    """In seconds since 1970. Raise OSError."""
    refuse_leading_out(path)
    os.utime(path, (when, when))
    sync_file(path)


def sync_file(path: str) -> None:
    """Of a file that was appended to, its name too. Raise OSError."""
    refuse_leading_out(path)
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    sync_folder(os.path.dirname(path))


def sync_folder(path: str) -> None:
    if sys.platform == "win32":
        return
    with suppress(OSError):  # some network file systems refuse it
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _move_across(source: str, target: str) -> None:
    """To another disk: the bytes and their time are there before the source goes."""
    with open(source, "rb") as file:
        create_file(target, file.read())
    about = os.stat(source)
    os.utime(target, ns=(about.st_atime_ns, about.st_mtime_ns))
    os.unlink(source)


def _missing_folders(path: str) -> list[str]:
    missing = []
    while path and not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    return missing


def _write_draft(path: str, raw: bytes, mode: int = OWNER_ONLY) -> str:
    refuse_leading_out(os.path.dirname(path))
    draft = draft_path(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(draft, flags, mode), "wb", buffering=0) as file:
            write_all(file.fileno(), raw)
            os.fsync(file.fileno())
    except BaseException:
        remove_file(draft)
        raise
    return draft


def _claim(draft: str, path: str) -> None:
    """The name must be free: a rename on POSIX would overwrite, a link cannot."""
    if sys.platform == "win32":
        os.rename(draft, path)
        return
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        rename_file(draft, path)
