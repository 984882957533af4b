"""What observations make: the kind of entry that one speaks for, its evidence, and a new entry of a group of them."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.ground.text.words import fold
from limpet.learning.model import (
    ANTI_PATTERN,
    CREATE,
    DEVIATION,
    DISCOVERY,
    FINDING,
    FIX,
    OBSERVATION,
    PRINCIPLE,
    PROCEDURE,
    KnowledgeEntry,
    KnowledgeEvidence,
    Observation,
)

MOST_GUIDANCE, MOST_CATEGORIES = 5, 3
WORKFLOW = frozenset(("workflow", "process", "planning"))
CATEGORIES = tuple(
    "correctness reliability performance security maintainability testability observability scalability compatibility"
    " accessibility usability cost compliance consistency".split()
)
ROLES = {
    "developer": "correctness reliability performance security maintainability testability consistency patterns"
    " observability scalability incident",
    "sw-engineer": "correctness reliability performance security consistency patterns incident",
    "sw-quality": "security maintainability testability incident",
    "architect": "consistency patterns observability scalability",
    "cr-analyzer": "incident",
    "sdm": "workflow process planning",
}
"""Role -> the tags of what concerns it."""


def kind_of(observation: Observation) -> str:
    """Return the kind of entry that the observation may make or confirm, "" for none."""
    is_workflow = not WORKFLOW.isdisjoint(map(fold, observation.tags))
    if observation.type == OBSERVATION or observation.type == DEVIATION and is_workflow:
        return PROCEDURE
    if observation.type == FINDING and not observation.resolved:
        return ANTI_PATTERN
    is_lesson = observation.type in (DISCOVERY, FIX, FINDING) or observation.type == DEVIATION and observation.resolved
    return PRINCIPLE if is_lesson else ""


def make_entry(id: str, kind: str, group: Sequence[Observation], confidence: float, today: str) -> KnowledgeEntry:
    """Return an entry that these observations create, with the words of the one of most importance.

    ``today``: ISO 8601, for observations without a time.
    """
    first, start = group[0], str(confidence)
    tags: dict[str, None] = {}
    guidance: dict[str, None] = {}
    for each in group:
        tags.update(dict.fromkeys(each.tags))
        guidance.update(dict.fromkeys(each.guidance))
    folded = set(map(fold, tags))
    is_failure = kind == ANTI_PATTERN
    return KnowledgeEntry(
        kind=kind,
        id=id,
        text=max(group, key=lambda each: each.importance).text,
        start=start,
        confidence=float(start),
        guidance=tuple(guidance)[:MOST_GUIDANCE],
        categories=tuple(name for name in CATEGORIES if name in folded)[:MOST_CATEGORIES],
        tags=tuple(tags),
        roles=tuple(role for role, theirs in ROLES.items() if not folded.isdisjoint(theirs.split())),
        source=first.source,
        created=(first.at or today)[:10],
        source_count=len(group),
        severity=worst(*(each.severity for each in group)) if is_failure else "",
        trigger_patterns=tuple(tags) if is_failure else (),
        evidence=tuple(evidence_of(each, CREATE) for each in group),
    )


def evidence_of(observation: Observation, effect: str) -> KnowledgeEvidence:
    told = {name: getattr(observation, name) for name in ("source", "agent", "phase", "at")}
    return KnowledgeEvidence(observation=observation.id, effect=effect, **told)


def worst(*severities: str) -> str:
    return min(filter(None, severities), default="")
