"""The globs by which rules name files: what is wrong with one, and the path of a file as they see it."""

from __future__ import annotations

import os

from limpet.ground.text.globs import ANY
from limpet.ground.workspace import in_main_worktree


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
    return "" if glob.strip("/") else "names no file"


def path_from(root: str, folder: str, given: str) -> str:
    """Return the path of a file from the root, with ``/``, in a linked worktree from that one's; "" for one elsewhere.

    ``folder``: the absolute one from which ``given`` counts, where it is not absolute itself.
    """
    path = os.path.normpath(os.path.join(folder, given))
    for file in filter(None, (in_main_worktree(path), path)):
        for top, found in ((root, file), (os.path.realpath(root), os.path.realpath(file))):
            start = top.rstrip(os.sep) + os.sep
            if os.path.normcase(found).startswith(os.path.normcase(start)):
                return found[len(start) :].replace(os.sep, "/")
    return ""
