"""Whether something like what is wanted exists: REUSE, ADAPT or CREATE, after chati.dev V7.1 5.2 as decision 40 reads
it. Pure: artifacts in, advice out."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from math import log

from limpet.ground.text.families import relatives
from limpet.ground.text.folding import fold
from limpet.ground.text.stems import stem
from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import is_stop_word, split_words
from limpet.ground.values import Value
from limpet.registry.artifacts import (
    AGENT,
    DOCUMENT,
    GATE,
    GOVERNANCE,
    INTELLIGENCE,
    RULE,
    SCHEMA,
    TEMPLATE,
    WORKFLOW,
    RegistryArtifact,
    dependents,
)

REUSE, ADAPT, CREATE = "REUSE", "ADAPT", "CREATE"
REUSE_FROM, ADAPT_FROM = 0.90, 0.60
KEYWORD_WEIGHT, PURPOSE_WEIGHT = 0.6, 0.4
LOW_BELOW, SHARED_BELOW = 0.4, 0.7
"""Bands of adaptability: low (0.0 to 0.3), medium (0.4 to 0.6) and high; what is between two belongs to the lower one.
ADAPT comes with its impact in both lower ones."""
MOST_MATCHES = 5
IMPACTS = ((10, "critical"), (5, "high"), (2, "medium"))
"""More dependents than the number -> how grave."""

# Calibrated on the labelled intents of bench/decisions/dev.jsonl (bench/decisions.py), and nowhere else.
# What a word that no candidate has weighs, as a share of the rarest word's weight: it cannot tell which is nearest, but
# says that something is wanted which nothing has.
UNKNOWN = 0.75
# What a word weighs that the artifact has only by one that people use for it (``words/alike``), or in its text.
ALIKE, IN_TEXT = 0.9, 0.5
# Words of the greatest rarity that are counted as wanted and not met besides: of a short intent a single word that is
# met says less. Of the purpose part, squares of it.
KEYWORD_DOUBT, PURPOSE_DOUBT = 2.0, 1.0
# Share of the intent's weight that was met -> the score that it is worth, between them in proportion: people name a
# thing by some of its words, and by many others.
KEYWORD_CALIBRATION = ((0.0, 0.0), (0.2, 0.6), (0.25, 0.9), (1.0, 1.0))
PURPOSE_CALIBRATION = ((0.0, 0.0), (0.15, 0.6), (0.2, 0.9), (1.0, 1.0))

# Words with which a wish is put, which say nothing of what is wanted.
_PUTTING = frozenset(map(stem, """
    need want wish like looking look find add create build write make making something anything thing way kind sort one
    existing exists project please would could help new
