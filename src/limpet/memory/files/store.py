"""Entries' files: read, added, changed and moved, each change with an event in the audit log that says nothing of what
the memory tells."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager

from limpet.ground.clock import iso, seconds_of
from limpet.ground.config.defaults import CACHE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor, Event, event_data
from limpet.ground.recording import record
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.storage import durable, text_file
from limpet.ground.storage.drafts import old_drafts
from limpet.ground.storage.files import Stamp, is_larger, read_bytes, remove_file, stamp
from limpet.ground.storage.last_seen import note_seen, read_last_seen
from limpet.ground.storage.text_file import fair_lock
from limpet.ground.storage.user_folders import project_cache
from limpet.ground.trust.consent import root_of
from limpet.memory.files.codec import change_entry_text, read_entry_text, rewrite_entry_text, write_entry_text
from limpet.memory.files.copies import drop_copies, says_less
from limpet.memory.files.evidence import ADDED, CHANGED, MOVED, STRENGTHENED, digest_of_text, digest_of_words, worded
from limpet.memory.files.reviewed import Look, note_reviewed
from limpet.memory.files.tree import drafts, free_path, locate, on_disk, prepare, prune, walk
from limpet.memory.model import results
from limpet.memory.model.entry import DURABLE, KEEP_LESS, LARGEST, MemoryEntry
from limpet.memory.model.ids import file_name, id_scope_of, owned, place_of
from limpet.memory.model.layout import ARCHIVE, CURRENT, FORGOTTEN, TEAM, MemoryPlace, read_place, write_place
from limpet.memory.model.results import Gone, Stored
from limpet.memory.model.validation import fit_changes, make_memory_entry

ARCHIVED = "memory.archived"
RESTORED = "memory.restored"
MEMORY_FORGOTTEN = "memory.forgotten"
PURGED = "memory.purged"
SUPERSEDED = "memory.superseded"
SHOWN = "memory.shown"
ACCESSED = "memory.access"
CONFIRMED = "memory.confirmed"

# Events that tell of a use, or of none: what the hook shows nobody asked for.
COUNTED = (SHOWN, ACCESSED, CONFIRMED, STRENGTHENED)
LONGEST = 80
_CONTENT = ("title", "body", "workaround", "tags", "evidence")
PATIENCE = 20.0
TRIES = 5
Changes = Mapping[str, object] | Callable[[MemoryEntry], Mapping[str, object]]
# An entry, fit to be written -> (its owner, its tier).
Settle = Callable[[MemoryEntry], tuple[str, str]]


def accesses(event: Event) -> Iterator[tuple[str, str, str, float]]:
    """Yield (id, conversation, kind of ``Uses``, timestamp) of each entry that an event of ``COUNTED`` names."""
    data, at = event_data(event), seconds_of(event.get("time"))
    kind = results.OPENED if event["kind"] == ACCESSED else results.CONFIRMED
    if event["kind"] == SHOWN:
        kind = results.SHOWN
    ids = data["ids"] if "ids" in data else [data.get("memory")]
    for each in ids if isinstance(ids, list) and at else ():
        yield str(each), str(event.get("session") or ""), kind, at


def differences(before: MemoryEntry, after: MemoryEntry) -> dict[str, object]:
    """Return changed field -> [old, new], or null for a field that holds the memory's words: they go in a purge."""
    changed: dict[str, object] = {}
    for name in MemoryEntry.fields:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            is_told = name not in _CONTENT and len(str(old)) + len(str(new)) <= LONGEST
            changed[name] = [old, new] if is_told else None
    return changed


def record_change(shared: str, actor: Actor, kind: str, before: Stored, after: Stored) -> None:
    data: dict[str, object] = {"memory": after.entry.id, "folder": _folder(after.path)}
    if after.path != before.path:
        data["from"] = _folder(before.path)
    if after.place.owner != before.place.owner or says_less(before.entry, after.entry):
        with on_disk(after.path):
            drop_copies(shared, before.path.rpartition("/")[2], after.entry.id)
    if after.place.owner == TEAM:  # by this machine's own hand
        look = Look(digest_of_words(after.entry), after.entry.shared_by)
        note_reviewed(shared, {after.entry.id: look})
    changed = {"changed": differences(before.entry, after.entry)}
    record(shared, actor, kind, {**data, **changed, **worded(kind, before.entry, after.entry)})


def scan_files(shared: str) -> Iterator[tuple[str, Stamp]]:
    """Yield path and stamp of every entry's file, the archived and forgotten ones too; links are not followed."""
    return ((found.path, found.stamp) for found in walk(shared) if not found.what)


def tombstones(shared: str) -> dict[str, float]:
    """Return path of every forgotten entry -> when it was forgotten, in seconds since 1970."""
    return {path: mark[0] / 1e9 for path, mark in scan_files(shared) if path.startswith(f"{FORGOTTEN}/")}


def read_entry(shared: str, path: str) -> Stored:
    return _load(shared, path)[0]


