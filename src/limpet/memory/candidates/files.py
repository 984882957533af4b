"""The files of candidates, one of JSON lines for each day in ``.limpet/candidates/``, and the list of the open ones:
the only reader and writer of them.

Paths are below ``shared``, the main worktree's ``.limpet``. The folder has a ``.gitignore`` of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.durable import make_folder, write_durably
from limpet.ground.storage.files import names_in, read_bytes, read_text
from limpet.ground.storage.json_lines import parse_lines
from limpet.memory.candidates.candidate import Candidate, read_record, write_record

FOLDER, OPEN = "candidates", "open.json"
# Its name in earlier versions.
NOTES = "notes"
ENDING = ".jsonl"
IGNORED = "*\n"
# Bytes of a day that are read and kept, and days that are read, the newest.
LARGEST_DAY = 1_000_000
MOST_DAYS = 400


def read_files(shared: str) -> list[Candidate]:
    """Return the candidates, the oldest first; lines that are none are passed over."""
    folder = _folder(shared)
    days = [name for name in names_in(folder) if name.endswith(ENDING)][-MOST_DAYS:]
    return [candidate for name in days for candidate in _read_day(os.path.join(folder, name))]


def save(shared: str, changed: Iterable[Candidate], removed: Iterable[Candidate] = ()) -> None:
    """Write what is new or changed, and take out what is ``removed``. A day that is full takes no new ones. Raise
    OSError."""
    by_day: dict[str, dict[str, Candidate | None]] = {}
    for candidate in changed:
        by_day.setdefault(iso(candidate.at)[:10], {})[candidate.id] = candidate
    for candidate in removed:
        by_day.setdefault(iso(candidate.at)[:10], {})[candidate.id] = None
    folder = _make_folder(shared) if by_day else ""
    for day, new in by_day.items():
        path = os.path.join(folder, f"{day}{ENDING}")
        known = {candidate.id: candidate for candidate in _read_day(path)}
        lines, size = list[bytes](), 0
        for id, kept in {**known, **new}.items():
            line = dumps(write_record(kept)).encode("utf-8", "surrogatepass") + b"\n" if kept else b""
            size += len(line)
            if size <= LARGEST_DAY or id in known:
                lines.append(line)
        write_durably(path, b"".join(lines), follow=False)


def read_open(shared: str) -> list[dict[str, Any]]:
    """Return the open candidates as the prompt hook is told of them, [] where no list can be read."""
    found = read_object(read_text(os.path.join(shared, FOLDER, OPEN))).get("open")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def write_open(shared: str, records: Sequence[dict[str, Any]]) -> None:
    """Replace the list of open candidates; none is begun for nothing. Raise OSError."""
    if not records and not os.path.lexists(os.path.join(_folder(shared), OPEN)):
        return
    text = dumps({"open": list(records)})
    write_durably(os.path.join(_make_folder(shared), OPEN), text, follow=False)


def _folder(shared: str) -> str:
    folder, former = os.path.join(shared, FOLDER), os.path.join(shared, NOTES)
    is_former = os.path.isdir(former) and not os.path.islink(former) and not os.path.lexists(folder)
    return former if is_former else folder


def _make_folder(shared: str) -> str:
    folder = os.path.join(shared, FOLDER)
    if (former := _folder(shared)) != folder:
        os.rename(former, folder)
    make_folder(folder)
    ignoring = os.path.join(folder, ".gitignore")
    if not os.path.lexists(ignoring):
        write_durably(ignoring, IGNORED, follow=False)
    return folder


def _read_day(path: str) -> list[Candidate]:
    raw = read_bytes(path, 2 * LARGEST_DAY) or b""
    return [candidate for record in parse_lines(raw.split(b"\n")) if (candidate := read_record(record))]
