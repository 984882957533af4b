"""Names of drafts, in which a file's new bytes are written before they take its place, and those left over by writers
that were killed."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX, _SUFFIX = "holdfast-", ".tmp"
# No writer is at work on a draft for so many seconds.
OLD = 3600.0


def draft_path(path: str) -> str:
    """Return where to write the file's new bytes: beside it, so that a rename puts them in place."""
    return os.path.join(os.path.dirname(path), f"{_PREFIX}{os.getpid()}-{time.monotonic_ns()}{_SUFFIX}")


def is_draft(name: str) -> bool:
    """Return whether a file of this name was being written; earlier versions called it ``<file>.<pid>.<time>.tmp``."""
    bare = name.removesuffix(_SUFFIX)
    if bare == name:
        return False
    numbers = bare.removeprefix(_PREFIX).split("-") if name.startswith(_PREFIX) else bare.rsplit(".", 2)[1:]
    return len(numbers) == 2 and all(number.isdecimal() for number in numbers)


def old_drafts(folder: str, now: float) -> Iterator[str]:
    """Yield the paths of drafts at or below the folder that nobody has written to for an hour; no link is followed."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from old_drafts(entry.path, now)
        elif is_draft(entry.name) and _is_old(entry, now):
            yield entry.path


def _is_old(entry: os.DirEntry[str], now: float) -> bool:
    try:
        return entry.is_file(follow_symlinks=False) and now - entry.stat(follow_symlinks=False).st_mtime >= OLD
    except OSError:
        return False
