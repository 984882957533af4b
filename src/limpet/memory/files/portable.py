"""Memories as one file that can be carried elsewhere, and the import of such a file or of a folder of Markdown. An
entry is taken once, and the same id with other words gets a new id. Secrets that a person typed into a file by hand do
not leave with it."""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import one_line
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import read_bytes
from limpet.ground.storage.walking import files_below
from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import fold
from limpet.ground.values import Value
from limpet.memory.files.codec import read_entry_text, split_evidence
from limpet.memory.files.notes import DAY, NOTES_LIST, read_note, read_observation
from limpet.memory.model.entry import LARGEST, MemoryEntry
from limpet.memory.model.ids import ALIAS
from limpet.memory.model.layout import ENDING, SHARED, TEAM, MemoryPlace, read_place
from limpet.memory.model.results import Imported, MemoryProblem, Stored
from limpet.memory.model.validation import LONGEST_TITLE, make_memory_entry, plain, redacted

FORMATS = ("json", "md-tar")
FORMAT = "limpet-memories"
VERSION = 1
INDEX = "index.json"
HINT = "It was not imported."
# Fields that two entries may differ in and still say the same: their place, and the figures that maintenance keeps.
_IGNORED = (
    *("id", "tags", "scope", "storage", "agent", "tier", "access_count", "last_accessed", "flags"),
    *("shared_by", "shared_at"),
)


class Arrival(Value):
    """An entry that comes in. ``place``: where it lay; ``text``: the Markdown that it came as, "" for none."""

    entry: MemoryEntry
    place: MemoryPlace
    text: str = ""


def export_entries(
    target: str,
    form: str,
    with_index: bool,
    entries: Sequence[Stored],
    files: Iterable[tuple[str, bytes]],
    secrets: Collection[str],
) -> None:
    """Write ``entries`` (as JSON) or ``files`` (path and bytes, as an archive) to the new file ``target``. Raise
    LimpetError for an unknown format, and where a file is already."""
    if form not in FORMATS:
        raise LimpetError(f"Unknown format: {form}", "", f"Formats: {', '.join(FORMATS)}")
    indexed = [name for name in MemoryEntry.fields if name != "body"]
    extra = {INDEX: _render_json("memories", indexed, entries, secrets)} if with_index else {}
    if form == "json":
        _write(target, _render_json("entries", MemoryEntry.fields, entries, secrets))
        for name, raw in extra.items():
            _write(os.path.join(os.path.dirname(target), name), raw)
    else:
        _write(target, _render_tar([*files, *extra.items()], secrets))


def read_arrivals(source: str, now: str = "") -> tuple[list[Arrival], list[MemoryProblem]]:
    """Return (entries, problems of unreadable ones). ``now``: the time of a note that tells none, "" to take no notes.
    Raise LimpetError for a source of no form that is known."""
    arrivals, problems = list[Arrival](), list[MemoryProblem]()
    for path, raw in _files(source):
        origin = os.path.join(source, path) if os.path.isdir(source) else source
        for each in _read(path, raw, now, origin.replace(os.path.expanduser("~"), "~", 1)):
            if isinstance(each, Arrival):
                arrivals.append(each)
            else:
                problems.append(each)
    return arrivals, problems


