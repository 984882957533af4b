"""Candidates into memories: new ones are added, known ones strengthened, contradicted ones superseded; a person's word
stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.errors import HoldfastError
from holdfast.memory.base import MemoryStore
from holdfast.memory.capture.candidate import Candidate
from holdfast.memory.capture.reconcile import Conflict, Strengthen, Supersede, reconcile
from holdfast.memory.model.access import owners
from holdfast.memory.model.card import Card, Query
from holdfast.memory.model.layout import SHARED
from holdfast.memory.model.types import STATED_TYPES

# What was said by somebody who decides is everybody's; what was concluded is the agent's until it is validated
# (decision 22).
LOOKED_AT = 12
CONFLICT = "conflict"
GOTCHA = "gotcha"


def keep_lessons(library: MemoryStore, candidates: Sequence[Candidate], agent: str) -> dict[str, int]:
    """Return what became of the candidates, counted."""
    counts: Counter[str] = Counter()
    for candidate in candidates:
        try:
            counts[_keep(library, candidate, agent)] += 1
        except HoldfastError:  # a person's memory that nobody else may change: the next candidate has its chance
            counts["refused"] += 1
    return dict(counts)


def _keep(library: MemoryStore, candidate: Candidate, agent: str) -> str:
    related = _related(library, candidate)
    verdict = reconcile(candidate, related, library.settings)
    if isinstance(verdict, Strengthen):
        if any(card.id == verdict.id and card.type == GOTCHA for card in related):
            return "known"  # failures are counted where they are logged, each once
        return _strengthen(library, verdict.id, candidate)
    fields = _fields(library, candidate, agent)
    why = f"captured: {candidate.type}"
    if isinstance(verdict, Supersede):
        library.supersede(verdict.id, fields, f"{why} that contradicts it")
        return "superseded"
    if isinstance(verdict, Conflict):
        fields["tags"] = (*candidate.tags, CONFLICT)
        fields["body"] = f"{candidate.body}\n\nA person's {verdict.id} says otherwise, and holds."
    library.add(fields, _owner(candidate, agent), why)
    return "added"


def _strengthen(library: MemoryStore, key: str, candidate: Candidate) -> str:
    """Add one more evidence; what has enough of it is shared."""
    stored = library.strengthen(key, _moments(library, candidate), "captured again")
    enough = stored.entry.evidence_count >= library.settings["share_evidence"]
    if enough and stored.place.owner != SHARED:
        library.move(key, owner=SHARED, why=f"validated: evidence {stored.entry.evidence_count}")
    return "strengthened"


def _related(library: MemoryStore, candidate: Candidate) -> tuple[Card, ...]:
    """Return the memories that speak of the same, of those that this reader may see."""
    query = Query(
        text=f"{candidate.title} {' '.join(candidate.tags)}",
        owners=owners(library.reader),
        limit=LOOKED_AT,
        now=library.clock.now(),
    )
    return library.search(query).cards


def _owner(candidate: Candidate, agent: str) -> str:
    return SHARED if candidate.type in STATED_TYPES or not agent else agent


def _moments(library: MemoryStore, candidate: Candidate) -> tuple[str, ...]:
    """Return when it was said; a transcript that tells no times is as old as its capture."""
    return tuple(dict.fromkeys(iso(moment) for moment in candidate.seen if moment)) or (iso(library.clock.now()),)


def _fields(library: MemoryStore, candidate: Candidate, agent: str) -> dict[str, Any]:
    moments = _moments(library, candidate)
    return {
        "type": candidate.type,
        "title": candidate.title,
        "body": candidate.body,
        "tags": candidate.tags,
        "paths": candidate.paths,
        "confidence": candidate.confidence,
        "agent": agent,
        "source": library.writer,
        "session": library.session,
        "seen": moments,
        "evidence_count": len(moments),
        "storage": "daily",
        "created_at": iso(candidate.at or library.clock.now()),
    }
