"""Changes to an entry that proves true again, or no longer holds. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.memory.model.entry import Entry


def strengthen(entry: Entry, seen: Iterable[str], step: float) -> dict[str, object]:
    """Return the changes by one more evidence or, with times in ``seen``, by those that the entry does not hold yet."""
    times = tuple(dict.fromkeys(seen))
    new = tuple(time for time in times if time not in entry.seen)
    more = len(new) if times else 1
    confidence = max(entry.confidence, min(1.0, round(entry.confidence + step * more, 4)))
    return {"evidence_count": entry.evidence_count + more, "confidence": confidence, "seen": entry.seen + new}


def end(entry: Entry, successor: Entry) -> dict[str, object]:
    """Return the changes of an entry that another one takes the place of."""
    until = entry.valid_until or successor.valid_from or successor.created_at
    return {"superseded_by": successor.id, "valid_until": until}
