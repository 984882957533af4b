"""Globs over the paths of a project's files: ``*`` and ``?`` within a folder, ``**`` across folders, ``[abc]``.

Without ``re`` and ``fnmatch``, which the hook does not import.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ANY = "**"
# Systems whose file systems usually take ``README`` and ``readme`` for one name.
FOLDED = sys.platform in ("win32", "darwin")


def find_glob(globs: Iterable[str], path: str, folded: bool = FOLDED) -> str:
    """Return the first of the globs that matches a path from the project's root, "" for none.

    A glob without a ``/`` before its end matches in every folder; one that begins with ``/`` only at the root; one that
    ends with ``/`` matches all that the folder holds.
    """
    names = (path.casefold() if folded else path).split("/")
    return next((glob for glob in globs if _matches(_parts(glob.casefold() if folded else glob), names)), "")


def fault_of(glob: str) -> str:
    """Return what is wrong with a glob, "" for nothing."""
    parts = glob.split("/")
    if "\\" in glob:
        return "has a backslash; folders are divided by /"
    if glob.startswith(("~", "!")) or ".." in parts or glob[1:2] == ":":
        return "must name files from the project's root, without ~, !, .. or a drive"
    if "{" in glob or "}" in glob:
        return "has braces, which have no meaning; write a glob for each"
    if any(ANY in part and part != ANY for part in parts):
        return "has ** beside other characters; write it between two /"
    if any(_end_of_set(part, place) < 0 for part in parts for place in _openings(part)):
        return "has a [ without a ]"
    return "" if glob.strip("/") else "names no file"


def path_from(root: str, folder: str, given: str) -> str:
    """Return the path of a file from the root, with ``/``; "" for one that is not below it.

    ``folder``: the absolute one from which ``given`` counts, where it is not absolute itself.
    """
    path = os.path.normpath(os.path.join(folder, given))
    for top, found in ((root, path), (os.path.realpath(root), os.path.realpath(path))):
        start = top.rstrip(os.sep) + os.sep
        if os.path.normcase(found).startswith(os.path.normcase(start)):
            return found[len(start) :].replace(os.sep, "/")
    return ""


def _parts(glob: str) -> list[str]:
    """Return a glob's names of folders and file, from the root."""
    bare = glob.removeprefix("./")
    parts = bare.strip("/").split("/")
    if bare.endswith("/"):
        parts.append(ANY)
    return parts if "/" in bare.removesuffix("/") else [ANY, *parts]


def _matches(parts: list[str], names: list[str]) -> bool:
    """Return whether the parts match all of the names; of several ``**`` only the last may have to take more."""
    part = name = 0
    again: tuple[int, int] | None = None
    while name < len(names):
        if part < len(parts) and parts[part] == ANY:
            part, again = part + 1, (part + 1, name)
        elif part < len(parts) and _fits(parts[part], names[name]):
            part, name = part + 1, name + 1
        elif again:
            part, name = again[0], again[1] + 1
            again = (part, name)
        else:
            return False
    return all(left == ANY for left in parts[part:])


def _fits(pattern: str, name: str) -> bool:
    """Return whether a pattern matches a whole name; of several ``*`` only the last may have to take more."""
    at = place = 0
    again: tuple[int, int] | None = None
    while place < len(name):
        if pattern[at : at + 1] == "*":
            at, again = at + 1, (at + 1, place)
            continue
        end = _end_of_one(pattern, at)
        if end and _is_one(pattern[at:end], name[place]):
            at, place = end, place + 1
        elif again:
            at, place = again[0], again[1] + 1
            again = (at, place)
        else:
            return False
    return not pattern[at:].strip("*")


def _end_of_one(pattern: str, at: int) -> int:
    """Return where the part of a pattern that matches one character ends, 0 at its end."""
    if at >= len(pattern):
        return 0
    end = _end_of_set(pattern, at) if pattern[at] == "[" else -1
    return end + 1 if end >= 0 else at + 1


def _end_of_set(pattern: str, at: int) -> int:
    """Return the place of the ``]`` that ends the set begun at ``at``, -1 for none; one that comes first is in it."""
    first = at + 2 if pattern[at + 1 : at + 2] == "!" else at + 1
    return pattern.find("]", first + 1)


def _openings(part: str) -> Iterable[int]:
    at = part.find("[")
    while at >= 0:
        yield at
        end = _end_of_set(part, at)
        at = part.find("[", end + 1) if end >= 0 else -1


def _is_one(pattern: str, character: str) -> bool:
    if len(pattern) == 1:
        return pattern in ("?", character)
    inside = pattern[1:-1]
    wanted = not inside.startswith("!")
    inside = inside.removeprefix("!")
    place = 0
    while place < len(inside):
        if inside[place + 1 : place + 2] == "-" and place + 2 < len(inside):
            if inside[place] <= character <= inside[place + 2]:
                return wanted
            place += 3
            continue
        if inside[place] == character:
            return wanted
        place += 1
    return not wanted
