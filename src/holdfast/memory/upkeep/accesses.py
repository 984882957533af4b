"""Accesses and proposals in the audit log: the prompt hook counts there, because it writes no entry."""

from __future__ import annotations

import calendar
import os
import time
from collections.abc import Iterable, Iterator

from holdfast.ground.clock import iso
from holdfast.ground.formats.json_text import loads
from holdfast.ground.storage.files import read_text
from holdfast.memory.files.audit import ACCESSED, PROPOSED, Actor, record
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
    for access in _accesses(shared):
        known = found.get((access.id, access.session), access)
        first, last = min(known.at, access.at), max(known.last, access.at)
        found[access.id, access.session] = access.replace(at=first, last=last)
    return list(found.values())


def read_proposed(shared: str) -> frozenset[str]:
    """Return the entries that a person was already asked about."""
    return frozenset(str(_data(event).get("memory")) for event in _events(shared, PROPOSED))


def _seconds(moment: object) -> float:
    try:
        return float(calendar.timegm(time.strptime(str(moment), "%Y-%m-%dT%H:%M:%SZ")))
    except (ValueError, OverflowError):
        return 0.0


def _accesses(shared: str) -> Iterator[Access]:
    for event in _events(shared, ACCESSED):
        ids, moment = _data(event).get("ids"), _seconds(event.get("time"))
        for each in ids if isinstance(ids, list) and moment else ():
            yield Access(id=str(each), session=str(event.get("session") or ""), at=moment)


def _events(shared: str, kind: str) -> Iterator[dict[str, object]]:
    folder = os.path.join(shared, "events")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for name in names:
        for line in (read_text(os.path.join(folder, name)) or "").splitlines() if ".jsonl" in name else ():
            event = _event(line) if kind in line else {}
            if event.get("kind") == kind:
                yield event


def _event(line: str) -> dict[str, object]:
    try:
        event = loads(line)
    except ValueError:  # a line that a full disk cut off
        return {}
    return event if isinstance(event, dict) else {}


def _data(event: dict[str, object]) -> dict[str, object]:
    data = event.get("data")
    return data if isinstance(data, dict) else {}
