"""What git says of a project; None or nothing where git is missing or the folder is no repository."""

from __future__ import annotations

import os
import subprocess

PATIENCE = 5.0


def repository_or_project(start: str) -> str | None:
    """The nearest folder at or above ``start`` (absolute) that holds ``.git`` or ``.holdfast``, without running git."""
    folder = start
    while True:
        if any(os.path.lexists(os.path.join(folder, name)) for name in (".git", ".holdfast")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def is_ignored(root: str, path: str) -> bool | None:
    """Whether git keeps ``path`` out of the repository around ``root``."""
    done = _run(root, "check-ignore", "-q", path)
    return None if done is None or done.returncode > 1 else done.returncode == 0


def worktrees(root: str) -> list[str]:
    """The folders of all working trees of this repository, the main one first."""
    done = _run(root, "worktree", "list", "--porcelain")
    if done is None or done.returncode:
        return []
    lines = os.fsdecode(done.stdout).splitlines()
    return [os.path.normpath(line.removeprefix("worktree ")) for line in lines if line.startswith("worktree ")]


def _run(root: str, *words: str) -> subprocess.CompletedProcess[bytes] | None:
    try:
        return subprocess.run(["git", *words], cwd=root, capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
