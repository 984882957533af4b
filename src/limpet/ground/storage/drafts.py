"""Drafts that were left over by writers that were killed."""

from __future__ import annotations

import os

from limpet.ground.storage.files import is_draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# No writer is at work on a draft for so many seconds.
OLD = 3600.0


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
