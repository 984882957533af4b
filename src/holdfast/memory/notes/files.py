"""The files of notes, one of JSON lines for each day in ``.holdfast/notes/``: the only reader and writer of them.

Paths are below ``shared``, the main worktree's ``.holdfast``. The folder has a ``.gitignore`` of its own.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable

from holdfast.ground.clock import iso
from holdfast.ground.formats.json_text import dumps
from holdfast.ground.storage.durable import make_folder, write_durably
from holdfast.ground.storage.files import names_in, read_bytes
from holdfast.ground.storage.json_lines import parse_lines
from holdfast.memory.notes.note import Note, read_record, write_record

FOLDER = "notes"
ENDING = ".jsonl"
IGNORED = "*\n"
# Bytes of a day that are read and kept, and days that are read, the newest.
LARGEST_DAY = 1_000_000
MOST_DAYS = 400


def read_files(shared: str) -> list[Note]:
    """Return the notes, the oldest first; lines that are no notes are passed over."""
    return [note for day in _days(shared) for note in _read_day(shared, day)]


def add_notes(shared: str, notes: Iterable[Note]) -> int:
    """Write the notes that are not there yet; return how many. A day that is full takes no more. Raise OSError."""
    by_day: dict[str, list[Note]] = {}
    for note in notes:
        by_day.setdefault(iso(note.at)[:10], []).append(note)
    return sum(_add_to_day(shared, day, new) for day, new in by_day.items())


def remove_notes(shared: str, ids: Collection[str]) -> None:
    """Remove these notes from their files. Raise OSError."""
    for day in _days(shared):
        known = _read_day(shared, day)
        left = [note for note in known if note.id not in ids]
        if len(left) < len(known):
            _write_day(shared, day, left)


def _add_to_day(shared: str, day: str, notes: Iterable[Note]) -> int:
    known = _read_day(shared, day)
    ids = {note.id for note in known}
    new = list({note.id: note for note in notes if note.id not in ids}.values())
    size = sum(len(_line(note)) for note in known)
    fitting = []
    for note in new:
        size += len(_line(note))
        if size <= LARGEST_DAY:
            fitting.append(note)
    if fitting:
        _write_day(shared, day, [*known, *fitting])
    return len(fitting)


def _days(shared: str) -> list[str]:
    names = [name for name in names_in(os.path.join(shared, FOLDER)) if name.endswith(ENDING)]
    return [name.removesuffix(ENDING) for name in names[-MOST_DAYS:]]


def _read_day(shared: str, day: str) -> list[Note]:
    raw = read_bytes(_path(shared, day), 2 * LARGEST_DAY) or b""
    return [note for record in parse_lines(raw.split(b"\n")) if (note := read_record(record))]


def _write_day(shared: str, day: str, notes: Iterable[Note]) -> None:
    folder = os.path.join(shared, FOLDER)
    make_folder(folder)
    ignoring = os.path.join(folder, ".gitignore")
    if not os.path.lexists(ignoring):
        write_durably(ignoring, IGNORED, follow=False)
    write_durably(_path(shared, day), b"".join(map(_line, notes)), follow=False)


def _line(note: Note) -> bytes:
    return dumps(write_record(note)).encode("utf-8", "surrogatepass") + b"\n"


def _path(shared: str, day: str) -> str:
    return os.path.join(shared, FOLDER, f"{day}{ENDING}")
