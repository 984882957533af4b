"""The folders under ``memories/``: a list of their files, and paths that no link and no ``..`` leads out of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from limpet.ground.errors import LimpetError, Unwritten
from limpet.ground.storage.confinement import is_linked
from limpet.ground.storage.durable import make_folder, make_shared_folders
from limpet.ground.storage.files import Stamp, is_draft
from limpet.ground.trust.consent import root_of
from limpet.ground.values import Value
from limpet.memory.model.layout import ENDING, TEAM, MemoryPlace, folder_of, memories, read_place, team_memories

INDEX = "index.json"
DEEPEST = 5
MOST_ALIKE = 1000
UNREAD = "Cannot read the file"
PROBLEM_LINK = "Symlink is not followed"
_OPEN_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


class FoundFiles(Value):
    """A file or folder at ``path`` (from ``memories/``); ``stamp`` of an entry's file, else ``what`` is the mistake."""

    path: str
    stamp: Stamp = (0, 0, 0)
    what: str = ""


def walk(shared: str) -> Iterator[FoundFiles]:
    """Yield all under ``memories/``, folder by folder in the order of names, without left-over drafts; those that git
    keeps last."""
    root = memories(shared)
    if is_linked(root):
        yield FoundFiles(path="", what=PROBLEM_LINK)
    else:
        yield from _walk(root, "")
    yield from walk_team(root_of(shared))


def walk_team(root: str) -> Iterator[FoundFiles]:
    """The files that git keeps of a project, also of one that is not trusted."""
    folder = os.path.join(team_memories(root), TEAM)
    if is_linked(folder):
        yield FoundFiles(path=TEAM, what=PROBLEM_LINK)
    else:
        yield from _walk(folder, f"{TEAM}/")


def entry_stamps(shared: str) -> dict[str, Stamp]:
    """Path from ``memories/`` -> stamp of every file with the ending of an entry, also of those that git keeps; judged
    no further: a look at many costs little. Links are not followed."""
    found: dict[str, Stamp] = {}
    waiting = [(memories(shared), ""), (os.path.join(team_memories(root_of(shared)), TEAM), f"{TEAM}/")]
    waiting = [each for each in waiting if not is_linked(each[0])]
    while waiting:
        top, start = waiting.pop()
        with suppress(OSError), _scanned(top) as entries:
            for entry in entries:
                name = entry.name
                if name.endswith(ENDING) and entry.is_file(follow_symlinks=False):
                    try:  # a context of its own for each would cost more than the look
                        about = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    found[start + name] = (about.st_mtime_ns, about.st_size, about.st_ino)
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append((os.path.join(top, name), f"{start}{name}/"))
    return found


@contextmanager
def _scanned(folder: str) -> Iterator[Iterator[os.DirEntry[str]]]:
    """Where the system can, by the folder's descriptor: a look at a file is then one at its name, not at its path."""
    if os.scandir not in os.supports_fd:
        with os.scandir(folder) as found:
            yield found
        return
    place = os.open(folder, _OPEN_FOLDER)
    try:
        with os.scandir(place) as found:
            yield found
    finally:
        os.close(place)


def drafts(shared: str) -> Iterator[str]:
    """Yield full paths of files that a writer was killed over; call it where no writer is at work."""
    for top in (memories(shared), os.path.join(team_memories(root_of(shared)), TEAM)):
        for folder, folders, names in os.walk(top) if not is_linked(top) else ():
            folders.sort()
            yield from (os.path.join(folder, name) for name in sorted(names) if is_draft(name))


def locate(shared: str, path: str) -> tuple[str, MemoryPlace]:
    """Return (full path, place) of an entry's file, there or not. Raise LimpetError where the path leads elsewhere."""
    place = read_place(path) if path else None
    parts = path.split("/")
    if place is None or any(_leads_away(part) for part in parts):
        raise LimpetError("Not a path for a memory", path, "Use one such as shared/durable/name.md.")
    full = os.path.join(folder_of(shared, path), *parts)
    if is_linked(full):
        raise LimpetError(PROBLEM_LINK, path, "Replace it with a real file.")
    return full, place


def prepare(shared: str, path: str) -> str:
    """Return the full path of an entry's file, its folders made, private ones tightened to their owner. Raise
    LimpetError."""
    full, _ = locate(shared, path)
    folder, make = folder_of(shared, path), make_shared_folders if path.startswith(f"{TEAM}/") else make_folder
    with on_disk(path):
        make_shared_folders(os.path.dirname(folder))
        for part in ("", *path.split("/")[:-1]):
            folder = os.path.join(folder, part) if part else folder
            make(folder)
    return full


def free_path(shared: str, path: str) -> str:
    """Number the path where something is there already. Raise LimpetError."""
    stem, _, ending = path.rpartition(".")
    free, root = path, folder_of(shared, path)
    for number in range(2, MOST_ALIKE + 1):
        if not os.path.lexists(os.path.join(root, *free.split("/"))):
            return free
        free = f"{stem}-{number}.{ending}"
    raise LimpetError(f"{MOST_ALIKE - 1} files already have this name", path, "Rename some.")


def prune(shared: str, path: str) -> None:
    """Remove the folder of the day or conversation in which ``path`` lay, once it is empty."""
    place = read_place(path)
    if place is not None and place.group:
        with suppress(OSError):
            os.rmdir(os.path.dirname(os.path.join(folder_of(shared, path), *path.split("/"))))


@contextmanager
def on_disk(path: str) -> Iterator[None]:
    """What the system says against writing the file is raised as Unwritten."""
    try:
        yield
    except OSError as error:
        raise Unwritten(f"Cannot write the file ({error.strerror})", path, "Nothing was changed.") from None


def _leads_away(part: str) -> bool:
    return part in ("", ".", "..") or any(sign in part for sign in "\\\0") or (os.name == "nt" and ":" in part)


def _walk(folder: str, prefix: str) -> Iterator[FoundFiles]:
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError as error:
        yield FoundFiles(path=prefix.rstrip("/"), what=f"{UNREAD} ({error.strerror})")
        return
    for entry in entries:
        yield from _look(entry, prefix + entry.name)


def _look(entry: os.DirEntry[str], path: str) -> Iterator[FoundFiles]:
    printable = path.encode("utf-8", "replace").decode("utf-8")
    if printable != path:
        yield FoundFiles(path=printable, what="File name is not UTF-8")
    elif entry.is_symlink():
        yield FoundFiles(path=path, what=PROBLEM_LINK)
    elif entry.is_dir(follow_symlinks=False):
        if path.count("/") < DEEPEST:
            yield from _walk(entry.path, f"{path}/")
        else:
            yield FoundFiles(path=path, what="Folder is nested too deeply for memories")
    elif path.endswith(ENDING) and read_place(path):
        yield from _stamped(entry, path)
    elif path != INDEX and not is_draft(entry.name) and not entry.name.startswith("."):
        yield FoundFiles(path=path, what="Not a path for a memory, such as shared/durable/name.md")


def _stamped(entry: os.DirEntry[str], path: str) -> Iterator[FoundFiles]:
    try:
        about = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return
    if stat.S_ISREG(about.st_mode):
        yield FoundFiles(path=path, stamp=(about.st_mtime_ns, about.st_size, about.st_ino))
    else:
        yield FoundFiles(path=path, what="Not a regular file")
