"""Lines of the audit log for changes to memories: who, when and why, without the words of the memory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from holdfast.ground.safety.dotenv import read_secrets
from holdfast.ground.safety.redaction import redact
from holdfast.ground.storage.event_log import append_event
from holdfast.ground.storage.names import safe_name
from holdfast.ground.values import Value
from holdfast.memory.model.entry import Entry

ADDED = "memory.added"
CHANGED = "memory.changed"
MOVED = "memory.moved"
ARCHIVED = "memory.archived"
RESTORED = "memory.restored"
FORGOTTEN = "memory.forgotten"
PURGED = "memory.purged"
SUPERSEDED = "memory.superseded"
STRENGTHENED = "memory.strengthened"
ACCESSED = "memory.access"
PROPOSED = "memory.proposed"

LONGEST = 80
_TOLD = ("title", "body", "workaround", "tags", "seen")


class Actor(Value):
    """Who acts, and when.

    ``writer``: a door's or a person's name.
    ``now``: in seconds since 1970.
    ``retention``: the configuration's section of that name.
    ``session``, ``agent``, ``why``: "" where unknown.
    """

    writer: str
    now: float
    retention: dict[str, object]
    session: str = ""
    agent: str = ""
    why: str = ""


def record(shared: str, actor: Actor, kind: str, data: Mapping[str, object]) -> None:
    """Append the event. A disk that refuses loses the line, not the change that it tells of."""
    why = redact(actor.why, known=read_secrets(Path(os.path.dirname(shared)))) if actor.why else None
    with suppress(OSError, ValueError):
        append_event(
            shared,
            safe_name(actor.writer),
            kind,
            dict(data),
            actor.now,
            actor.retention,
            writer=actor.writer,
            session=actor.session,
            agent=actor.agent or None,
            why=why or None,
        )


def differences(before: Entry, after: Entry) -> dict[str, object]:
    """Return changed field -> [old, new], or null for a field that holds the memory's words: they go when it is
    purged."""
    fields = [name for name in Entry.fields if getattr(before, name) != getattr(after, name)]
    return {name: _pair(name, getattr(before, name), getattr(after, name)) for name in fields}


def _pair(name: str, old: object, new: object) -> list[object] | None:
    if name in _TOLD or len(str(old)) + len(str(new)) > LONGEST:
        return None
    return [redact(value) if isinstance(value, str) else value for value in (old, new)]
