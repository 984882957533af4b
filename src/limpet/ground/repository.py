"""Git's folder, read without running git: where it is, and which branch is checked out."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import read_text
from limpet.ground.values import Value
from limpet.ground.workspace import find_upward


class Repository(Value):
    """``root``: of the working tree. ``folder``: git's own, of a linked worktree the worktree's."""

    root: str
    folder: str

    @property
    def worktree(self) -> str:
        above, name = os.path.split(self.folder)
        return name if os.path.basename(above) == "worktrees" else ""


def find_repository(start: str) -> Repository | None:
    root = find_upward(start, lambda folder: os.path.lexists(os.path.join(folder, ".git")))
    if root is None:
        return None
    folder = os.path.join(root, ".git")
    if not os.path.isdir(folder):
        pointer = read_text(folder, STATE_BYTES) or ""
        if not pointer.startswith("gitdir:"):
            return None
        folder = os.path.normpath(os.path.join(root, pointer.removeprefix("gitdir:").strip()))
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
