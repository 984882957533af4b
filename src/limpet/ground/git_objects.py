"""What stands in git's own store: where its references point, which commits and contents there are.

Separate from ``git``, which looks at the working tree, and which alone starts the program.
"""

from __future__ import annotations

import os
import re

from limpet.ground.git import PATIENCE, run_git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from subprocess import CompletedProcess

HEAD, BRANCHES, REMOTES = "HEAD", "refs/heads/", "refs/remotes/"
# Commits that are looked at of those that are new.
MOST = 50
_MOVE = re.compile(r"@\{(?P<time>[0-9]+)\} (?P<how>.*)")
# What git notes of a remote's branch that it moved itself.
_PUSHED = "update by push"


def references(root: str, patience: float = PATIENCE) -> dict[str, str] | None:
    """Return the name of each reference, HEAD too -> the id it points to; None where git cannot tell."""
    done = run_git(root, "show-ref", "--head", patience=patience)
    if done is None or done.returncode > 1:
        return None
    pairs = (line.partition(" ") for line in done.stdout.decode("utf-8", "surrogateescape").splitlines())
    return {name: at for at, _, name in pairs}


def content_at(root: str, commit: str, paths: Collection[str], patience: float = PATIENCE) -> dict[str, str]:
    """Return path (from ``root``, with ``/``) -> the id of its content in a commit, of those that are there."""
    asked = [path for path in paths if "\n" not in path]
    given = b"".join(os.fsencode(f"{commit}:./{path}\n") for path in asked)
    done = run_git(root, "cat-file", "--batch-check=%(objectname) %(objecttype)", patience=patience, given=given)
    lines = done.stdout.decode("utf-8", "replace").splitlines() if done and not done.returncode else []
    found = zip(asked, (line.split(" ") for line in lines), strict=False)
    return {path: words[0] for path, words in found if words[1:] == ["blob"]}


def read_contents(root: str, contents: Iterable[str], patience: float = PATIENCE) -> dict[str, bytes]:
    """Return the contents with these ids, but for those that the store does not have."""
    given = "".join(f"{content}\n" for content in contents).encode()
    done = run_git(root, "cat-file", "--batch", patience=patience, given=given)
    raw, at, found = done.stdout if done else b"", 0, dict[str, bytes]()
    while (end := raw.find(b"\n", at)) >= 0:
        name, *about = raw[at:end].decode("ascii", "replace").split(" ")
        at = end + 1
        if len(about) == 2:  # its kind and its length
            length = int(about[1])
            found[name] = raw[at : at + length]
            at += length + 1
    return found


def new_commits(root: str, tips: Iterable[str], known: Iterable[str], patience: float = PATIENCE) -> list[str]:
    """Return the ids of commits that the tips reach and what was known does not, the newest first; at most MOST."""
    given = "".join(f"{each}\n" for each in (*tips, *(f"^{each}" for each in known))).encode()
    done = run_git(root, "rev-list", f"--max-count={MOST}", "--stdin", patience=patience, given=given)
    return done.stdout.decode("ascii", "replace").split() if done and not done.returncode else []


def files_of(root: str, commits: Iterable[str], patience: float = PATIENCE) -> set[str]:
    """Return the paths below ``root``, with ``/``, that these commits changed."""
    words = ("diff-tree", "--stdin", "-r", "-m", "--root", "--no-commit-id", "--name-only", "-z", "--relative")
    given = "".join(f"{commit}\n" for commit in commits).encode()
    return _paths(run_git(root, *words, patience=patience, given=given))


def files_between(root: str, before: str, after: str, patience: float = PATIENCE) -> set[str]:
    """Return the paths below ``root``, with ``/``, in which two commits differ."""
    return _paths(run_git(root, "diff-tree", "-r", "--name-only", "-z", "--relative", before, after, patience=patience))


def was_pushed(root: str, name: str, since: float, patience: float = PATIENCE) -> bool:
    """Return whether a push of this repository moved a remote's branch since then; one by the remote's address alone
    leaves no trace."""
    words = ("reflog", "show", "--date=unix", "--format=%gd %gs", f"--max-count={MOST}", name)
    done = run_git(root, *words, patience=patience)
    lines = done.stdout.decode("utf-8", "replace").splitlines() if done and not done.returncode else []
    moves = filter(None, map(_MOVE.search, lines))
    return any(int(move["time"]) >= int(since) and move["how"] == _PUSHED for move in moves)


def _paths(done: CompletedProcess[bytes] | None) -> set[str]:
    raw = done.stdout if done and not done.returncode else b""
    return {os.fsdecode(name) for name in raw.split(b"\0") if name}
