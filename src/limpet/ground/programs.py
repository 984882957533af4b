"""Programs on PATH that we start ourselves, outside of any sandbox of an agent's: none that lies in the project, where
an agent or a checkout may have put it. Separate from ``processes``, which starts our own."""

from __future__ import annotations

import os

from limpet.ground.repository import find_upward
from limpet.ground.storage.confinement import lies_in


def program_on_path(name: str, root: str, path: str | None = None) -> str:
    """Return the first one's path, "" for none. ``root``: of the project. ``path``: None for PATH. Relative folders
    count for nothing, which on Windows is the current one too."""
    around = repository_of(root)
    for folder in (os.environ.get("PATH", os.defpath) if path is None else path).split(os.pathsep):
        found = os.path.join(folder, name)
        if os.path.isabs(folder) and is_program(found) and not comes_with(found, around):
            return found
    return ""


def is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def comes_with(path: str, root: str) -> bool:
    """Whether a program, or what its link leads to, lies in ``root``. Where home is there too, what is installed in it
    is the user's own."""
    inside = os.path.realpath(root) if root else ""
    if not inside or lies_in(inside, os.path.realpath(os.path.expanduser("~"))):
        return False
    return lies_in(inside, os.path.realpath(path)) or lies_in(inside, os.path.realpath(os.path.dirname(path)))


def repository_of(root: str) -> str:
    """Return the folder around ``root`` that git knows as one, else ``root``."""
    found = find_upward(root, lambda folder: os.path.lexists(os.path.join(folder, ".git"))) if root else ""
    return found or root
