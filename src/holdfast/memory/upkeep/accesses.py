"""Accesses and proposals in the event log, which counts them: no entry is written for being read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdfast.ground.clock import iso
from holdfast.ground.event_log.append import Actor
from holdfast.ground.event_log.read import data_of, read_events
from holdfast.ground.event_log.record import record
from holdfast.memory.files.audit import PROPOSED, accesses
from holdfast.memory.model.uses import SHOWN
from holdfast.memory.upkeep.actions import Access

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.event_log.read import Event

_NOTHING: Mapping[str, str] = {}


def record_use(shared: str, ids: Iterable[str], actor: Actor, kind: str, told: Mapping[str, str] = _NOTHING) -> None:
    """Record that these entries were opened (``ACCESSED``) or confirmed (``CONFIRMED``) in the actor's conversation,
    with what else is ``told`` of that.

    Outside of a conversation a day is like one.
    """
    session = actor.session or f"{actor.writer} {iso(actor.now)[:10]}"
    record(shared, actor.replace(session=session), kind, {"ids": list(ids), **told})


def accesses_in(events: Iterable[Event]) -> list[Access]:
    """Return the first and the last access of each entry in each conversation that these events tell of; being shown is
    none."""
    found: dict[tuple[str, str], Access] = {}
    for event in events:
        for key, session, kind, at in accesses(event):
            if kind != SHOWN:
                known = found.get((key, session), Access(key, session, at))
                found[key, session] = known.replace(at=min(known.at, at), last=max(known.last, at))
    return list(found.values())


def read_proposed(shared: str) -> frozenset[str]:
    """Return the entries that a person was already asked about."""
    return frozenset(str(data_of(event).get("memory")) for event in read_events(shared, PROPOSED))
