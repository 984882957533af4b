"""Folders of a project: its root, its ``.limpet`` and, from a git worktree, the main worktree's."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.storage.confinement import FOLDER as FOLDER
from limpet.ground.storage.confinement import LEADS_OUT, leads_out, lies_in
from limpet.ground.storage.files import names_in, read_text
from limpet.ground.storage.user_folders import project_cache
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MOST_WORKTREES = 20
"""The most linked worktrees of a repository that are looked for."""


class Workspace(Value):
    """Absolute paths of a project.

    ``home``: its ``.limpet``.
    ``shared``: the ``.limpet`` of the same folder in the main worktree, which holds memories and events.
    ``cache``: the user's folder of what is made of the files in ``home``.
    ``stranger``: the folder of a project that the user does not trust, for which this empty one stands in.
    """

    root: str
    home: str
    shared: str
    cache: str
    stranger: str = ""

    def path(self, *parts: str) -> str:
        return os.path.join(self.home, *parts)

    def cached(self, *parts: str) -> str:
        return os.path.join(self.cache, *parts)


def find_workspace(start: str) -> Workspace | None:
    """At or above ``start`` (absolute); where a linked worktree has none of its own, at or above the same folder of the
    main worktree."""
    root = find_upward(start, is_project)
    if root is None:
        main = in_main_worktree(start)
        root = find_upward(main, is_project) if main else None
    return None if root is None else workspace_at(root)


def is_project(folder: str) -> bool:
    """``folder/.limpet`` is a folder that the user, or the owner of ``folder``'s own files, put there. A stranger's
    folder in a shared parent such as /tmp must not speak to the user's agent, nor may a link out of ``folder``."""
    home = os.path.join(folder, FOLDER)
    try:
        found = os.stat(home)
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return False
    if found.st_mode & 0o170000 != 0o040000 or leads_out(home, folder):
        return False
    euid = os.geteuid() if hasattr(os, "geteuid") else found.st_uid
    return found.st_uid == euid or euid == 0


def home_out_of_project(start: str) -> str | None:
    """The nearest ``.limpet`` at or above ``start`` that is a link out of its project: it counts as none."""
    root = find_upward(start, lambda folder: leads_out(os.path.join(folder, FOLDER), folder))
    return None if root is None else os.path.join(root, FOLDER)


def no_project(start: str) -> LimpetError:
    if linked := home_out_of_project(start):
        return LimpetError(LEADS_OUT, linked, "replace the link with the folder")
    return LimpetError("No .limpet folder here or above", start, "run: limpet init")


def workspace_at(root: str) -> Workspace:
    home = os.path.join(root, FOLDER)
    main = in_main_worktree(root)
    shared = os.path.join(main, FOLDER) if main else home
    return Workspace(root=root, home=home, shared=shared, cache=project_cache(home))


def worktrees(root: str) -> tuple[str, ...]:
    """The folder and the repository's other worktrees. Reads a small file for each and runs no git."""
    main = in_main_worktree(root) or root
    folder = os.path.join(main, ".git", "worktrees")
    names = names_in(folder)[:MOST_WORKTREES]
    pointers = ((name, read_text(os.path.join(folder, name, "gitdir"), STATE_BYTES)) for name in names)
    linked = (os.path.dirname(os.path.join(folder, name, found.strip())) for name, found in pointers if found)
    return tuple(dict.fromkeys((root, main, *map(os.path.normpath, linked))))


def outer_root(root: str) -> str:
    """The nearest project above, within the repository; "" for none. Costs one ``lstat`` where the project is the
    repository's root."""
    top = find_upward(root, _holds_git)
    found = find_upward(os.path.dirname(root), is_project) if top and top != root else None
    return found if top and found and lies_in(top, found) else ""


def in_main_worktree(path: str) -> str | None:
    """None for a path outside a linked worktree."""
    found = _main_worktree(path)
    return None if found is None else os.path.normpath(os.path.join(found[1], os.path.relpath(path, found[0])))


def main_root(path: str) -> str | None:
    found = _main_worktree(path)
    return found[1] if found else find_upward(path, _holds_git)


def find_upward(start: str, accepts: Callable[[str], bool]) -> str | None:
    folder = os.path.abspath(start)
    while True:
        if accepts(folder):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _holds_git(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, ".git"))


def _main_worktree(start: str) -> tuple[str, str] | None:
    """The roots of the linked worktree around ``start`` and of the main one, None outside a linked one. Reads three
    small files. The main one must name this worktree too: a folder that says alone which repository it belongs to may
    have come so."""
    root = find_upward(start, _holds_git)
    pointer = read_text(os.path.join(root, ".git"), STATE_BYTES) if root else None
    if not root or not pointer or not pointer.startswith("gitdir:"):
        return None
    git_directory = os.path.join(root, pointer[len("gitdir:") :].strip())
    common = read_text(os.path.join(git_directory, "commondir"), STATE_BYTES)
    if not common:
        return None
    common_directory = os.path.normpath(os.path.join(git_directory, common.strip()))
    if os.path.basename(common_directory) != ".git" or not _is_linked_back(root, git_directory, common_directory):
        return None
    return root, os.path.dirname(common_directory)


def _is_linked_back(root: str, git_directory: str, common_directory: str) -> bool:
    record, known = os.path.realpath(git_directory), os.path.realpath(os.path.join(common_directory, "worktrees"))
    back = (read_text(os.path.join(record, "gitdir"), STATE_BYTES) or "").strip()
    named, name = os.path.split(os.path.join(record, back))
    return os.path.dirname(record) == known and name == ".git" and os.path.realpath(named) == os.path.realpath(root)
