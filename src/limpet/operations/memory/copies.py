"""The daily copies of the memories: one is kept each day, and what is missing today comes back from one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError, Unwritten
from limpet.ground.event_log import event_data, moment_of, read_events
from limpet.ground.recording import record
from limpet.ground.storage.durable import create_file
from limpet.ground.storage.files import read_bytes
from limpet.ground.values import Value
from limpet.memory.files.codec import read_entry_text
from limpet.memory.files.copies import (
    MEMORIES,
    copied_in,
    copies_folder,
    keep_copy,
    list_copies,
)
from limpet.memory.files.evidence import ADDED
from limpet.memory.files.store import MEMORY_FORGOTTEN, PURGED, RESTORED, scan_files, sole_memory_writer
from limpet.memory.files.tree import prepare
from limpet.memory.library import Library
from limpet.operations.approval import Obtain
from limpet.operations.memory.candidates import writing
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.project import Project


class DailyCopy(Value):
    """``missing``: its files that are not there today, from ``shared``."""

    day: str
    files: int
    missing: tuple[str, ...]


def keep_todays_copy(library: Library) -> None:
    """Raise LimpetError."""
    now, most = library.clock.now(), int(library.settings["copies"])
    with _writing(library.shared):
        try:
            keep_copy(library.shared, iso(now)[:10], most)
        except OSError as error:
            raise Unwritten(f"Cannot write the daily copy ({error.strerror})", copies_folder(library.shared)) from None


def show_copies(project: Project) -> list[DailyCopy]:
    """The newest first."""
    return [_compare(project.workspace.shared, day) for day in reversed(list_copies(project.workspace.shared))]


def restore_copy(project: Project, day: str, obtain: Obtain) -> tuple[DailyCopy, int]:
    """Bring back what is missing today, and say how many files that were; without a ``day``, from the newest copy."""
    library, shared = open_library(project), project.workspace.shared
    days = list_copies(shared)
    if not days or day not in ("", *days):
        raise LimpetError("No copy of this day" if day else "No daily copy yet", day, "Run: limpet memory copies")
    found = _compare(shared, day or days[-1])
    if found.missing:
        obtain(f"Restore {len(found.missing)} files that are missing today from the copy of {found.day}")
    count = 0
    with _writing(shared):
        for path in found.missing:
            raw = read_bytes(os.path.join(copies_folder(shared), found.day, path)) or b""
            try:
                create_file(_place(shared, path), raw)
            except OSError as error:
                raise Unwritten(f"Cannot write the file ({error.strerror})", path) from None
            count += 1
            told = {"memory": _id_in(raw), "path": path, "from": found.day}
            record(shared, project.actor, RESTORED, told)
    update_index(library)
    return found, count


@contextmanager
def _writing(shared: str) -> Iterator[None]:
    with ExitStack() as held:
        held.enter_context(writing(shared))
        held.enter_context(sole_memory_writer(shared))
        yield


def _compare(shared: str, day: str) -> DailyCopy:
    """A memory that was moved is there; one that was forgotten is not missing."""
    names: set[str] = set()
    for path, _ in scan_files(shared):
        name = path.rpartition("/")[2].removesuffix(".md")
        names.update((name, *name.split("-")[-2:]))
    forgotten = _forgotten(shared)
    paths, missing = list(copied_in(shared, day)), []
    for path in paths:
        is_memory = path.startswith(f"{MEMORIES}/")
        if not is_memory and not os.path.lexists(os.path.join(shared, path)):
            missing.append(path)
        elif is_memory and path.rpartition("/")[2].removesuffix(".md") not in names:
            key = _id_in(read_bytes(os.path.join(copies_folder(shared), day, path)) or b"")
            if key and key not in forgotten and key.rpartition("-")[2] not in names:
                missing.append(path)
    return DailyCopy(day, len(paths), tuple(missing))


def _forgotten(shared: str) -> frozenset[str]:
    last: dict[str, str] = {}
    for event in sorted(read_events(shared, (ADDED, MEMORY_FORGOTTEN, PURGED, RESTORED)), key=moment_of):
        last[str(event_data(event).get("memory"))] = event["kind"]
    return frozenset(key for key, kind in last.items() if kind in (MEMORY_FORGOTTEN, PURGED))


def _id_in(raw: bytes) -> str:
    """ "" for no memory that can be read."""
    try:
        return read_entry_text(raw.decode(), "").id
    except (LimpetError, UnicodeDecodeError):
        return ""


def _place(shared: str, path: str) -> str:
    if path.startswith(f"{MEMORIES}/"):
        return prepare(shared, path.removeprefix(f"{MEMORIES}/"))
    os.makedirs(os.path.dirname(os.path.join(shared, path)), exist_ok=True)
    return os.path.join(shared, path)
