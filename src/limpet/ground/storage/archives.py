"""Archives of ``.limpet`` folders that a person deleted: kept for some days in the user's state folder, for the owner
only, and unpacked again on request."""

from __future__ import annotations

import os
import tarfile
from contextlib import suppress

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.storage.confinement import FOLDER
from limpet.ground.storage.durable import make_folder, sync_file
from limpet.ground.storage.files import make_folders
from limpet.ground.storage.last_seen import DAY
from limpet.ground.storage.user_folders import project_key, state_folder

NAME = "removed"
SUFFIX = ".tar.gz"
_OWNER_ONLY, _OWNER_FOLDER = 0o600, 0o700


def make_archive(home: str, now: float) -> str:
    """Its regular files and folders, no links. Raise LimpetError where it cannot be written; nothing is left of it
    then."""
    path = _new_path(home, now)
    try:
        make_folders(state_folder())
        make_folder(archive_folder())
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), _OWNER_ONLY)
        with open(handle, "wb") as file, tarfile.open(fileobj=file, mode="w:gz") as archive:
            archive.add(home, FOLDER, filter=lambda member: member if member.isreg() or member.isdir() else None)
        sync_file(path)
    except (OSError, tarfile.TarError) as error:
        with suppress(OSError):
            os.unlink(path)
        raise LimpetError(f"cannot write the archive: {error}; nothing was deleted", path) from error
    return path


def archive_folder() -> str:
    return os.path.join(state_folder(), NAME)


def archives_of(home: str) -> tuple[str, ...]:
    """The newest first."""
    return tuple(path for _, path in reversed(_all_archives()) if os.path.basename(path).startswith(_prefix(home)))


def unpack_archive(path: str, home: str) -> int:
    """To ``home``, which must not be there yet; the number of files. Raise LimpetError where the archive cannot be
    read, or holds anything but files and folders below ``.limpet``."""
    if os.path.lexists(home):
        raise LimpetError("exists already", home, "move it away first")
    try:
        with tarfile.open(path, mode="r:gz") as archive:
            members = archive.getmembers()
            for member in members:
                parts = member.name.split("/")
                is_inside = parts[0] == FOLDER and not {"", ".", ".."} & set(parts)
                if not (is_inside and (member.isreg() or member.isdir())):
                    raise LimpetError(f"holds {member.name!r}, which is no file of {FOLDER}", path)
            for member in members:
                _unpack(archive, member, os.path.dirname(home))
    except (OSError, tarfile.TarError, EOFError) as error:
        raise LimpetError(f"cannot be unpacked: {error}", path) from error
    return sum(member.isreg() for member in members)


def remove_old_archives(days: float, now: float) -> int:
    """With 0 days none; how many went."""
    gone = [path for made, path in _all_archives() if days and now - made > days * DAY]
    for path in gone:
        with suppress(OSError):
            os.unlink(path)
    return sum(not os.path.lexists(path) for path in gone)


def _all_archives() -> list[tuple[float, str]]:
    try:
        with os.scandir(archive_folder()) as found:
            return sorted((entry.stat().st_mtime, entry.path) for entry in found if entry.name.endswith(SUFFIX))
    except OSError:
        return []


def _prefix(home: str) -> str:
    return f"{project_key(os.path.dirname(home))}-"


def _new_path(home: str, now: float) -> str:
    start = os.path.join(archive_folder(), _prefix(home) + iso(now).replace("-", "").replace(":", ""))
    path, number = f"{start}{SUFFIX}", 1
    while os.path.lexists(path):
        number += 1
        path = f"{start}-{number}{SUFFIX}"
    return path


def _unpack(archive: tarfile.TarFile, member: tarfile.TarInfo, root: str) -> None:
    path = os.path.join(root, *member.name.split("/"))
    if member.isdir():
        os.mkdir(path, member.mode & 0o777 | _OWNER_FOLDER)
        return
    source = archive.extractfile(member)
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), member.mode & 0o777)
    with open(handle, "wb") as file:
        while source and (part := source.read(1 << 20)):
            file.write(part)
    os.utime(path, (member.mtime, member.mtime))
