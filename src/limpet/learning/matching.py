"""How alike texts are: the cosine of their words and pairs of words, found by an index of the words; and observations
that wait for others like them, and the entries that they make together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import sqrt

from limpet.ground.text.folding import fold
from limpet.ground.text.stems import stem
from limpet.ground.text.words import is_stop_word, split_words
from limpet.ground.values import Value
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
from limpet.learning.observations import ref_of

Vector = dict[str, float]
"""Word or pair of words -> its part of a direction of length 1."""

TEXT, GUIDANCE = 0, 1
# Two that are exactly as alike as is asked for count, whatever binary fractions make of it.
CLOSE = 1e-9

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


class Signature(Value):
    """What an entry or an observation is compared by: its text, its guidance, and its categories and tags."""

    vectors: tuple[Vector, Vector]
    tags: frozenset[str]


def sign_words(text: str, guidance: Iterable[str], tags: Iterable[str]) -> Signature:
    return Signature((_vector(text), _vector("\n".join(guidance))), frozenset(map(fold, tags)))


class TextIndex:
    """Signatures by key, and which of them are like another one."""

    def __init__(self) -> None:
        self.signatures: dict[str, Signature] = {}
        self._keys: tuple[dict[str, Vector], dict[str, Vector]] = ({}, {})

    def add(self, key: str, signature: Signature) -> None:
        self.signatures[key] = signature
        for vector, keys in zip(signature.vectors, self._keys, strict=True):
            for term, weight in vector.items():
                keys.setdefault(term, {})[key] = weight

    def remove(self, key: str) -> None:
        signature = self.signatures.pop(key)
        for vector, keys in zip(signature.vectors, self._keys, strict=True):
            for term in vector:
                del keys[term][key]
                if not keys[term]:
                    del keys[term]

    def matches(self, signature: Signature, least: float, whole: float) -> list[str]:
        """Return the keys that match, the most alike first: two of text, guidance and tags are at least ``least``
        alike; where there is no more to compare than two texts, these are at least ``whole``."""
        texts, guidance = self.alike(signature, TEXT), self.alike(signature, GUIDANCE)
        ranked = []
        for key in texts.keys() | guidance.keys():
            if max(texts.get(key, 0.0), guidance.get(key, 0.0)) < least - CLOSE:
                continue
            other = self.signatures[key]
            tags = signature.tags & other.tags
            shared = len(tags) / sqrt(len(signature.tags) * len(other.tags)) if tags else 0.0
            parts = (texts.get(key, 0.0), guidance.get(key, 0.0), shared)
            alone = not (signature.vectors[GUIDANCE] and other.vectors[GUIDANCE] or signature.tags and other.tags)
            if sum(part >= least - CLOSE for part in parts) > 1 or alone and parts[TEXT] >= whole - CLOSE:
                ranked.append((-round(sum(parts), 6), key))
        return [key for _, key in sorted(ranked)]

    def alike(self, signature: Signature, part: int) -> dict[str, float]:
        """Return how alike each key's text, or its guidance, is; those that share no word are left out."""
        found: dict[str, float] = {}
        for term, weight in signature.vectors[part].items():
            for key, other in self._keys[part].get(term, {}).items():
                found[key] = found.get(key, 0.0) + weight * other
        return found


class Waiting:
    """Observations that wait for others like them. ``place``: where the walk is: the number of its source, or of its
    observation among those of this kind. ``room``: how far back an observation counts."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.place = 0
        self.found: dict[str, tuple[int, Observation]] = {}
        self.index = TextIndex()

    def alike(self, signature: Signature, match: float, whole: float) -> dict[str, Observation]:
        """Return those that match, in order, of those that still count."""
        self.drop(key for key, (place, _) in tuple(self.found.items()) if place <= self.place - self.room)
        alike = set(self.index.matches(signature, match, whole))
        return {key: observation for key, (_, observation) in self.found.items() if key in alike}

    def add(self, observation: Observation, signature: Signature) -> None:
        key = f"{ref_of(observation.source, observation.id)} {observation.at}"
        if key not in self.found:
            self.found[key] = self.place, observation
            self.index.add(key, signature)

    def drop(self, keys: Iterable[str]) -> None:
        for key in keys:
            del self.found[key]
            self.index.remove(key)


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
    """Take the words of the observation of most importance. ``today``: ISO 8601, for observations without a time."""
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


def _vector(text: str) -> Vector:
    words: list[str] = []
    for word in split_words(fold(text)):
        if not is_stop_word(word):
            words.append(stem(word))
    counts = Counter((*words, *(f"{one} {other}" for one, other in pairwise(words))))
    length = sqrt(sum(count * count for count in counts.values()))
    return {term: count / length for term, count in counts.items()}
