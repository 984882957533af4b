"""The values of learning: an observation, an entry of the stores, and the evidence that moves its confidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from limpet.ground.values import Value

PRINCIPLE, ANTI_PATTERN, PROCEDURE = KINDS = ("principle", "anti-pattern", "procedure")
# Kind -> the letters before its numbers, its file in ``knowledge/``, and the key that holds its entries there.
PREFIXES = {PRINCIPLE: "PR", ANTI_PATTERN: "AP", PROCEDURE: "PC"}
FILES = {PRINCIPLE: "principles.yml", ANTI_PATTERN: "anti-patterns.yml", PROCEDURE: "procedures.yml"}
KEYS = {PRINCIPLE: "principles", ANTI_PATTERN: "anti_patterns", PROCEDURE: "procedures"}

# RULED: a rule was made of it, which says it; it still learns.
ACTIVE, RULED, ARCHIVED, SUPERSEDED = STATUSES = ("active", "rule", "archived", "superseded")
ALIVE = (ACTIVE, RULED)
SEVERITIES = ("P0", "P1", "P2", "P3")
PHASES = ("plan", "plan-review", "tests", "code", "code-gate", "quality", "review", "diagnosis")
DISCOVERY, FINDING, FIX, DEVIATION, OBSERVATION, CHECK = TYPES = (
    "discovery",
    "quality-loop-finding",
    "fix-rationale",
    "deviation",
    "observation",
    "consistency-check",
)
CREATE, REINFORCE, WEAKEN, CONTRADICT = EFFECTS = ("create", "reinforce", "weaken", "contradict")
RELATIONSHIPS = (REINFORCE, WEAKEN, CONTRADICT)
PERSON, AGENT, DEED = ORIGINS = ("person", "agent", "deed")
# The same lists, by the names under which the schemas ask for them.
WORDS = {
    "statuses": STATUSES,
    "severities": SEVERITIES,
    "phases": PHASES,
    "types": TYPES,
    "effects": EFFECTS,
    "relationships": RELATIONSHIPS,
    "origins": ORIGINS,
}
PLACES = Decimal("0.0001")
_SIGNS = {REINFORCE: 1, WEAKEN: -1, CONTRADICT: -1}
_LEAST, _MOST = Decimal(0), Decimal(1)


class Observation(Value):
    """What somebody, or a deed, showed during a story or a conversation (Shaktra Intelligence System).

    ``source``: the story's id, or ``conversation:<id>``; not in the file, which is the source's own.
    ``id``: ``OB-`` and a number within the source.
    ``importance``: 1 to 10.
    ``at``: ISO 8601, ending in ``Z``; "" where unknown.
    ``origin``: ``person``, ``agent``, or ``deed`` for what was seen to happen.
    ``severity``, ``resolved``: of a finding; ``resolved`` of a deviation says that it was justified.
    ``principle_id``, ``relationship``: of a consistency check: the entry, of any kind, and what it says of it.
    """

    source: str
    id: str
    type: str
    text: str
    agent: str = ""
    phase: str = ""
    tags: tuple[str, ...] = ()
    importance: int = 5
    at: str = ""
    origin: str = AGENT
    severity: str = ""
    resolved: bool | None = None
    principle_id: str = ""
    relationship: str = ""
    guidance: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


class KnowledgeEvidence(Value):
    """What moved an entry's confidence, or made it. ``effect``: of ``EFFECTS``. ``at``: ISO 8601, "" where unknown."""

    source: str
    observation: str
    effect: str
    agent: str = ""
    phase: str = ""
    at: str = ""


# The fields of an observation and of an entry that hold what somebody wrote as they pleased.
SPOKEN_OF_OBSERVATION = ("text", "tags", "guidance", "paths", "agent", "at")
SPOKEN_OF_ENTRY = (
    *("text", "guidance", "categories", "tags", "roles", "source", "created", "failure_mode", "trigger_patterns"),
    *("applies_to", "evidence"),
)


