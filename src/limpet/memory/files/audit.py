"""The events of memories in the audit log: one for each change, without what the memory tells."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.ground.event_log.read import data_of
from limpet.ground.timestamps import seconds_of
from limpet.memory.model import evidence
from limpet.memory.model.entry import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.event_log.read import Event

ADDED = "memory.added"
CHANGED = "memory.changed"
MOVED = "memory.moved"
ARCHIVED = "memory.archived"
RESTORED = "memory.restored"
FORGOTTEN = "memory.forgotten"
PURGED = "memory.purged"
SUPERSEDED = "memory.superseded"
STRENGTHENED = "memory.strengthened"
SHOWN = "memory.shown"
ACCESSED = "memory.access"
CONFIRMED = "memory.confirmed"

# Events that tell of a use, or of none: what the hook shows nobody asked for.
COUNTED = (SHOWN, ACCESSED, CONFIRMED, STRENGTHENED)
# Ends the writer of a hook's lines. Earlier versions wrote what it showed as accesses.
HOOK = " hook"
LONGEST = 80
_CONTENT = ("title", "body", "workaround", "tags", "evidence")


def accesses(event: Event) -> Iterator[tuple[str, str, str, float]]:
    """Yield (id, conversation, kind of use, timestamp) of each entry that an event of ``COUNTED`` names.

    The kinds are those of ``Uses``: shown, opened and confirmed.
    """
    data, at = data_of(event), seconds_of(event.get("time"))
    ids = data["ids"] if "ids" in data else [data.get("memory")]
    for each in ids if isinstance(ids, list) and at else ():
        yield str(each), str(event.get("session") or ""), _kind_of_use(event), at


def differences(before: Entry, after: Entry) -> dict[str, object]:
    """Return changed field -> [old, new], or null for a field that holds the memory's words: they go when it is
    purged."""
    changed: dict[str, object] = {}
    for name in Entry.fields:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            is_told = name not in _CONTENT and len(str(old)) + len(str(new)) <= LONGEST
            changed[name] = [old, new] if is_told else None
    return changed


def _kind_of_use(event: Event) -> str:
    if event["kind"] == SHOWN or str(event.get("writer") or "").endswith(HOOK):
        return evidence.SHOWN
    return evidence.OPENED if event["kind"] == ACCESSED else evidence.CONFIRMED
