"""Asks git about files that hold paths of this machine: whether it has them, or would offer them for a commit."""

from __future__ import annotations

import os
from collections.abc import Iterable

from limpet.ground.errors import LimpetError
from limpet.ground.git import is_ignored, is_tracked
from limpet.ground.trust.consent import find_consent
from limpet.ground.workspace import workspace_at


def may_ask_git(root: str) -> bool:
    """Of a repository with a ``.limpet`` that nobody trusts git is asked nothing."""
    workspace = workspace_at(root)
    return not os.path.lexists(workspace.home) or find_consent(workspace) is not None


def refuse_tracked(path: str, root: str) -> None:
    """Raise LimpetError for a file in git that would get paths of this machine."""
    if os.path.lexists(path) and may_ask_git(root) and is_tracked(root, path):
        hint = "For you alone: limpet init --user. For everybody here: limpet init --shared"
        raise LimpetError("The file is in git, so no path of this machine goes into it", path, hint)


def shown_to_git(root: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Return those of the files that git would offer to commit."""
    if not may_ask_git(root):
        return ()
    return tuple(path for path in dict.fromkeys(paths) if is_ignored(root, path) is False)
