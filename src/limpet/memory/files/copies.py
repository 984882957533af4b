"""Daily copies of memories and candidates, as plain files: what went by accident is brought back from them, and what
was forgotten, or no longer says what it said, is in none. Who writes one holds the locks of both."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress

from limpet.ground.storage.files import OWNER_DIRECTORY, draft_path, is_draft, names_in
from limpet.memory.model.entry import DIGEST, MemoryEntry
from limpet.memory.model.ids import LEAST
from limpet.memory.model.layout import FORGOTTEN, TEAM

MEMORIES, CANDIDATES = "memories", "candidates"
_SPEAKING = ("title", "body", "workaround")
_LEFT_OUT = shutil.ignore_patterns(FORGOTTEN, TEAM, "open.json", "limpet-*.tmp", ".gitignore")


def copies_folder(shared: str) -> str:
    return os.path.join(shared, "copies")


def list_copies(shared: str) -> list[str]:
    """The days, the oldest first."""
    return sorted(name for name in names_in(copies_folder(shared)) if not is_draft(name))


def keep_copy(shared: str, day: str, most: int) -> None:
    """One a day, the newest ``most``. A file that is as it was the day before is that copy's own. Raise OSError."""
    folder, days = copies_folder(shared), list_copies(shared)
    kept = [name for name in (MEMORIES, CANDIDATES) if os.path.isdir(os.path.join(shared, name))]
    if most and kept and day not in days:
        os.makedirs(folder, OWNER_DIRECTORY, exist_ok=True)
        draft = draft_path(os.path.join(folder, day))

        def copy(source: str, target: str) -> None:
            before = os.path.join(folder, days[-1], os.path.relpath(target, draft)) if days else ""
            if _mark(before) == _mark(source):
                with suppress(OSError):  # a disk that has no such links
                    os.link(before, target)
            if not os.path.lexists(target):
                shutil.copy2(source, target)

        for name in kept:
            shutil.copytree(os.path.join(shared, name), os.path.join(draft, name), True, _LEFT_OUT, copy)
        os.rename(draft, os.path.join(folder, day))
        days = [*days, day]
    for name in (*days[: max(0, len(days) - most)], *filter(is_draft, names_in(folder))):
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)


def copied_in(shared: str, day: str) -> Iterator[str]:
    """Full paths of a copy's files."""
    for folder, _, names in os.walk(os.path.join(copies_folder(shared), day)):
        yield from (os.path.join(folder, name) for name in names)


def drop_copies(shared: str, name: str, key: str = "") -> None:
    """Take a file out of all copies, wherever it lay then: by its name, or the end of the entry's id in that."""
    end = key.rpartition("-")[2]
    for path in copied_in(shared, ""):
        there = os.path.basename(path)
        if there == name or (len(end) > LEAST and end in there):
            os.unlink(path)


def says_less(before: MemoryEntry, after: MemoryEntry) -> bool:
    """Words were taken out, for whatever reason; a digest is written anew at each stop."""
    return DIGEST not in before.tags and any(getattr(before, name) not in getattr(after, name) for name in _SPEAKING)


def _mark(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
