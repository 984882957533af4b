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
from limpet.ground.workspace import TRUST

NAME = "removed"
# The private folder's name in an archive.
PRIVATE = "private"
SUFFIX = ".tar.gz"
_OWNER_ONLY, _OWNER_FOLDER = 0o600, 0o700


def make_archive(home: str, private: str, now: float) -> str:
    """Of a project's ``.limpet`` and of its private folder: regular files and folders, no links, and no user's word.
    Raise LimpetError where it cannot be written; nothing is left of it then."""
    path = _new_path(home, now)
    try:
        make_folders(state_folder())
        make_folder(archive_folder())
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), _OWNER_ONLY)
        with open(handle, "wb") as file, tarfile.open(fileobj=file, mode="w:gz") as archive:
            for folder, name in ((home, FOLDER), (private, PRIVATE)):
                if os.path.isdir(folder):
                    archive.add(folder, name, filter=_plain)
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


def unpack_archive(path: str, home: str, private: str) -> int:
    """To ``home``, which must not be there yet, and ``private``; the number of files. Raise LimpetError where the
    archive cannot be read, or holds anything else but files and folders."""
    if os.path.lexists(home):
        raise LimpetError("exists already", home, "move it away first")
    places = {FOLDER: home, PRIVATE: private}
    try:
        with tarfile.open(path, mode="r:gz") as archive:
            members = archive.getmembers()
            for member in members:
                parts = member.name.split("/")
                is_inside = parts[0] in places and not {"", ".", ".."} & set(parts)
                if not (is_inside and (member.isreg() or member.isdir())):
                    raise LimpetError(f"holds {member.name!r}, which is no file of a project", path)
            for member in members:
                top, _, below = member.name.partition("/")
                _unpack(archive, member, os.path.join(places[top], *below.split("/")) if below else places[top])
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


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    is_kept = member.isdir() or (member.isreg() and member.name != f"{PRIVATE}/{TRUST}")
    return member if is_kept else None


def _unpack(archive: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> None:
    if member.isdir():
        os.makedirs(path, member.mode & 0o777 | _OWNER_FOLDER, exist_ok=True)
        return
    source = archive.extractfile(member)
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), member.mode & 0o777)
    with open(handle, "wb") as file:
        while source and (part := source.read(1 << 20)):
            file.write(part)
    os.utime(path, (member.mtime, member.mtime))
