"""Writes candidates into memories: new ones are added, known ones strengthened, contradicted ones superseded. What a
person wrote is never superseded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.errors import HoldfastError, Unwritten
from holdfast.memory.base import MemoryStore
from holdfast.memory.capture.candidate import Candidate
from holdfast.memory.capture.reconcile import Conflict, Strengthen, Supersede, reconcile
from holdfast.memory.gotchas.gotchas import signature_tag
from holdfast.memory.gotchas.signatures import normalise_error
from holdfast.memory.model.access import owners
from holdfast.memory.model.card import Card, Query
from holdfast.memory.model.evidence import Evidence
from holdfast.memory.model.layout import SHARED
from holdfast.memory.model.types import STATED_TYPES

# Hits of a search that a candidate is compared with.
LOOKED_AT = 12
CONFLICT = "conflict"
GOTCHA = "gotcha"
ERROR_PATTERN = "error_pattern"


def keep_lessons(library: MemoryStore, candidates: Sequence[Candidate], agent: str) -> dict[str, int]:
    """Write the candidates; return their number by what became of them. Raises Unwritten, for all of them to be tried
    again: what was written already is known then."""
    counts: Counter[str] = Counter()
    for candidate in candidates:
        try:
            counts[_keep(library, candidate, agent)] += 1
        except Unwritten:
            raise
        except HoldfastError:  # a person's memory that nobody else may change: the next candidate has its chance
            counts["refused"] += 1
    return dict(counts)


def _keep(library: MemoryStore, candidate: Candidate, agent: str) -> str:
    if candidate.type == ERROR_PATTERN and _gotchas(library, candidate):
        return "known"
    related = _related(library, candidate)
    outcome = reconcile(candidate, related, library.settings)
    if isinstance(outcome, Strengthen):
        if any(card.id == outcome.id and card.type == GOTCHA for card in related):
            return "known"  # failures are counted where they are logged, each once
        return _strengthen(library, outcome.id, candidate)
    if candidate.mend and (known := _told_of(library, candidate, related, agent)):
        return known
    fields = _fields(library, candidate, agent)
    why = f"captured: {candidate.type}"
    if isinstance(outcome, Supersede):
        library.supersede(outcome.id, fields, f"{why} that contradicts it")
        return "superseded"
    if isinstance(outcome, Conflict):
        fields["tags"] = (*candidate.tags, CONFLICT)
        fields["body"] = f"{candidate.body}\n\nThe person's {outcome.id} contradicts this and takes precedence."
    # Stated by somebody who decides, it belongs to all agents; concluded by an agent, to that one until it is validated
    # (decision 22).
    owner = SHARED if candidate.type in STATED_TYPES or not agent else agent
    library.add(fields, owner, why)
    return "added"


def _told_of(library: MemoryStore, candidate: Candidate, related: Sequence[Card], agent: str) -> str:
    """Return what became of a fix whose error is known: a gotcha keeps it as its workaround, an error gives way to it;
    "" where neither is known. One event is one memory."""
    gotchas = _gotchas(library, candidate)
    if gotchas:
        if not library.show(gotchas[0].id, count=False).entry.workaround:
            library.edit(gotchas[0].id, {"workaround": candidate.mend, "resolved": True}, "captured: what fixed it")
        return "known"
    for card in related:
        if card.type == ERROR_PATTERN and normalise_error(card.title) == candidate.signature and not card.superseded_by:
            fields = _fields(library, candidate, agent)
            library.supersede(card.id, fields, "captured: what fixed it")
            return "superseded"
    return ""


def _gotchas(library: MemoryStore, candidate: Candidate) -> tuple[Card, ...]:
    """Return the gotcha of the candidate's error, none where there is none."""
    if not candidate.signature:
        return ()
    query = Query(
        tag=signature_tag(candidate.signature),
        type=GOTCHA,
        owners=owners(library.reader),
        limit=1,
        now=library.clock.now(),
    )
    return library.list(query).cards


def _strengthen(library: MemoryStore, key: str, candidate: Candidate) -> str:
    """Add evidence to a memory, and share it once that is enough."""
    stored = library.strengthen(key, _evidence(library, candidate), "captured again")
    enough = stored.entry.evidence_count >= library.settings["share_evidence"]
    if enough and stored.place.owner != SHARED:
        library.move(key, owner=SHARED, why=f"validated: evidence {stored.entry.evidence_count}")
    return "strengthened"


def _related(library: MemoryStore, candidate: Candidate) -> tuple[Card, ...]:
    """Return the memories that the candidate's words find, of those that this reader may see."""
    query = Query(
        text=f"{candidate.title} {' '.join(candidate.tags)}",
        owners=owners(library.reader),
        limit=LOOKED_AT,
        now=library.clock.now(),
    )
    return library.search(query).cards


def _evidence(library: MemoryStore, candidate: Candidate) -> tuple[Evidence, ...]:
    """Return where the candidate was said; the time of the capture where the transcript has no times."""
    times = tuple(dict.fromkeys(iso(seen) for seen in candidate.seen if seen)) or (iso(library.clock.now()),)
    message = candidate.key.partition(":")[0]
    first = iso(candidate.at)
    return tuple(Evidence(at=at, conversation=library.session, message=message if at == first else "") for at in times)


def _fields(library: MemoryStore, candidate: Candidate, agent: str) -> dict[str, Any]:
    evidence = _evidence(library, candidate)
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
        "evidence": evidence,
        "evidence_count": len(evidence),
        "storage": "daily",
        "created_at": iso(candidate.at or library.clock.now()),
    }
