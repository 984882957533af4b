"""The place of an entry by its owner, and the fields that follow from the place. Pure."""

from __future__ import annotations

from holdfast.ground.storage.names import safe_name
from holdfast.memory.model.entry import Entry
from holdfast.memory.model.layout import SHARED, TEAM, Place

# Owners of what is no agent's own.
_COMMON = (SHARED, TEAM)
NO_SESSION = "no-session"


def place_of(entry: Entry, owner: str, state: str = "current") -> Place:
    """Return the place of an entry whose owner this is."""
    group = {"daily": entry.created_at[:10] or entry.id[4:14], "session": safe_name(entry.session or NO_SESSION)}
    return Place(owner=owner, storage=entry.storage, group=group.get(entry.storage, ""), state=state)


def scope_of(owner: str) -> str:
    """Return the scope of what this owner has: the folder decides."""
    return "shared" if owner in _COMMON else "private"


def owned(entry: Entry, owner: str) -> dict[str, object]:
    """Return the entry's fields that say whose it is: an agent's own was recorded by that agent."""
    agent = entry.agent if owner in _COMMON or not entry.agent else owner
    return {"scope": scope_of(owner), "agent": agent}