def import_arrivals(
    arrivals: Iterable[Arrival],
    known: Iterable[MemoryEntry],
    add: Callable[[Arrival], MemoryEntry],
    make_id: Callable[[], str],
) -> Imported:
    known = list(known)
    there: dict[str, list[MemoryEntry]] = {}
    for entry in known:
        for key in (entry.id, *(tag.removeprefix(ALIAS) for tag in entry.tags if tag.startswith(ALIAS))):
            there.setdefault(key, []).append(entry)
    result = Imported()
    said = {_words(entry): entry.id for entry in known}
    for arrival in arrivals:
        old, is_note = arrival.entry.id, arrival.entry.id.startswith(DAY)
        same = there.setdefault(old, [])
        twin = said.setdefault(_words(arrival.entry), old)
        if is_note and not same and twin != old:
            result = result.replace(twins=(*result.twins, (arrival.entry.title, twin)))
            continue
        try:
            # A note's id is made of its words: whatever became of it here, it came before.
            if (same and is_note) or any(_says(entry) == _says(arrival.entry) for entry in same):
                result = result.replace(known=result.known + 1)
            elif not same:
                same.append(add(arrival))
                result = result.replace(added=(*result.added, old))
            else:
                renamed = arrival.entry.replace(id=make_id(), tags=(*arrival.entry.tags, ALIAS + old))
                same.append(add(arrival.replace(entry=renamed)))
                result = result.replace(renamed=(*result.renamed, (old, renamed.id)))
        except LimpetError as error:
            problem = MemoryProblem(old, 0, error.what, error.hint or HINT)
            result = result.replace(problems=(*result.problems, problem))
    return result


def _render_json(key: str, fields: Sequence[str], entries: Iterable[Stored], secrets: Collection[str]) -> bytes:
    """``secrets`` are those known by value. Without ``body`` it is chati.dev's ``index.json``."""
    rows = []
    for each in entries:
        clean = redacted(each.entry, secrets)
        rows.append({"path": each.path, **{name: plain(getattr(clean, name)) for name in fields}})
    told = {"format": FORMAT, "version": VERSION, key: rows}
    return json.dumps(told, ensure_ascii=False, indent=1).encode() + b"\n"


