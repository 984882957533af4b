"""Questions to git about a project, answered with None or nothing where git is missing or there is no repository."""

from __future__ import annotations

import os
import subprocess

from holdfast.ground.clock import iso

# Seconds that git may take to answer.
PATIENCE = 5.0
_COMMIT = "\x01"
# So many paths fit on a command line on every system; with more, git is asked about all files.
_FEW = 100
# Git stops at the first older commit, but clocks of several machines differ: commits behind it may be newer.
_SKEW = 86_400.0


def repository_or_project(start: str) -> str | None:
    """Return the nearest folder at or above ``start`` (absolute) that holds ``.git`` or ``.holdfast``, without
    running git."""
    folder = start
    while True:
        if any(os.path.lexists(os.path.join(folder, name)) for name in (".git", ".holdfast")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def is_ignored(root: str, path: str) -> bool | None:
    """Return whether git keeps ``path`` out of the repository around ``root``."""
    done = _run(root, "check-ignore", "-q", path)
    return None if done is None or done.returncode > 1 else done.returncode == 0


def worktrees(root: str) -> list[str]:
    """Return the folders of all working trees of this repository, the main one first."""
    done = _run(root, "worktree", "list", "--porcelain")
    if done is None or done.returncode:
        return []
    lines = os.fsdecode(done.stdout).splitlines()
    return [os.path.normpath(line.removeprefix("worktree ")) for line in lines if line.startswith("worktree ")]


def commit_times(root: str, paths: list[str], since: float, patience: float = PATIENCE) -> dict[str, float] | None:
    """Return path -> its last change on the branch that is checked out, for changes since ``since`` or just before.

    Returns None where git cannot tell. Paths are from ``root``, with ``/``; times are seconds since 1970. A merge
    brings its changes at its own time.
    """
    given = b"".join(os.fsencode(line) + b"\n" for line in ["--", *paths])
    times = _log(root, since, patience, "--stdin", given=given)
    wanted = set(paths)
    return None if times is None else {path: at for path, at in times.items() if path in wanted}


def all_commit_times(root: str, since: float, patience: float = PATIENCE) -> dict[str, float] | None:
    """Return ``commit_times`` of every path at or below ``root``, deleted ones included."""
    return _log(root, since, patience)


def loose_files(root: str, patience: float = PATIENCE) -> set[str] | None:
    """Return the paths at or below ``root`` that are changed or untracked, None where git cannot tell."""
    start = "--no-optional-locks"
    changed = _run(root, start, "diff", "--name-only", "-z", "--relative", "HEAD", patience=patience)
    new = _run(root, start, "ls-files", "-z", "--others", "--exclude-standard", patience=patience)
    if changed is None or new is None or changed.returncode or new.returncode:
        return None
    return {name for name in (*_names(changed.stdout), *_names(new.stdout)) if name}


def listed_files(root: str, patience: float = PATIENCE) -> list[str] | None:
    """Return every file at or below ``root`` that git does not ignore, in order, None where git cannot tell."""
    done = _run(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", patience=patience)
    if done is None or done.returncode:
        return None
    return sorted({name for name in _names(done.stdout) if name})


def uncommitted(root: str, paths: list[str], patience: float = PATIENCE) -> set[str] | None:
    """Return those of ``paths`` (from ``root``, with ``/``) that are changed or untracked.

    Returns None where git cannot tell.
    """
    few = ["--", *paths] if len(paths) <= _FEW else []
    start = ("--no-optional-locks", "--literal-pathspecs")
    changed = _run(root, *start, "diff", "--name-only", "-z", "--relative", "HEAD", *few, patience=patience)
    kept = _run(root, *start, "ls-files", "-z", *few, patience=patience)
    if changed is None or kept is None or changed.returncode or kept.returncode:
        return None
    return set(paths) & set(_names(changed.stdout)) | set(paths) - set(_names(kept.stdout))


def _log(root: str, since: float, patience: float, *more: str, given: bytes = b"") -> dict[str, float] | None:
    words = ["log", "--first-parent", "-m", "-z", "--relative", "--name-only", f"--format={_COMMIT}%ct"]
    words += [f"--since={iso(since - _SKEW)}", *more]
    done = _run(root, "--literal-pathspecs", *words, patience=patience, given=given)
    if done is None or done.returncode:
        return None
    times: dict[str, float] = {}
    committed = 0.0
    for token in filter(None, _names(done.stdout)):
        if token.startswith(_COMMIT):
            committed = float(token.removeprefix(_COMMIT))
        else:
            times.setdefault(token, committed)
    return times


def _names(raw: bytes) -> list[str]:
    """Return the names in output of ``-z``. In a log a line break precedes the first name of each commit."""
    return [os.fsdecode(name).removeprefix("\n") for name in raw.split(b"\0")]


def _run(
    root: str, *words: str, patience: float = PATIENCE, given: bytes = b""
) -> subprocess.CompletedProcess[bytes] | None:
    try:
        return subprocess.run(
            ["git", *words], cwd=root, capture_output=True, timeout=patience, input=given, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
