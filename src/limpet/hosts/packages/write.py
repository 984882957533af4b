"""Writes a package into a folder, and nothing outside of it or over anything else; what was written is listed there,
so that a newer package can take its place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256

from limpet.ground.errors import LimpetError
from limpet.ground.storage.durable import delete_file, make_shared_folders, write_durably
from limpet.ground.storage.files import read_bytes, read_text
from limpet.hosts.file_changes import PUBLIC
from limpet.hosts.packages.render import Files

# The digest and the path of each file of ours, as ``sha256sum`` writes them.
LIST = ".limpet-package"
# A marketplace is published from a repository.
REPOSITORY = ".git"
ELSEWHERE = "Name a new or an empty folder, or one that holds an unchanged package"


def write_package(files: Files, folder: str) -> None:
    """Make the folder hold these files, and those of an older package no more.

    Raise LimpetError, before anything is written, where it holds a file that is not ours, or was changed; OSError.
    """
    folder = os.path.abspath(folder)
    known = _read_list(folder)
    present = sorted(_walk(folder))
    for path in present:
        raw = read_bytes(os.path.join(folder, path)) if not os.path.islink(os.path.join(folder, path)) else None
        if raw is None or (path != LIST and raw != files.get(path) and _digest(raw) != known.get(path)):
            raise LimpetError(f"The folder holds {path}, which is no file of a package of ours", folder, ELSEWHERE)
    for path, raw in files.items():
        make_shared_folders(os.path.dirname(os.path.join(folder, path)))
        write_durably(os.path.join(folder, path), raw, PUBLIC, follow=False)
    for path in present:
        if path not in files and path != LIST:
            delete_file(os.path.join(folder, path))
            with suppress(OSError):  # something else is in it
                os.removedirs(os.path.dirname(os.path.join(folder, path)))
    listed = "".join(f"{_digest(raw)}  {path}\n" for path, raw in files.items())
    write_durably(os.path.join(folder, LIST), listed, PUBLIC, follow=False)


def _walk(folder: str) -> Iterator[str]:
    """Yield the relative paths, with ``/``, of all files and links in the folder, a repository's own apart."""
    for place, folders, names in os.walk(folder):
        if place == folder and REPOSITORY in folders:
            folders.remove(REPOSITORY)
        links = (name for name in folders if os.path.islink(os.path.join(place, name)))
        for name in (*names, *links):
            yield os.path.relpath(os.path.join(place, name), folder).replace(os.sep, "/")


def _read_list(folder: str) -> dict[str, str]:
    lines = (read_text(os.path.join(folder, LIST)) or "").splitlines()
    return {path: digest for digest, _, path in (line.partition("  ") for line in lines)}


def _digest(raw: bytes) -> str:
    return sha256(raw).hexdigest()
