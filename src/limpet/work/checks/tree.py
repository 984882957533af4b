"""The content of the working tree as one digest: a check's success holds for what it ran on, and nothing else."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator

from limpet.ground.errors import LimpetError
from limpet.ground.git import listed_files
from limpet.ground.workspace import FOLDER

# Seconds that git may take to list the files.
PATIENCE = 60.0
# What tools make of the sources while checks run; git ignores most of it too.
MADE = ("node_modules", "__pycache__")
_CHUNK = 1 << 20


def tree_digest(root: str, without: str = "") -> str:
    """Return the SHA-256, in hexadecimal, of the paths, executable bits and content of the project's files.

    Those are the files that git does not ignore, without git those outside dot folders; never ``.limpet``, and no
    folder of ``MADE`` nor any called ``without``. Raise LimpetError for a file that cannot be read.
    """
    total = hashlib.sha256()
    for name in sorted(_names(root), key=os.fsencode):
        if without and without in name.split("/")[:-1]:
            continue
        kind, content = _content(os.path.join(root, name), name)
        for part in (os.fsencode(name), kind, content):
            total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()


def _names(root: str) -> set[str]:
    """Return the paths of the files from the root; a repository inside is walked, because git lists its folder only."""
    listed = listed_files(root, PATIENCE)
    found: set[str] = set()
    for name in _walk(root, "") if listed is None else listed:
        parts = name.rstrip("/").split("/")
        if parts[0] == FOLDER or not set(MADE).isdisjoint(parts):
            continue
        path = os.path.join(root, name)
        is_folder = os.path.isdir(path) and not os.path.islink(path.rstrip("/"))
        found.update(_walk(root, name.rstrip("/")) if is_folder else (name,))
    return found


def _walk(root: str, folder: str) -> Iterator[str]:
    for path, folders, files in os.walk(os.path.join(root, folder)):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in MADE]
        at = os.path.relpath(path, root).replace(os.sep, "/")
        links = [name for name in folders if os.path.islink(os.path.join(path, name))]
        yield from (name if at == "." else f"{at}/{name}" for name in (*files, *links))


def _content(path: str, name: str) -> tuple[bytes, bytes]:
    """Return what kind of file it is and the digest of its content; a deleted one that git still has is ``gone``."""
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            return b"link", os.fsencode(os.readlink(path))
        if not stat.S_ISREG(mode):
            return b"other", b""
        digest = hashlib.sha256()
        with open(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    except FileNotFoundError:
        return b"gone", b""
    except OSError as error:
        hint = "Make it readable, or let git ignore it."
        raise LimpetError(f"Cannot read the file ({error.strerror})", name, hint) from None
    return b"program" if mode & stat.S_IXUSR else b"file", digest.digest()
