"""Rules of writing (chati.dev V7.1 article XIII): a person may change everything, an agent shared and own entries. An
agent never changes what a person decided, nor anything of the team's."""

from __future__ import annotations

import re
from collections.abc import Mapping

from limpet.ground.errors import LimpetError
from limpet.memory.model.entry import DIGEST, PERSON, MemoryEntry
from limpet.memory.model.layout import ARCHIVE, CURRENT, FORGOTTEN, SHARED, TEAM, MemoryPlace, Reader, may_read

# What says only how often an entry proved true: to count that overrules nobody.
COUNTED = frozenset({"evidence_count", "confidence", "evidence"})
ASK = "Ask the user to do it."
# What an agent is told that it may not do with a person's own memories.
PERSONAL = "write personal memories"

_OWNER = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def refuse_owner(reader: Reader, owner: str) -> None:
    if not _OWNER.fullmatch(owner) or owner in (ARCHIVE, FORGOTTEN):
        raise LimpetError(f"Not an owner of memories: {owner!r}", hint=f"Use {SHARED}, or an agent's id.")
    if owner == TEAM:
        raise LimpetError("Cannot write to the team's memories directly", "", "Run: limpet memory share ID")
    if not may_read(reader, owner):
        raise LimpetError(f"{owner_name_of(reader)} may not write memories of {owner}", hint=ASK)


def refuse_wishes(reader: Reader, fields: Mapping[str, object]) -> None:
    """Raise LimpetError where fields of a new or changed entry are a person's to give."""
    if reader.person:
        return
    if fields.get("storage") == "durable":
        raise LimpetError("Only a person can make a memory durable", "", ASK)
    if fields.get("pinned"):
        raise LimpetError("Only a person can pin a memory", "", ASK)
    if fields.get("source") == PERSON:
        raise LimpetError("An agent cannot set the source to a person")


def refuse_change(reader: Reader, entry: MemoryEntry, key: str, fields: Mapping[str, object]) -> None:
    refuse_wishes(reader, fields)
    confidence = fields.get("confidence")
    is_lower = isinstance(confidence, (int, float)) and confidence < entry.confidence
    if is_lower or not fields.keys() <= COUNTED:
        refuse_removal(reader, entry, key)


def refuse_removal(reader: Reader, entry: MemoryEntry, key: str) -> None:
    decided = "was made durable" if entry.storage == "durable" else ""
    if entry.source == PERSON:
        decided = "was written"
    elif entry.pinned:
        decided = "was pinned"
    if decided and not reader.person:
        raise LimpetError(f"Memory {decided} by a person, so {owner_name_of(reader)} may not change it", key, ASK)


def refuse_team(reader: Reader, place: MemoryPlace | None, key: str) -> None:
    """Raise LimpetError where an agent would change what is the team's, if it were its count only: git keeps it."""
    if not reader.person and place is not None and place.owner == TEAM:
        raise LimpetError(f"Memory belongs to the team, so {owner_name_of(reader)} may not change it", key, ASK)


def refuse_sharing(reader: Reader, entry: MemoryEntry, place: MemoryPlace, key: str) -> None:
    refuse_agents(reader, "share a memory with the team")
    if place.owner == TEAM:
        raise LimpetError("Memory is already shared with the team", key)
    if place.owner != SHARED:
        first = f"First run: limpet memory edit {key} --owner {SHARED}"
        raise LimpetError(f"Memory is private to {place.owner}", key, first)
    if place.state != CURRENT:
        raise LimpetError("Memory is archived or forgotten", key, f"First run: limpet memory undo {key}")
    if entry.superseded_by:
        raise LimpetError("Memory was superseded", key, f"Share its successor: {entry.superseded_by}")
    if DIGEST in entry.tags:
        raise LimpetError("Conversation digests cannot be shared; they stay on this machine", key)


def refuse_agents(reader: Reader, what: str, instead: str = ASK) -> None:
    if not reader.person:
        raise LimpetError(f"Only a person can {what}", hint=instead)


def owner_name_of(reader: Reader) -> str:
    if reader.person:
        return PERSON
    return f"agent:{reader.agent}" if reader.agent else "agent"
