"""A store's entries as they lie in this machine's files: what changed since both agreed, and what is written back.
Each store has those of one owner; session memories, and what sums a conversation up, are none of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from limpet.ground.errors import LimpetError
from limpet.ground.event_log import event_data, read_events
from limpet.ground.safety.redaction import redact
from limpet.ground.values import Value
from limpet.memory.files import store
from limpet.memory.files.tree import entry_stamps
from limpet.memory.model.entry import DIGEST, LARGEST
from limpet.memory.model.ids import is_id
from limpet.memory.model.layout import CURRENT, FORGOTTEN, read_place
from limpet.operations.project import Project
from limpet.sharing.ledger import Base, Ledger
from limpet.sharing.merge import file_apart, id_in, with_counts, without_counts
from limpet.sharing.revision import ERASED, Revision, Said

_DIGEST = re.compile(rf"^(?:tags:.*\b{DIGEST}\b|[ \t]*- {DIGEST}[ \t]*$)", re.MULTILINE)
_KEPT_HERE = "session"
# What a file says of itself, wherever it lies.
_OWN = re.compile(rf"^(?:scope:[ \t]*[\"']?private|storage:[ \t]*[\"']?{_KEPT_HERE})\b", re.MULTILINE)
_STATES = (CURRENT, "archive")


class LocalChange(Value):
    """``base``: as it was agreed, with the file as it is now. ``said``: what it says now, None where the file was lost
    and is to be put back."""

    base: Base
    said: Said | None


def find_changes(project: Project, ledger: Ledger, name: str, owner: str) -> Iterator[LocalChange]:
    """Of the store ``name``, which has what is the ``owner``'s. What changed back comes too, for its new stamp; what
    did not costs a look at its stamp."""
    shared = project.workspace.shared
    known, found = ledger.stamps(name), entry_stamps(shared)
    changed = [path for path, stamp in found.items() if known.get(path) != stamp]
    before = ledger.entries_at(name, [*changed, *(path for path in known if path not in found)])
    seen, elsewhere = set[str](), list[str]()
    for path in sorted(changed):
        place = read_place(path)
        if place is None or place.owner != owner or place.storage == _KEPT_HERE:
            elsewhere.append(path)
            continue
        text = (store.read_raw(shared, path) or b"").decode("utf-8", "replace")
        if _OWN.search(text.partition("\n---")[0]):
            elsewhere.append(path)
            continue
        entry = before.get(path, "") if place.state == FORGOTTEN else ""
        entry = entry or id_in(text)
        if not is_id(entry) or entry in seen or len(text) > LARGEST or _DIGEST.search(text):
            continue
        base = ledger.base(name, entry)
        if base.path in found and base.path not in before:  # a copy of a file that is as it was
            continue
        seen.add(entry)
        yield LocalChange(base.replace(path=path, stamp=found[path]), _said(path, text))
    missing = {*before.values()} - seen
    gone = _gone(project, elsewhere) if missing else frozenset()
    for entry in sorted(missing):
        base = ledger.base(name, entry).replace(path="", stamp=(0, 0, 0))
        yield LocalChange(base, Said(ERASED) if entry in gone else None)


def to_send(said: Said, project: Project) -> Said:
    """Without any secret, also where a person wrote one into the file or the name of its folder."""
    text = redact(said.text, known=project.secrets)
    return said.replace(text=text, folder=without_secret(said.folder, project)) if said.text else said


def without_secret(path: str, project: Project) -> str:
    return _without_secret(path, tuple(project.secrets))


@lru_cache(maxsize=100)
def _without_secret(path: str, secrets: tuple[str, ...]) -> str:
    plain = redact(path, known=secrets)
    return path if plain == path else re.sub(r"[^\w./-]+", "-", plain)


def write_here(project: Project, revision: Revision, base: Base, owner: str, is_own: bool) -> Base:
    """Make the file say it, and return what was agreed. ``is_own``: nobody but the person's own machines can have
    written it. Raise LimpetError where the file changed meanwhile, or no entry of ours can be so."""
    shared, path, actor, said = project.workspace.shared, base.path, project.actor, revision.said
    if said.state in (FORGOTTEN, ERASED):
        if path and said.state == ERASED:
            from limpet.operations.memory.erase import erase_memory  # with much that few runs need

            erase_memory(project, base.entry, "erased on another machine")
            path = ""
        elif path:
            path = store.forget_file(shared, path, actor)
    else:
        target = _target(said, revision.file, owner)
        if id_in(said.text) != base.entry or not is_id(base.entry) or len(said.text) > LARGEST:
            raise LimpetError("Not an entry", base.entry)
        here = (store.read_raw(shared, path) or b"").decode("utf-8", "replace") if path else ""
        raw = with_counts(said.text, here).encode()
        path, mark = store.take_in_file(shared, base.entry, path, target, raw, base.stamp, actor, is_own)
        return base.replace(path=path, stamp=mark, mark=said.mark)
    return base.replace(path=path, stamp=(0, 0, 0), mark=said.mark)


def file_of(path: str, old: str = "", new: str = "") -> str:
    name = path.rpartition("/")[2]
    return file_apart(name, old, new) if new else name


def _target(said: Said, file: str, owner: str) -> str:
    path = f"{said.folder}/{file}" if said.state == CURRENT else f"{said.state}/{said.folder}/{file}"
    place = read_place(path)
    is_ours = place and place.owner == owner and place.storage != _KEPT_HERE and place.state == said.state
    if said.state not in _STATES or not is_ours:
        raise LimpetError("Not a place of an entry", path)
    return path


def _said(path: str, text: str) -> Said:
    place = read_place(path)
    if place is None or place.state == FORGOTTEN:
        return Said(FORGOTTEN)
    folder = path.removeprefix(f"{place.state}/").rpartition("/")[0]
    return Said(place.state, folder, without_counts(text))


def _gone(project: Project, elsewhere: list[str]) -> frozenset[str]:
    """Ids of what was deleted for good, and of what is now another owner's; a file that is only missing is no
    deletion."""
    shared = project.workspace.shared
    purged = {str(event_data(event).get("memory")) for event in read_events(shared, store.PURGED)}
    moved = {id_in((store.read_raw(shared, path) or b"").decode("utf-8", "replace")) for path in elsewhere}
    return frozenset((purged | moved) - {""})