def read_raw(shared: str, path: str) -> bytes | None:
    """Return None where there is no readable file, or one too large to be read."""
    full, _ = locate(shared, path)
    return read_bytes(full, CACHE_BYTES)


def add_file(
    shared: str,
    fields: Mapping[str, object],
    settle: Settle,
    actor: Actor,
    state: str = CURRENT,
    came_as: str = "",
) -> Stored:
    """Write a new entry. The fields are checked and redacted here, once for every door. ``settle`` is asked for the
    owner and the tier of the entry that came of them. What the Markdown that it ``came_as`` holds besides stays, as far
    as it is no secret."""
    secrets = _secrets(shared)
    made = make_memory_entry(fields, secrets)
    owner, tier = settle(made)
    entry = made.replace(tier=tier, **owned(made, owner))
    place = place_of(entry, owner, state)
    path = write_place(place, file_name(entry))
    raw = _fit(rewrite_entry_text(redact(came_as, known=secrets), entry) or write_entry_text(entry), path)
    with sole_memory_writer(shared):
        path = free_path(shared, path)
        with on_disk(path):
            durable.create_file(prepare(shared, path), raw)
        stored = read_entry(shared, path)
        told = worded(ADDED, None, stored.entry)
        if came_as:  # elsewhere somebody else counted
            told |= {"times": 0, "said": {}}
        record(shared, actor, ADDED, {"memory": stored.entry.id, "folder": _folder(path), **told})
    return stored


def change(shared: str, path: str, changes: Changes, actor: Actor, kind: str = CHANGED) -> Stored:
    """Every other byte is kept; ``changes`` may be worked out from the entry as its file stands now."""
    with sole_memory_writer(shared):
        before, after = _change(shared, path, changes)
        if after.stamp != before.stamp:
            record_change(shared, actor, kind, before, after)
    return after


def move_file(
    shared: str, path: str, owner: str, storage: str, actor: Actor, changes: Mapping[str, object] | None = None
) -> Stored:
    with sole_memory_writer(shared):
        told = {"storage": storage, **(changes or {})}
        before, after = _change(shared, path, lambda now: {**told, **owned(now, owner)})
        place = place_of(after.entry.replace(storage=storage), owner, before.place.state)
        after = read_entry(shared, _rename(shared, path, place) if place != before.place else path)
        record_change(shared, actor, MOVED, before, after)
    return after


def share_file(shared: str, path: str, by: str, actor: Actor) -> Stored:
    """The file moves to where git keeps it, durable, without any secret, also where a person wrote one into it."""
    secrets = _secrets(shared)
    with sole_memory_writer(shared):
        before, text = _load(shared, path)
        told = {"storage": DURABLE, "shared_by": by, "shared_at": iso(actor.now)}
        made = make_memory_entry({**before.entry.__dict__, **told}, secrets)
        entry = made.replace(**owned(made, TEAM))
        clean = rewrite_entry_text(redact(text, known=secrets), entry) or write_entry_text(entry)
        with on_disk(path):
            replaced = durable.replace_file(prepare(shared, path), _fit(clean, path), before.stamp)
        if not replaced:
            raise LimpetError("Another process is writing this memory", path, "Try again.")
        after = read_entry(shared, _rename(shared, path, place_of(entry, TEAM)))
        record_change(shared, actor, MOVED, before, after)
    return after


def take_in_file(
    shared: str, key: str, path: str, target: str, raw: bytes, seen: Stamp, actor: Actor, is_own: bool
) -> tuple[str, Stamp]:
    """Write an entry as another machine of the person's has it, to ``target``, over the file ``path`` that was ``seen``
    so ("" for a new one); return where it is, and its stamp. ``is_own``: as if its words had been heard here."""
    with sole_memory_writer(shared):
        before = _load(shared, path)[0] if path else None
        place = read_place(target)
        if before and (before.stamp != seen or place is None):
            raise LimpetError("Somebody changed this memory meanwhile", path, "Try again.")
        if before is None:
            path = free_path(shared, target)
        elif place and place != before.place:
            path = _rename(shared, path, place)
        with on_disk(path):
            durable.replace_file(prepare(shared, path), raw)
            if before:
                drop_copies(shared, path.rpartition("/")[2], key)
        says = {"says": digest_of_text(raw.decode(), path), "times": 0, "said": {}} if is_own else {}
        told = {"memory": key, "folder": _folder(path)}
        record(shared, actor, CHANGED if before else ADDED, told | says)
        return path, stamp(locate(shared, path)[0]) or seen


def archive_file(shared: str, path: str, actor: Actor) -> str:
    with sole_memory_writer(shared):
        return _restate(shared, path, ARCHIVE, actor, ARCHIVED)


