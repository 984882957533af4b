"""Keeps reads and writes inside the project: a link in ``.limpet`` may come with a checkout and lead anywhere.
``files`` and ``durable`` ask here before they open, write or remove anything, so that no caller can forget it."""

from __future__ import annotations

import os

FOLDER = ".limpet"
LEADS_OUT = "Symlink out of the project"
"""What people are told of such a path."""

_LINK, _KIND = 0o120000, 0o170000
# Windows: symbolic links and junctions; other files with a tag, as those of a cloud drive, are files.
_REPARSE_TAGS = (0xA000000C, 0xA0000003)
_EACCES = 13


def is_linked(path: str) -> bool:
    """A link is on the way to a path below ``.limpet``, wherever it points: of what only we write, a link is never
    intended. ``.limpet`` itself may be one that stays inside the project."""
    path = path if os.sep == "/" else os.path.normpath(path)
    root = _project_of(path)
    place = f"{root.rstrip(os.sep)}{os.sep}{FOLDER}"
    return bool(root) and (leads_out(place, root) or _first_link(place, path) != "")


def leads_out(path: str, root: str = "") -> bool:
    """Without a ``root``, the project is the folder around the ``.limpet`` that the path goes through; any other path
    is the user's, and followed. A link that stays inside the project is fine. Costs one ``lstat`` for each part."""
    if os.sep != "/":
        path, root = os.path.normpath(path), root and os.path.normpath(root)
    root = root or _project_of(path)
    if not root or not lies_in(root, path):
        return False
    if not _first_link(root, path):
        return False
    return not lies_in(os.path.realpath(root), os.path.realpath(path))


def refuse_leading_out(path: str) -> None:
    if leads_out(path):
        raise PermissionError(_EACCES, "symlink out of the project", path)


def lies_in(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _project_of(path: str) -> str:
    mark = os.sep + FOLDER
    at = path.rfind(mark + os.sep)
    if at < 0 and path.endswith(mark):
        at = len(path) - len(mark)
    return (path[:at] or os.sep) if at >= 0 else ""


def _first_link(folder: str, path: str) -> str:
    place = folder.rstrip(os.sep)
    for part in path[len(place) :].split(os.sep):
        if part and part != ".":
            place = f"{place}{os.sep}{part}"
            if part == ".." or _is_link(place):
                return place
    return ""


def _is_link(place: str) -> bool:
    try:
        found = os.lstat(place)
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return False
    return found.st_mode & _KIND == _LINK or getattr(found, "st_reparse_tag", 0) in _REPARSE_TAGS
