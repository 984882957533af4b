"""Who changed a memory, when and why: one line in the audit log for each change, without what the memory tells."""

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
    """Who acts: the ``writer`` (a door's or a person's name), the moment ``now`` in seconds, the configuration's
    section ``retention``, and where known conversation, agent and reason."""

    writer: str
    now: float
    retention: dict[str, object]
    session: str = ""
    agent: str = ""
    why: str = ""


def record(shared: str, actor: Actor, kind: str, data: Mapping[str, object]) -> None:
    """Append the event. A disk that refuses loses the line, not the change that it tells of."""
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
            why=_reason(shared, actor.why) or None,
        )


def _reason(shared: str, why: str) -> str:
    return redact(why, known=read_secrets(Path(os.path.dirname(shared)))) if why else ""


def differences(before: Entry, after: Entry) -> dict[str, object]:
    """Changed field -> [old, new], or null for what the memory tells: that goes when the memory is purged."""
    fields = [name for name in Entry.fields if getattr(before, name) != getattr(after, name)]
    return {name: _pair(name, getattr(before, name), getattr(after, name)) for name in fields}


def _pair(name: str, old: object, new: object) -> list[object] | None:
    if name in _TOLD or len(str(old)) + len(str(new)) > LONGEST:
        return None
    return [redact(value) if isinstance(value, str) else value for value in (old, new)]
