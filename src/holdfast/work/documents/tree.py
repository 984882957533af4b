"""The project's own files: which there are, and when each one changed. Git is asked where there is one, else the
disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from holdfast.ground.git import all_commit_times, listed_files, loose_files, uncommitted
from holdfast.work.documents.staleness import OURS

PATIENCE = 2.0
MOST = 50_000
_SKIPPED = frozenset(
    ("node_modules", "venv", "__pycache__", "build", "dist", "target", "vendor", "coverage", "site-packages")
)
_OTHERS = frozenset(("node_modules", "vendor", "site-packages"))


def list_files(root: str) -> list[str]:
    """Return the paths from ``root``, with ``/``, of the project's files, at most MOST: without those that git ignores,
    and those of tools and other people."""
    found = listed_files(root, PATIENCE)
    if found is None:
        found = sorted(_walk(root))
    return [path for path in found if not _is_foreign(path)][:MOST]


def read_changes(root: str, since: float, documents: Iterable[str]) -> dict[str, float]:
    """Return the time of the last change, in seconds since 1970, by path, of the files that may have changed after
    ``since``; of the ``documents`` also where git ignores them or they lie in a folder that is skipped.

    Of a committed file the earlier of commit and file time counts: a checkout writes files anew, and a file may be
    committed after its evaluation. A deleted file counts as changed when git recorded that, or its folder changed.
    """
    committed = all_commit_times(root, since, PATIENCE)
    loose = loose_files(root, PATIENCE) if committed is not None else None
    if committed is None or loose is None:
        return {path: _file_time(root, path) for path in (*_walk(root), *documents)}
    # Git keeps whole seconds, the one that a commit falls into.
    ends = {path: at + 1 for path, at in committed.items()}
    times = {path: min(at, _time(root, path) or at) for path, at in ends.items()}
    newer = [path for path in documents if path not in loose and _file_time(root, path) > times.get(path, since)]
    ignored = uncommitted(root, newer, PATIENCE) if newer else None
    return times | {path: _file_time(root, path) for path in loose | (ignored or set())}


def is_file(root: str, path: str) -> bool:
    """Return whether there is a file at this path from ``root``; what lies outside counts as missing."""
    full = os.path.normpath(os.path.join(root, path))
    if not path or not os.path.isfile(full):
        return False
    top = os.path.realpath(root)
    return os.path.commonpath([top, os.path.realpath(full)]) == top


def _file_time(root: str, path: str) -> float:
    """Return the file's time, or that of the nearest folder that is still there."""
    while path:
        found = _time(root, path)
        if found is not None:
            return found
        path = path.rpartition("/")[0]
    return 0.0


def _time(root: str, path: str) -> float | None:
    try:
        return os.stat(os.path.join(root, path)).st_mtime
    except (OSError, ValueError):
        return None


def _walk(root: str) -> Iterator[str]:
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not _is_hidden(name))
        start = os.path.relpath(folder, root).replace(os.sep, "/")
        for name in sorted(names):
            count += 1
            yield name if start == "." else f"{start}/{name}"
        if count >= MOST:
            return


def _is_foreign(path: str) -> bool:
    return path.startswith(OURS) or any(name in _OTHERS or _is_hidden(name) for name in path.split("/")[:-1])


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name not in (".github", ".cursor", ".claude", ".circleci", ".storybook")
