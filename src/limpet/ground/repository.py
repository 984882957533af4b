"""Git's folders, read without running git: where a working tree's and the shared one are, and which branch is checked
out. In the shared one lies what no clone, clean, stash, branch or checkout makes or removes."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.confinement import lies_in
from limpet.ground.storage.files import read_text
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ID = "limpet-id"
"""The file in the common directory that says which project of the user's this is."""
_POINTER = "gitdir:"


class GitLayout(Value):
    """``top``: the root of a working tree, as it was named.
    ``common``: git's common directory.
    ``worktree``: git's name of a linked worktree, whose link to the repository was checked on both sides; "" for the
    main one.
    """

    top: str
    common: str
    worktree: str = ""

    @property
    def main(self) -> str:
        """The root of the main worktree, "" where the repository has none beside its common directory."""
        if not self.worktree:
            return self.top
        folder, name = os.path.split(self.common)
        return folder if name == ".git" else ""


def find_layout(start: str) -> GitLayout | None:
    """At or above ``start``. A submodule counts as a part of the repository that holds it."""
    top = find_upward(start, holds_git)
    if top is None:
        return None
    folder = os.path.join(top, ".git")
    pointer = read_text(folder, STATE_BYTES)
    if pointer is None:
        return GitLayout(top, folder) if os.path.isdir(folder) else None
    if not pointer.startswith(_POINTER):
        return None
    folder = os.path.normpath(os.path.join(top, pointer[len(_POINTER) :].strip()))
    shared = read_text(os.path.join(folder, "commondir"), STATE_BYTES)
    if shared is None:
        return _superproject(top, folder) or GitLayout(top, folder)
    common = os.path.normpath(os.path.join(folder, shared.strip()))
    return GitLayout(top, common, os.path.basename(folder)) if _is_linked_back(top, folder, common) else None


def read_id(layout: GitLayout) -> str:
    return (read_text(os.path.join(layout.common, ID), STATE_BYTES) or "").strip()


def find_upward(start: str, accepts: Callable[[str], bool], top: str = "") -> str | None:
    """The search ends with the folder ``top``."""
    folder = os.path.abspath(start)
    while True:
        if accepts(folder):
            return folder
        parent = os.path.dirname(folder)
        if folder in (parent, top):
            return None
        folder = parent


def holds_git(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, ".git"))


class Repository(Value):
    """``root``: of the working tree. ``folder``: git's own, of a linked worktree the worktree's."""

    root: str
    folder: str

    @property
    def worktree(self) -> str:
        above, name = os.path.split(self.folder)
        return name if os.path.basename(above) == "worktrees" else ""


def find_repository(start: str) -> Repository | None:
    root = find_upward(start, holds_git)
    if root is None:
        return None
    folder = os.path.join(root, ".git")
    if not os.path.isdir(folder):
        pointer = read_text(folder, STATE_BYTES) or ""
        if not pointer.startswith(_POINTER):
            return None
        folder = os.path.normpath(os.path.join(root, pointer.removeprefix(_POINTER).strip()))
    return Repository(root, folder)


def hooks_folder(repository: Repository) -> str:
    """Where no setting names another; linked worktrees share the main one's."""
    common = (read_text(os.path.join(repository.folder, "commondir"), STATE_BYTES) or "").strip()
    return os.path.normpath(os.path.join(repository.folder, common, "hooks"))


def read_branch(repository: Repository) -> str:
    head = (read_text(os.path.join(repository.folder, "HEAD"), STATE_BYTES) or "").strip()
    if head.startswith("ref:"):
        return head.removeprefix("ref:").strip().removeprefix("refs/heads/")
    return head[:8]


def read_commit(start: str) -> str:
    """What tells the commit that is checked out from any other: its id, of a branch without one the branch; where git
    keeps its references in another way their newest state. "" outside of git."""
    repository = find_repository(start)
    if repository is None:
        return ""
    head = (read_text(os.path.join(repository.folder, "HEAD"), STATE_BYTES) or "").strip()
    if not head.startswith("ref:"):
        return head
    name = head.removeprefix("ref:").strip()
    shared = (read_text(os.path.join(repository.folder, "commondir"), STATE_BYTES) or "").strip()
    common = os.path.normpath(os.path.join(repository.folder, shared))
    loose = (read_text(os.path.join(common, name), STATE_BYTES) or "").strip()
    if loose:
        return loose
    packed = read_text(os.path.join(common, "packed-refs")) or ""
    at = packed.find(f" {name}\n")
    if at >= 0:
        return packed[packed.rfind("\n", 0, at) + 1 : at]
    return read_text(os.path.join(common, "reftable", "tables.list"), STATE_BYTES) or name


def _superproject(top: str, folder: str) -> GitLayout | None:
    outer = find_layout(os.path.dirname(top))
    return outer if outer and lies_in(os.path.join(outer.common, "modules"), folder) else None


def _is_linked_back(top: str, folder: str, common: str) -> bool:
    """A folder that says alone which repository it belongs to may have come so."""
    record, known = os.path.realpath(folder), os.path.realpath(os.path.join(common, "worktrees"))
    back = (read_text(os.path.join(record, "gitdir"), STATE_BYTES) or "").strip()
    named, name = os.path.split(os.path.join(record, back))
    return os.path.dirname(record) == known and name == ".git" and os.path.realpath(named) == os.path.realpath(top)