class KnowledgeEntry(Value):
    """A principle, an anti-pattern or a procedure. Of an anti-pattern ``text`` is its ``failed_approach`` and
    ``guidance`` its ``recommended_approach``, in the file under these keys.

    ``kind``: of ``KINDS``. ``id``: its prefix and number; ``aliases``: ids that it had before branches were merged.
    ``start``: the confidence before any evidence, in decimal; ``confidence`` follows from it and ``evidence``.
    ``source_count``: how many observations speak for it, those included that came before the evidence was kept.
    ``scope``: ``project`` or ``universal``. ``source``: where it comes from: a story, a conversation, ``manual-seed``.
    ``failure_mode``, ``severity``, ``trigger_patterns``: of anti-patterns alone.
    """

    kind: str
    id: str
    text: str
    start: str = "0.6"
    confidence: float = 0.6
    guidance: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    scope: str = "project"
    status: str = ACTIVE
    source: str = ""
    created: str = ""
    source_count: int = 1
    last_reinforced: str = ""
    supersedes: str = ""
    failure_mode: str = ""
    severity: str = ""
    trigger_patterns: tuple[str, ...] = ()
    applies_to: str = ""
    aliases: tuple[str, ...] = ()
    evidence: tuple[KnowledgeEvidence, ...] = ()


Stores = dict[str, tuple[KnowledgeEntry, ...]]
"""Kind -> its entries, in the order of the file."""


def confidence_of(start: str, evidence: Iterable[KnowledgeEvidence], settings: Mapping[str, Any]) -> Decimal:
    steps = [after for _, after in trace(start, evidence, settings) if after is not None]
    return (steps[-1] if steps else Decimal(start)).quantize(PLACES)


def trace(
    start: str, evidence: Iterable[KnowledgeEvidence], settings: Mapping[str, Any]
) -> Iterator[tuple[KnowledgeEvidence, Decimal | None]]:
    """Yield each piece of evidence, in the order in which it counts, with the confidence after it; None where it does
    not count, because the same agent said so in the same story or conversation before."""
    confidence = Decimal(start)
    for piece, counts in counted_evidence(evidence):
        if counts:
            confidence = moved(confidence, piece.effect, settings)
        yield piece, confidence if counts else None


def moved(confidence: Decimal, effect: str, settings: Mapping[str, Any]) -> Decimal:
    if effect not in _SIGNS:
        return confidence
    step = Decimal(str(settings[f"confidence_{effect}"]))
    return min(_MOST, max(_LEAST, confidence + _SIGNS[effect] * step)).quantize(PLACES)


def counted_evidence(evidence: Iterable[KnowledgeEvidence]) -> Iterator[tuple[KnowledgeEvidence, bool]]:
    """Yield the evidence in its order, with whether it counts."""
    said = set()
    for piece in evidence_in_order(evidence):
        mark = once(piece)
        yield piece, piece.effect == CREATE or mark not in said
        said.add(mark)


def once(piece: KnowledgeEvidence) -> tuple[str, str, str]:
    """Return what counts once: an agent bears an entry out, weakens or contradicts it once in each source."""
    return piece.source, piece.agent, REINFORCE if piece.effect == CREATE else piece.effect


def evidence_in_order(evidence: Iterable[KnowledgeEvidence]) -> list[KnowledgeEvidence]:
    """Return each piece once, by the time of its observation, what created the entry first."""

    def order(piece: KnowledgeEvidence) -> tuple[object, ...]:
        number = len(piece.observation), piece.observation
        return piece.effect != CREATE, piece.at, piece.source, *number, piece.effect, piece.agent, piece.phase

    return sorted(set(evidence), key=order)


def supporting(evidence: Iterable[KnowledgeEvidence]) -> int:
    return sum(counts and piece.effect in (CREATE, REINFORCE) for piece, counts in counted_evidence(evidence))


def is_contested(evidence: Iterable[KnowledgeEvidence]) -> bool:
    """Observations of two stories or conversations contradicted the entry."""
    return len({piece.source for piece in evidence if piece.effect == CONTRADICT}) > 1
