"""The project's files that the paths of an entry stand for. Separate from ``staleness``, which judges those files.

People and agents cite a file by its last name too, and what looks like a path may be none: a method (``console.log``),
a technology, a URL, a file of the user's home.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from limpet.ground.git import listed_files

PATIENCE = 1.0
# Files that are looked through where there is no git.
MOST_FILES = 20_000
# Folders of what was installed or built: their files bear every name.
_INSTALLED = frozenset(("node_modules", "venv", "__pycache__", "site-packages", "dist", "build", "target"))


def resolve_citations(root: str, paths: Iterable[str]) -> dict[str, str]:
    """Return each path -> the file that it stands for, from ``root`` with ``/``; "" for what cites no file.

    A last name stands for the one file of the project with it; where several do, or none, it cites nothing. A
    path with a folder stands for itself, or for the one file whose path ends so; where there is neither, it stands for
    a file that is gone, or not there yet.
    """
    places = {path: place_of(root, path) for path in paths}
    unsure = {place for place in places.values() if place and not _is_plain(root, place)}
    bearers = _bearers(root, unsure) if unsure else {}
    return {path: bearers.get(place, place) for path, place in places.items()}


def place_of(root: str, path: str) -> str:
    """Return the path from ``root``, with ``/``; "" for a path outside, a URL, or none at all."""
    if not path or any(sign in path for sign in "\0\n") or "://" in path or path.startswith("~"):
        return ""
    top = os.path.abspath(root)
    place = os.path.normpath(os.path.join(top, path))
    if not place.startswith(top.rstrip(os.sep) + os.sep):
        return ""
    return os.path.relpath(place, top).replace(os.sep, "/")


def _is_plain(root: str, place: str) -> bool:
    """Return whether the place stands for itself: a folder, or a file that is cited with its folder and there."""
    full = os.path.join(root, place)
    return os.path.isdir(full) or ("/" in place and os.path.lexists(full))


def _bearers(root: str, places: set[str]) -> dict[str, str]:
    """Return each place -> the one file whose path is or ends so, "" for a last name that not exactly one has."""
    files = listed_files(root, PATIENCE)
    names = files if files is not None else _walk(root)
    found: dict[str, set[str]] = {place: set() for place in places}
    lasts: dict[str, list[str]] = {}
    for place in places:
        lasts.setdefault(place.rpartition("/")[2], []).append(place)
    for name in names:
        for place in lasts.get(name.rpartition("/")[2], ()):
            if name == place or name.endswith(f"/{place}"):
                found[place].add(name)
    return {place: _choose(place, names) for place, names in found.items()}


def _choose(place: str, files: set[str]) -> str:
    if len(files) == 1:
        return next(iter(files))
    return place if "/" in place else ""


def _walk(root: str) -> list[str]:
    """Return the project's files, from ``root`` with ``/``; none where they are too many to be looked through."""
    names: list[str] = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _INSTALLED]
        inside = os.path.relpath(folder, root).replace(os.sep, "/")
        names += files if inside == "." else [f"{inside}/{name}" for name in files]
        if len(names) > MOST_FILES:
            return []
    return names