def forget_file(shared: str, path: str, actor: Actor) -> str:
    """Return the new path. The file's time tells when, not earlier than the last maintenance by a clock that went
    back."""
    with sole_memory_writer(shared):
        last = read_last_seen(maintained_path(shared)).at
        if not last:  # from now on it counts, so that a later jump of the clock shows
            note_seen(maintained_path(shared), actor.now, 0.0)
        full, _ = locate(shared, path)
        if not os.path.isfile(full):
            raise Gone(path)
        with on_disk(path):  # first, so that no tombstone bears an old time, at which it is due
            drop_copies(shared, os.path.basename(full), _id_of(shared, path))
            durable.date_file(full, max(actor.now, last))
        return _restate(shared, path, FORGOTTEN, actor, MEMORY_FORGOTTEN)


def restore(shared: str, path: str, actor: Actor) -> str:
    if locate(shared, path)[1].state == CURRENT:
        raise LimpetError("Memory is neither archived nor forgotten, so there is nothing to undo", path)
    with sole_memory_writer(shared):
        return _restate(shared, path, CURRENT, actor, RESTORED)


def purge(shared: str, path: str, actor: Actor) -> None:
    with sole_memory_writer(shared):
        full, place = locate(shared, path)
        if place.state != FORGOTTEN or stamp(full) is None:
            raise LimpetError("Memory is not forgotten", path, "Only forgotten memories can be deleted.")
        known = _id_of(shared, path)
        with on_disk(path):
            durable.delete_file(full)
        prune(shared, path)
        record(shared, actor, PURGED, {"memory": known, "folder": _folder(path)})


def sweep(shared: str, dry_run: bool = False, now: float = 0.0) -> list[str]:
    """Return the full paths. Drafts of other files than memories go after an hour, for they have other locks."""
    with sole_memory_writer(shared):
        left = list(dict.fromkeys((*drafts(shared), *old_drafts(shared, now))))
        for path in left if not dry_run else ():
            remove_file(path)
    return left


def maintained_path(shared: str) -> str:
    return os.path.join(project_cache(shared), "maintained")


def sole_memory_writer(shared: str) -> AbstractContextManager[None]:
    path = os.path.join(shared, "locks", "memory.lock")
    return text_file.sole_writer(path, "the memories", PATIENCE, fair_lock)


def _load(shared: str, path: str) -> tuple[Stored, str]:
    full, place = locate(shared, path)
    mark = stamp(full)
    if is_larger(full, CACHE_BYTES):
        raise LimpetError(f"File is larger than {CACHE_BYTES // 2**20} MB and is ignored", path, KEEP_LESS)
    raw = read_bytes(full)
    if mark is None or raw is None:
        raise Gone(path)
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise LimpetError("Not UTF-8", f"{path}:{line}", "Save the file as UTF-8.") from None
    entry = read_entry_text(text, path).replace(scope=id_scope_of(place.owner), storage=place.storage)
    return Stored(entry=entry, path=path, place=place, stamp=mark), text


def _change(shared: str, path: str, changes: Changes) -> tuple[Stored, Stored]:
    """Return what lay there and what is there now; repeated where a person saved the file in between."""
    for _ in range(TRIES):
        before, text = _load(shared, path)
        asked = changes(before.entry) if callable(changes) else changes
        edited = change_entry_text(text, fit_changes(before.entry, asked, _secrets(shared)), path)
        if edited == text:
            return before, before
        raw = _fit(edited, path, len(text.encode()))
        with on_disk(path):
            replaced = durable.replace_file(prepare(shared, path), raw, before.stamp)
        if replaced:
            return before, read_entry(shared, path)
    raise LimpetError("Another process is writing this memory", path, "Try again.")


def _fit(text: str, path: str, known: int = 0) -> bytes:
    """Raise LimpetError for more than the index would look at and than are there."""
    raw = text.encode()
    if len(raw) > max(LARGEST, known):
        raise LimpetError(f"Memory would be larger than {LARGEST // 1_000_000} MB ({len(raw)} bytes)", path, KEEP_LESS)
    return raw


def _restate(shared: str, path: str, state: str, actor: Actor, kind: str) -> str:
    """The bytes stay as they are, so that also a file that cannot be read goes, and comes back."""
    _, place = locate(shared, path)
    if place.state == state:
        return path
    moved = _rename(shared, path, place.replace(state=state))
    told = {"memory": _id_of(shared, moved), "folder": _folder(moved), "from": _folder(path)}
    record(shared, actor, kind, told)
    return moved


def _rename(shared: str, path: str, place: MemoryPlace) -> str:
    source, _ = locate(shared, path)
    if not os.path.isfile(source):
        raise Gone(path)
    target = free_path(shared, write_place(place, path.rpartition("/")[2]))
    with on_disk(path):
        durable.rename_file(source, prepare(shared, target))
    prune(shared, path)
    return target


def _folder(path: str) -> str:
    """A file's name has words of the memory, which no event tells."""
    return path.rpartition("/")[0]


def _id_of(shared: str, path: str) -> str:
    try:
        return read_entry(shared, path).entry.id
    except LimpetError:
        return ""


def _secrets(shared: str) -> frozenset[str]:
    return read_secrets(root_of(shared))
