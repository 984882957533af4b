"""Accesses in the event log, which counts them: no entry is written for being read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdfast.ground.clock import iso
from holdfast.ground.event_log.append import Actor
from holdfast.ground.event_log.record import record

_NOTHING: Mapping[str, str] = {}


def record_use(shared: str, ids: Iterable[str], actor: Actor, kind: str, told: Mapping[str, str] = _NOTHING) -> None:
    """Record that these entries were opened (``ACCESSED``) or confirmed (``CONFIRMED``) in the actor's conversation,
    with what else is ``told`` of that.

    Outside of a conversation a day is like one.
    """
    session = actor.session or f"{actor.writer} {iso(actor.now)[:10]}"
    record(shared, actor.replace(session=session), kind, {"ids": list(ids), **told})
