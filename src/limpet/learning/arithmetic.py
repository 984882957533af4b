"""How evidence moves confidence (Shaktra Intelligence System, "Confidence Math"): in decimal, to 4 places, whatever the
order in which branches were merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from limpet.learning.model import CONTRADICT, CREATE, REINFORCE, WEAKEN, Evidence

PLACES = Decimal("0.0001")
_SIGNS = {REINFORCE: 1, WEAKEN: -1, CONTRADICT: -1}
_LEAST, _MOST = Decimal(0), Decimal(1)


def confidence_of(start: str, evidence: Iterable[Evidence], settings: Mapping[str, Any]) -> Decimal:
    """Return the confidence that follows from the start value and the evidence."""
    steps = [after for _, after in trace(start, evidence, settings) if after is not None]
    return (steps[-1] if steps else Decimal(start)).quantize(PLACES)


def trace(
    start: str, evidence: Iterable[Evidence], settings: Mapping[str, Any]
) -> Iterator[tuple[Evidence, Decimal | None]]:
    """Yield each piece of evidence, in the order in which it counts, with the confidence after it; None where it does
    not count, because the same agent confirmed the entry in the same story or conversation before."""
    confidence = Decimal(start)
    for piece, counts in counted(evidence):
        if counts:
            confidence = moved(confidence, piece.effect, settings)
        yield piece, confidence if counts else None


def moved(confidence: Decimal, effect: str, settings: Mapping[str, Any]) -> Decimal:
    """Return the confidence after one piece of evidence."""
    if effect not in _SIGNS:
        return confidence
    step = Decimal(str(settings[f"confidence_{effect}"]))
    return min(_MOST, max(_LEAST, confidence + _SIGNS[effect] * step)).quantize(PLACES)


def counted(evidence: Iterable[Evidence]) -> Iterator[tuple[Evidence, bool]]:
    """Yield the evidence in its order, with whether it counts: an agent confirms an entry once in each source."""
    confirmed = set()
    for piece in in_order(evidence):
        who = (piece.source, piece.agent)
        yield piece, piece.effect != REINFORCE or who not in confirmed
        if piece.effect in (CREATE, REINFORCE):
            confirmed.add(who)


def in_order(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return the evidence, each piece once, by the time of its observation, what created the entry first."""
    return sorted(set(evidence), key=_order)


def supporting(evidence: Iterable[Evidence]) -> int:
    """Return how many pieces speak for the entry."""
    return sum(counts and piece.effect in (CREATE, REINFORCE) for piece, counts in counted(evidence))


def is_contested(evidence: Iterable[Evidence]) -> bool:
    """Return whether observations of two stories or conversations contradicted the entry."""
    return len({piece.source for piece in evidence if piece.effect == CONTRADICT}) > 1


def _order(piece: Evidence) -> tuple[object, ...]:
    number = len(piece.observation), piece.observation
    return piece.effect != CREATE, piece.at, piece.source, *number, piece.effect, piece.agent, piece.phase
