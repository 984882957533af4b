"""Notes of what a person typed: kept by capture, searched on request, made memories when said again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from holdfast.ground.clock import iso
from holdfast.ground.errors import Unwritten
from holdfast.ground.safety.instructions.find import flags_of
from holdfast.ground.storage.files import Lock
from holdfast.ground.workspace import Workspace
from holdfast.memory.capture.candidate import paths_in, tags_of, title_of
from holdfast.memory.library import Library
from holdfast.memory.model.entry import PERSON
from holdfast.memory.model.layout import SHARED
from holdfast.memory.notes.files import add_notes, read_files, remove_notes
from holdfast.memory.notes.note import Note, make_note
from holdfast.memory.notes.search import find_same, rank_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.memory.capture.candidate import Message

# Seconds to wait for another writer of notes.
PATIENCE = 15.0
# What had to be said twice is what the person wants to hold.
TYPE = "user_correction"


def find_notes(workspace: Workspace, text: str, limit: int) -> tuple[Note, ...]:
    """Return at most ``limit`` notes that share words with the text, best first."""
    return rank_notes(read_files(workspace.shared), text, limit)


def keep_notes(library: Library, messages: Iterable[tuple[Message, str]]) -> dict[str, int]:
    """Keep the own words of typed messages as notes, of which one that was said before becomes a memory; return the
    numbers of ``noted`` and ``promoted``.

    The words hold no secrets any more. What reads like an order to a model is not kept. Raises Unwritten.
    """
    notes = [make_note(_key(library, message), message.at, library.session, words) for message, words in messages]
    kept = [note for note in notes if not flags_of(note.text)]
    if not kept:
        return {}
    counts = {"noted": 0, "promoted": 0}
    with _locked(library):
        known = read_files(library.shared)
        ids = {note.id for note in known}
        for note in kept:
            if note.id in ids:
                continue
            ids.add(note.id)
            if before := find_same(note.text, known, library.settings["likeness"]["same"]):
                _promote(library, before, note)
                known.remove(before)
                counts["promoted"] += 1
            else:
                known.append(note)
                counts["noted"] += _add(library, note)
    return {name: count for name, count in counts.items() if count}


def _key(library: Library, message: Message) -> str:
    return message.id or f"{library.session}:{message.offset}"


@contextmanager
def _locked(library: Library) -> Iterator[None]:
    with Lock(os.path.join(library.shared, "cache", "locks", "notes.lock"), PATIENCE) as held:
        if not held:
            raise Unwritten("Another process is writing notes", "", "Try again.")
        yield


def _add(library: Library, note: Note) -> int:
    try:
        return add_notes(library.shared, [note if note.at else note.replace(at=library.clock.now())])
    except OSError as error:
        raise Unwritten(f"Cannot write notes ({error.strerror})") from error


def _promote(library: Library, note: Note, again: Note) -> None:
    times = tuple(dict.fromkeys(each.at or library.clock.now() for each in (note, again)))
    fields = {
        "type": TYPE,
        "title": title_of(note.text),
        "body": note.text,
        "tags": tags_of(note.text),
        "paths": paths_in(note.text),
        "session": note.session,
        "source": library.writer,
        "evidence": tuple(library.origin(at=at, by=PERSON) for at in times),
        "evidence_count": len(times),
        "storage": "daily",
        "created_at": iso(times[0]),
        "confidence": library.settings["confidence"]["told"],
    }
    library.add(fields, SHARED, "a note said again")
    try:
        remove_notes(library.shared, {note.id})
    except OSError as error:
        raise Unwritten(f"Cannot write notes ({error.strerror})") from error
