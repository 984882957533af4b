"""Daily copies of memories and candidates, as plain files: what went by accident is brought back from them, and what
was forgotten, or no longer says what it said, is in none. What writes them holds the locks of both."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress

from limpet.ground.storage.confinement import is_linked
from limpet.ground.storage.drafts import draft_path, is_draft
from limpet.ground.storage.durable import make_folder, sync_folder
from limpet.ground.storage.files import OWNER_DIRECTORY, names_in
from limpet.memory.files.tree import walk
from limpet.memory.model.entry import MemoryEntry
from limpet.memory.model.ids import LEAST
from limpet.memory.model.layout import FORGOTTEN, TEAM

MEMORIES, CANDIDATES = "memories", "candidates"
_SPEAKING = ("title", "body", "workaround")


def copies_folder(shared: str) -> str:
    return os.path.join(shared, "copies")


def list_copies(shared: str) -> list[str]:
    """The days, the oldest first."""
    folder = copies_folder(shared)
    return [] if is_linked(folder) else sorted(filter(_is_day, names_in(folder)))


def keep_copy(shared: str, day: str, most: int) -> None:
    """One a day, the newest ``most``. A file that is as it was the day before is that copy's own. Raise OSError."""
    folder, days = copies_folder(shared), list_copies(shared)
    paths = [*copied_now(shared)] if most and day not in days else []
    if paths:
        make_folder(folder)
        draft = draft_path(os.path.join(folder, day))
        before = os.path.join(folder, days[-1]) if days else ""
        for path in paths:
            _copy(os.path.join(shared, path), os.path.join(draft, path), os.path.join(before, path) if before else "")
        os.rename(draft, os.path.join(folder, day))
        sync_folder(folder)
        days = [*days, day]
    left = filter(is_draft, names_in(folder))
    for name in (*days[: max(0, len(days) - most)], *left):
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)


def copied_in(shared: str, day: str) -> Iterator[str]:
    """The files of a copy, from ``shared``, with ``/``."""
    root = os.path.join(copies_folder(shared), day)
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def drop_copies(shared: str, name: str, key: str = "") -> None:
    """Take a file out of all copies, wherever it lay then: by its name, or the end of the entry's id in that."""
    end = key.rpartition("-")[2]
    for day in (*list_copies(shared), *filter(is_draft, names_in(copies_folder(shared)))):
        for path in copied_in(shared, day):
            there = path.rpartition("/")[2]
            if there == name or (len(end) > LEAST and end in there):
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(copies_folder(shared), day, path))


def says_less(before: MemoryEntry, after: MemoryEntry) -> bool:
    """Words were taken out, for whatever reason."""
    return any(getattr(before, name) not in getattr(after, name) for name in _SPEAKING)


def copied_now(shared: str) -> Iterator[str]:
    for found in walk(shared):
        if not found.what and found.path.split("/")[0] not in (FORGOTTEN, TEAM):
            yield f"{MEMORIES}/{found.path}"
    yield from (
        f"{CANDIDATES}/{name}" for name in names_in(os.path.join(shared, CANDIDATES)) if name.endswith(".jsonl")
    )


def _is_day(name: str) -> bool:
    parts = name.split("-")
    return [len(part) for part in parts] == [4, 2, 2] and all(part.isdecimal() for part in parts)


def _copy(source: str, target: str, before: str) -> None:
    os.makedirs(os.path.dirname(target), OWNER_DIRECTORY, exist_ok=True)
    with suppress(FileNotFoundError):  # it went meanwhile
        if before and _mark(before) == _mark(source):
            with suppress(OSError):  # a disk that has no such links
                os.link(before, target)
                return
        shutil.copy2(source, target, follow_symlinks=False)


def _mark(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    return found.st_mtime_ns, found.st_size
