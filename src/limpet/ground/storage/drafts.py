"""Names of drafts, in which a file's new bytes are written before they take its place, and those left over by writers
that were killed."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX, _SUFFIX = "limpet-", ".tmp"
# No writer is at work on a draft for so many seconds.
OLD = 3600.0


def draft_path(path: str) -> str:
    """Beside the file, so that a rename puts the bytes in place."""
    return os.path.join(os.path.dirname(path), f"{_PREFIX}{os.getpid()}-{time.monotonic_ns()}{_SUFFIX}")


def is_draft(name: str) -> bool:
    words = name.removeprefix(_PREFIX).removesuffix(_SUFFIX).split("-")
    is_ours = name.startswith(_PREFIX) and name.endswith(_SUFFIX)
    return is_ours and len(words) == 2 and all(word.isdecimal() for word in words)


def old_drafts(folder: str, now: float) -> Iterator[str]:
    """At or below a folder of Limpet, not written to for an hour; no link is followed."""
    for entry in _entries(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from old_drafts(entry.path, now)
        elif is_draft(entry.name) and _is_old(entry, now):
            yield entry.path


def old_drafts_beside(folder: str, now: float) -> Iterator[str]:
    """In a folder of other people's files only names that nobody else gives count."""
    return (entry.path for entry in _entries(folder) if is_draft(entry.name) and _is_old(entry, now))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_old(entry: os.DirEntry[str], now: float) -> bool:
    try:
        return entry.is_file(follow_symlinks=False) and now - entry.stat(follow_symlinks=False).st_mtime >= OLD
    except OSError:
        return False
