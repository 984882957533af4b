"""Accesses and proposals read from the event log, where the prompt hook counts them: it writes no entry."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.ground.clock import iso
from holdfast.ground.event_log.append import Actor
from holdfast.ground.event_log.read import data_of, read_events
from holdfast.ground.event_log.record import record
from holdfast.memory.files.audit import ACCESSED, PROPOSED, accesses
from holdfast.memory.upkeep.actions import Access


def record_access(shared: str, ids: Iterable[str], actor: Actor) -> None:
    """Record that these entries were injected or opened in the actor's conversation.

    Outside of a conversation a day is like one.
    """
    session = actor.session or f"{actor.writer} {iso(actor.now)[:10]}"
    record(shared, actor.replace(session=session), ACCESSED, {"ids": list(ids)})


def read_accesses(shared: str) -> list[Access]:
    """Return the first and the last access of each entry in each conversation that the log still holds."""
    found: dict[tuple[str, str], Access] = {}
    for event in read_events(shared, ACCESSED):
        for key, session, at in accesses(event):
            known = found.get((key, session), Access(key, session, at))
            found[key, session] = known.replace(at=min(known.at, at), last=max(known.last, at))
    return list(found.values())


def read_proposed(shared: str) -> frozenset[str]:
    """Return the entries that a person was already asked about."""
    return frozenset(str(data_of(event).get("memory")) for event in read_events(shared, PROPOSED))
