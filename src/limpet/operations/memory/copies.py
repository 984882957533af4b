"""The daily copies of the memories: one is kept each day, and what is missing today comes back from one."""

from __future__ import annotations

import os

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError, Unwritten
from limpet.ground.event_log import event_data, moment_of, read_events
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import names_in, read_bytes
from limpet.memory.files.copies import CANDIDATES, MEMORIES, copies_folder, keep_copy, list_copies
from limpet.memory.files.evidence import ADDED
from limpet.memory.files.portable import read_arrivals
from limpet.memory.files.store import MEMORY_FORGOTTEN, PURGED, RESTORED, sole_memory_writer
from limpet.memory.library import Library
from limpet.memory.model.layout import STATES
from limpet.memory.model.rights import refuse_agents
from limpet.operations.approval import Obtain
from limpet.operations.memory.candidates import writing
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.project import Project


def keep_todays_copy(library: Library) -> None:
    """Raise LimpetError."""
    now, most = library.clock.now(), int(library.settings["copies"])
    with writing(library.shared), sole_memory_writer(library.shared):
        try:
            keep_copy(library.shared, iso(now)[:10], most)
        except OSError as error:
            where = copies_folder(library.shared)
            raise Unwritten(f"Cannot write the daily copy ({error.strerror or error})", where) from None


def restore_copy(project: Project, day: str, obtain: Obtain) -> tuple[str, int, int]:
    """Bring back what is missing today, without a ``day`` from the newest copy, once the person agreed to how much.
    Return the day, and the numbers of memories and of files of candidates. For people only."""
    refuse_agents(project.caller.reader, "restore memories from a copy")
    library, days = open_library(project), list_copies(project.workspace.shared)
    if not days or day not in ("", *days):
        raise LimpetError(
            "No copy of this day" if day else "No daily copy yet", day, "Run: limpet memory restore --list"
        )
    day = day or days[-1]
    heard, kept = (os.path.join(library.shared, name) for name in (CANDIDATES, os.path.join("copies", day)))
    there = {stored.entry.id for stored in library.entries(STATES)} | _forgotten(library.shared)
    arrivals, _ = read_arrivals(os.path.join(kept, MEMORIES))
    count = sum(one.entry.id not in there for one in arrivals)
    lost = sorted({*names_in(os.path.join(kept, CANDIDATES))} - {*names_in(heard)})
    if not (count or lost):
        return day, 0, 0
    missing = f"memories: {count}, files of what was heard: {len(lost)}"
    obtain(f"Restore what is missing today from the copy of {day} ({missing})")
    done = library.import_(os.path.join(kept, MEMORIES), f"restored from the copy of {day}", there) if count else None
    with writing(library.shared):
        for name in lost:
            raw = read_bytes(os.path.join(kept, CANDIDATES, name)) or b""
            write_durably(os.path.join(heard, name), raw, follow=False)
    update_index(library)
    return day, len(done.added) if done else 0, len(lost)


def _forgotten(shared: str) -> set[str]:
    last: dict[str, str] = {}
    for event in sorted(read_events(shared, (ADDED, MEMORY_FORGOTTEN, PURGED, RESTORED)), key=moment_of):
        last[str(event_data(event).get("memory"))] = event["kind"]
    return {key for key, kind in last.items() if kind in (MEMORY_FORGOTTEN, PURGED)}