def _render_tar(files: Iterable[tuple[str, bytes]], secrets: Collection[str]) -> bytes:
    """Equal files give equal bytes."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as tar:
        for path, raw in sorted(files):
            kept = raw
            if path != INDEX:
                try:
                    kept = redact(raw.decode(), known=secrets).encode()
                except UnicodeDecodeError:
                    kept = redact(raw.decode("latin-1"), known=secrets).encode("latin-1", "replace")
            about = tarfile.TarInfo(path)
            about.size, about.mode = len(kept), 0o600
            tar.addfile(about, io.BytesIO(kept))
    return whole.getvalue()


def _write(target: str, raw: bytes) -> None:
    if os.path.lexists(target):
        raise LimpetError("File already exists", target, "Choose another name, or delete it.")
    try:
        write_durably(target, raw)
    except OSError as error:
        raise LimpetError(f"Cannot write the file ({error.strerror})", target) from None


def _files(source: str) -> Iterator[tuple[str, bytes]]:
    if os.path.isdir(source):
        yield from _folder_files(source)
        return
    raw = read_bytes(source)
    if raw is None:
        raise LimpetError("Cannot read the file", source)
    if tarfile.is_tarfile(io.BytesIO(raw)):
        yield from _tar_files(raw, source)
    elif source.endswith((ENDING, ".json")):
        yield os.path.basename(source), raw
    else:
        hint = "Give an exported .json or .tar, a .md file, or a folder of .md files."
        raise LimpetError("Not an export of memories", source, hint)


def _folder_files(source: str) -> Iterator[tuple[str, bytes]]:
    for name in files_below(source):
        path = os.path.join(source, name)
        is_read = name.endswith(ENDING) and os.path.basename(name) != NOTES_LIST and not os.path.islink(path)
        raw = read_bytes(path) if is_read else None
        if raw is not None:
            yield name, raw


def _tar_files(raw: bytes, source: str) -> Iterator[tuple[str, bytes]]:
    """Nothing is unpacked: links and devices of a hostile archive stay in it."""
    try:
        with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
            for member in tar:
                file = tar.extractfile(member) if member.isreg() and member.name.endswith(ENDING) else None
                if file is not None:
                    yield member.name.removeprefix("./"), file.read(LARGEST + 1)
            # The block of zeros that ends an archive is there; a header that breaks off is read like an end.
            assert tar.fileobj is not None
            tar.fileobj.seek(tar.offset)
            if tar.fileobj.read(tarfile.BLOCKSIZE) != tarfile.NUL * tarfile.BLOCKSIZE:
                raise LimpetError("Damaged archive (truncated)", source, HINT)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise LimpetError(f"Damaged archive ({error})", source) from None


def _read(path: str, raw: bytes, now: str, origin: str) -> list[Arrival | MemoryProblem]:
    if len(raw) > LARGEST and path.endswith(ENDING):
        return [MemoryProblem(path, 0, f"Larger than {LARGEST // 1_000_000} MB", HINT)]
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return [MemoryProblem(path, 0, "Not UTF-8", "Save it as UTF-8.")]
    if path.endswith(ENDING):
        if now and (note := read_note(text, path, now, origin)):
            return [_arrive("-", path, partial(_make_entry, note))]
        arrived = _arrive(path, path, lambda: _make_entry(read_entry_text(text, path).__dict__))
        return [arrived.replace(text=text) if isinstance(arrived, Arrival) else arrived]
    found: list[Arrival | MemoryProblem] = []
    for number, each in enumerate(_entries(path, text, now, origin), 1):
        where = f"{path}: entry {number}"
        if isinstance(each, dict):
            found.append(_arrive(str(each.get("path") or "-"), where, partial(_make_entry, each)))
        else:
            found.append(MemoryProblem(where, 0, "Not an entry", HINT))
    return found


def _entries(path: str, text: str, now: str, origin: str) -> list[object]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LimpetError(f"Invalid JSON ({error})", path) from None
    observed = data.get("observations") if isinstance(data, dict) and now else None
    if isinstance(observed, list):
        return [read_observation(row, now, origin) if isinstance(row, dict) else row for row in observed]
    entries = data.get("entries") if isinstance(data, dict) and data.get("format") == FORMAT else None
    if entries is not None and data.get("version", VERSION) != VERSION:
        raise LimpetError("Export from another version of Limpet", path, "Update Limpet.")
    if not isinstance(entries, list):
        raise LimpetError("Not an export of memories", path, "To write one, run: limpet memory export")
    return entries


def _arrive(path: str, where: str, read: Callable[[], MemoryEntry]) -> Arrival | MemoryProblem:
    try:
        entry = read()
    except LimpetError as error:
        what = f"{error.where}: {error.what}" if error.where and error.where != where else error.what
        return MemoryProblem(where, 0, what, error.hint or HINT)
    owner = entry.agent if entry.scope == "private" and entry.agent else SHARED
    place = read_place(path) or MemoryPlace(owner=owner, storage=entry.storage)
    # What was another team's is nobody's word to share it with this one.
    here = place.replace(owner=SHARED) if place.owner == TEAM else place
    return Arrival(entry=entry.replace(shared_by="", shared_at=""), place=here)


def _make_entry(fields: Mapping[str, object]) -> MemoryEntry:
    """Unknown fields are left aside. A title that is too long comes first in the body."""
    known = {name: value for name, value in fields.items() if name in MemoryEntry.fields}
    if seen := fields.get("seen"):  # the times alone, as earlier versions wrote them
        known.setdefault("evidence", [{"at": at} for at in seen] if isinstance(seen, list) else seen)
    title = str(known.get("title", ""))
    if len(title) > LONGEST_TITLE:
        known |= {"title": clip(title, LONGEST_TITLE), "body": f"{title}\n\n{known.get('body') or ''}"}
    return make_memory_entry(known)


def _words(entry: MemoryEntry) -> str:
    """What it says, as texts are compared."""
    title, body = (fold(one_line(part)).rstrip(" .!;:,") for part in (entry.title, split_evidence(entry.body)[0]))
    return body if body.startswith(title) else f"{title} {body}".strip()


def _says(entry: MemoryEntry) -> tuple[object, ...]:
    clean = make_memory_entry(entry.__dict__)
    return tuple(getattr(clean, name) for name in MemoryEntry.fields if name not in _IGNORED)
