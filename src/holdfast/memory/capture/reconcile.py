"""Compares captured candidates with the known entries and decides on each. Pure: others act on the outcome."""

from __future__ import annotations

from holdfast.ground.text.similarity import similarity
from holdfast.ground.values import Value
from holdfast.memory.capture.choice_parser import at_odds, contradicts, read_choice, substance
from holdfast.memory.gotchas.signatures import normalise_error
from holdfast.memory.model.entry import DURABLE, PERSON
from holdfast.memory.model.types import CHOICE, ERROR, TYPE_TABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.memory.capture.heard import Candidate
    from holdfast.memory.model.card import Card
    from holdfast.memory.model.entry import Entry

    New = Candidate | Entry
    Known = Card | Entry


class Add(Value):
    """It is new."""


class Strengthen(Value):
    """The entry ``id`` says the same: it has one more evidence."""

    id: str


class Supersede(Value):
    """It contradicts the entry ``id``, which held until now."""

    id: str


class Conflict(Value):
    """It contradicts the entry ``id``, which a person wrote, pinned or made durable, and capture never overrules."""

    id: str


def reconcile(
    candidate: New, others: Sequence[Known], settings: Mapping[str, Mapping[str, float]]
) -> Add | Strengthen | Supersede | Conflict:
    """Return what becomes of a candidate; ``settings`` is the configuration's section ``memory``.

    Only entries in force that may be read count: leave out what was archived, forgotten or has expired. What says the
    same goes before what contradicts, the most similar first. What was said before the entry it contradicts closes
    nothing; nor does what calls its thing "it", where that may be several.
    """
    same, contrary, closed = 0.0, -1.0, 0
    outcome: Add | Strengthen | Supersede | Conflict = Add()
    limits = settings["likeness"]
    for other in others:
        if other.superseded_by or _family(candidate.type) != _family(other.type):
            continue
        like = _similarity(candidate, other)
        contradicted, apart = _compare(candidate, other, limits["related"])
        if contradicted:
            closed += 1
            if not same and like > contrary and (_is_persons(other) or not _is_older(candidate, other)):
                contrary, outcome = like, (Conflict if _is_persons(other) else Supersede)(id=other.id)
        elif like >= limits["same"] and like > same and not apart:
            same, outcome = like, Strengthen(id=other.id)
    return Add() if closed > 1 and not same and read_choice(candidate.title).points else outcome


def without_reversed(
    candidates: Sequence[Candidate], settings: Mapping[str, Mapping[str, float]]
) -> tuple[Candidate, ...]:
    """Return the choices of one conversation, in the order in which they were said, but for those that a later one
    contradicts."""
    related = settings["likeness"]["related"]
    read = [read_choice(each.title) for each in candidates]
    reversed_ones: set[int] = set()
    for place, new in enumerate(read):
        closed = {before for before, old in enumerate(read[:place]) if contradicts(new, old, related)}
        if not (new.points and len(closed - reversed_ones) > 1):
            reversed_ones |= closed
    return tuple(each for place, each in enumerate(candidates) if place not in reversed_ones)


def _similarity(candidate: New, other: Known) -> float:
    """Return the similarity, 0 to 1, whatever words say that something is chosen; the same error is 1."""
    plain = similarity(candidate.title, other.title)
    if _family(candidate.type) == ERROR:
        signature = normalise_error(candidate.title)
        return 1.0 if signature and signature == normalise_error(other.title) else plain
    return max(plain, similarity(substance(candidate.title), substance(other.title)))


def _compare(candidate: New, other: Known, related: float) -> tuple[bool, bool]:
    """Return (whether they surely cannot both hold, whether at least they do not say the same)."""
    if _family(candidate.type) != CHOICE:
        return False, False
    new, old = read_choice(candidate.title), read_choice(other.title)
    return contradicts(new, old, related), at_odds(new, old)


def _is_older(candidate: New, other: Known) -> bool:
    """Return whether it was said before what is known was last borne out; an unknown time is now."""
    return 0 < getattr(candidate, "at", 0.0) < getattr(other, "last_evidence", 0.0)


def _is_persons(other: Known) -> bool:
    return other.pinned or other.source == PERSON or other.storage == DURABLE


def _family(kind: str) -> str:
    return TYPE_TABLE[kind].family if kind in TYPE_TABLE else ""