""".split()))  # fmt: skip
# Words for a kind of artifact; each of that kind has them all.
_KINDS: Mapping[str, frozenset[str]] = {
    kind: frozenset(map(stem, words.split()))
    for kind, words in {
        AGENT: "agent role persona subagent",
        TEMPLATE: "template form document skeleton",
        WORKFLOW: "workflow pipeline process",
        RULE: "rule guideline convention",
        GATE: "gate",
        SCHEMA: "schema",
        GOVERNANCE: "constitution governance",
        INTELLIGENCE: "protocol definition guide",
        DOCUMENT: "document checklist rubric questions",
    }.items()
}
# What stands before these names the kind of thing; what follows, what it is for.
_FOR = re.compile(r"\b(?:for|that|to|which|of|with|when|who|where|so|about|on|by)\b|[,.:;(]", re.IGNORECASE)
_NAMES = {stem(word): kind for kind, word in (
    (AGENT, "agent"), (AGENT, "role"), (AGENT, "subagent"), (TEMPLATE, "template"), (TEMPLATE, "form"),
    (WORKFLOW, "workflow"), (WORKFLOW, "pipeline"), (RULE, "rule"), (GATE, "gate"), (SCHEMA, "schema"),
    (DOCUMENT, "checklist"), (DOCUMENT, "rubric"),
)}  # fmt: skip
_CODE = "code"
_NAMES |= dict.fromkeys(map(stem, "function method class component helper utility hook decorator".split()), _CODE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class ArtifactMatch(Value):
    """An artifact and how near it is: ``score`` is 0.6 x ``keyword`` + 0.4 x ``purpose``, each 0 to 1; ``words``,
    ``purpose_words``: those of the intent that each part met."""

    artifact: RegistryArtifact
    score: float
    keyword: float
    purpose: float
    words: tuple[str, ...]
    purpose_words: tuple[str, ...]


class Advice(Value):
    """``decision``: REUSE, ADAPT or CREATE. ``matches``: nearest first. ``impact``: ids of what a change of the first
    would meet, empty where it need not be looked at. ``words``: those of the intent that counted."""

    decision: str
    sentence: str
    matches: tuple[ArtifactMatch, ...]
    words: tuple[str, ...]
    impact: tuple[str, ...] = ()


class _Known(Value):
    """Stems: of keywords and purpose, of the purpose alone, and of the text."""

    artifact: RegistryArtifact
    words: frozenset[str]
    purpose: frozenset[str]
    text: frozenset[str]


def decide(intent: str, artifacts: Sequence[RegistryArtifact]) -> Advice:
    wanted = _wanted(intent)
    everything = [_known(one) for one in artifacts]
    candidates = _of_kind(intent, everything)
    others = {word: alike_words(written) for word, written in wanted.items()}
    rarest = log(1 + len(everything)) + 1
    weights = _weights(others, everything, rarest)
    found = []
    for known in candidates if wanted else ():
        match = _match(wanted, others, weights, known, rarest)
        if match.score:
            found.append((match, known))
    found.sort(key=lambda each: _nearness(each[0], each[1]))
    matches = tuple(match for match, _ in found[:MOST_MATCHES])
    decision = decision_of(matches[0].score if matches else 0.0)
    best = matches[0].artifact if matches else None
    impact = dependents(artifacts, best.id) if best and decision == ADAPT and needs_impact(best.adaptability) else ()
    return Advice(decision, _sentence(decision, matches, len(impact)), matches, tuple(wanted.values()), impact)


def decision_of(score: float) -> str:
    if score >= REUSE_FROM:
        return REUSE
    return ADAPT if score >= ADAPT_FROM else CREATE


def needs_impact(adaptability: float) -> bool:
    return adaptability < SHARED_BELOW


def gravity(dependents: int) -> str:
    return next((word for number, word in IMPACTS if dependents > number), "low")


def words_in(text: str, always: Collection[str] = ()) -> dict[str, str]:
    """Stem -> the word as it is written, of those that say something; the stems in ``always`` do."""
    found: dict[str, str] = {}
    for word in split_words(fold(_CAMEL.sub(" ", text).replace("_", " "))):
        root = stem(word)
        if len(word) > 1 and (root in always or not is_stop_word(word)):
            found.setdefault(root, word)
    return found


def _wanted(intent: str) -> dict[str, str]:
    return {root: word for root, word in words_in(intent, _NAMES).items() if root not in _PUTTING}


def _of_kind(intent: str, everything: Sequence[_Known]) -> list[_Known]:
    """Who asks for a template is not served by an agent."""
    head = _FOR.split(intent.strip(), maxsplit=1)[0]
    kinds = [_NAMES[root] for root in map(stem, split_words(fold(head))) if root in _NAMES]
    if not kinds:
        return list(everything)
    found = []
    for known in everything:
        kind = known.artifact.type if known.artifact.type in _KINDS else _CODE
        if kind == kinds[-1]:
            found.append(known)
    return found


def alike_words(word: str) -> frozenset[str]:
    """The stems of what people say for it."""
    root = stem(word)
    related = (other for other in relatives(word) if other[0] != "=")
    return frozenset((*_alike().get(root, ()), *related)) - {root}


@cache
def _alike() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for group in chain.from_iterable(read_words("words/alike").values()):
        roots = set(map(stem, group.split()))
        for root in roots:
            found.setdefault(root, set()).update(roots)
    return found


def _known(artifact: RegistryArtifact) -> _Known:
    kind = _KINDS.get(artifact.type, frozenset({stem(artifact.type)}))
    purpose = kind | words_in(f"{artifact.name} {artifact.purpose}").keys()
    words = purpose | words_in(" ".join(artifact.keywords)).keys()
    return _Known(artifact, words, purpose, frozenset(words_in(artifact.body)))


def _weights(others: Mapping[str, Collection[str]], everything: Sequence[_Known], rarest: float) -> dict[str, float]:
    """Inverse document frequency, smoothed, of each word of the intent with those alike."""
    found = {}
    for word, alike in others.items():
        count = sum(bool(_nearest(word, alike, known.words, known.text)) for known in everything)
        found[word] = rarest - log(1 + count) if count else UNKNOWN * rarest
    return found


def _match(
    wanted: Mapping[str, str],
    others: Mapping[str, Collection[str]],
    weights: Mapping[str, float],
    known: _Known,
    rarest: float,
) -> ArtifactMatch:
    """The keyword part is the share of the intent's weight that the artifact has. The purpose part is the cosine of
    both TF-IDF vectors, divided by what it would be if the purpose had every word of the intent: that leaves the share
    of squares. Both are calibrated."""
    met = {word: _nearest(word, alike, known.words, known.text) for word, alike in others.items()}
    similar = {word: _nearest(word, alike, known.purpose, ()) for word, alike in others.items()}
    total = sum(weights.values()) + KEYWORD_DOUBT * rarest
    squares = sum(weight**2 for weight in weights.values()) + PURPOSE_DOUBT * rarest**2
    keyword = sum(weights[word] * share for word, share in met.items()) / total
    purpose = sum(weights[word] ** 2 * share for word, share in similar.items()) / squares
    keyword, purpose = _calibrated(keyword, KEYWORD_CALIBRATION), _calibrated(purpose, PURPOSE_CALIBRATION)
    return ArtifactMatch(
        artifact=known.artifact,
        score=round(KEYWORD_WEIGHT * keyword + PURPOSE_WEIGHT * purpose, 2),
        keyword=round(keyword, 4),
        purpose=round(purpose, 4),
        words=tuple(wanted[word] for word, share in met.items() if share),
        purpose_words=tuple(wanted[word] for word, share in similar.items() if share),
    )


def _nearest(word: str, alike: Collection[str], words: Collection[str], text: Collection[str]) -> float:
    """How much of the word is there, 0 to 1."""
    if word in words:
        return 1.0
    if any(other in words for other in alike):
        return ALIKE
    return IN_TEXT if word in text else 0.0


def _calibrated(share: float, points: Sequence[tuple[float, float]]) -> float:
    for (begin, low), (end, high) in pairwise(points):
        if share <= end:
            return low + (high - low) * (share - begin) / (end - begin)
    return 1.0


def _nearness(match: ArtifactMatch, known: _Known) -> tuple[float, float, int, str]:
    """Of two as near, the one that is changed more safely comes first, then the plainer."""
    exact = KEYWORD_WEIGHT * match.keyword + PURPOSE_WEIGHT * match.purpose
    return -exact, -match.artifact.adaptability, len(known.words), match.artifact.id


def _sentence(decision: str, matches: Sequence[ArtifactMatch], touched: int) -> str:
    if not matches:
        return "Nothing like it is known: make a new one."
    best = matches[0].artifact
    name, score = f"the {best.name} {best.type}", f"{matches[0].score:.0%}"
    if decision == REUSE:
        return f"{name.capitalize()} does it ({score}): use it as it is."
    if decision == CREATE:
        return f"Nothing is near enough: make a new one. The nearest is {name} ({score})."
    share = f"Adaptability {best.adaptability:g}"
    if best.adaptability < LOW_BELOW:
        said = f"{share} is low: look at the {touched} that depend on it and ask first."
    elif needs_impact(best.adaptability):
        said = f"{share} is medium: look at the {touched} that depend on it."
    else:
        said = f"{share}: it is safe to change."
    return f"{name.capitalize()} is similar ({score}): adapt it. {said}"
