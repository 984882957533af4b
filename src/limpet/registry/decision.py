"""Whether something like what is wanted exists: REUSE, ADAPT or CREATE, after chati.dev V7.1 5.2 as decision 40 reads
it. Pure: artifacts in, advice out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import log

from limpet.ground.text.folding import fold
from limpet.ground.text.stems import stem
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
UNKNOWN = 0.35
# Both parts, shares between 0 and 1, are raised to it: people name a thing by some of its words.
BEND = 0.7

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


class Match(Value):
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
    matches: tuple[Match, ...]
    words: tuple[str, ...]
    impact: tuple[str, ...] = ()


class _Known(Value):
    artifact: RegistryArtifact
    words: frozenset[str]
    purpose: frozenset[str]


def decide(intent: str, artifacts: Sequence[RegistryArtifact]) -> Advice:
    wanted = _wanted(intent)
    candidates = [_known(one) for one in _of_kind(intent, artifacts)]
    weights = _weights(wanted, candidates)
    found = []
    for known in candidates:
        match = _match(wanted, weights, known)
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


def _of_kind(intent: str, artifacts: Sequence[RegistryArtifact]) -> list[RegistryArtifact]:
    """Who asks for a template is not served by an agent."""
    head = _FOR.split(intent.strip(), maxsplit=1)[0]
    kinds = [_NAMES[root] for root in map(stem, split_words(fold(head))) if root in _NAMES]
    if not kinds:
        return list(artifacts)
    wanted = kinds[-1]
    return [one for one in artifacts if one.type == wanted or (wanted == _CODE and one.type not in _KINDS)]


def _known(artifact: RegistryArtifact) -> _Known:
    kind = _KINDS.get(artifact.type, frozenset({stem(artifact.type)}))
    purpose = kind | words_in(f"{artifact.name} {artifact.purpose}").keys()
    return _Known(artifact, purpose | words_in(" ".join(artifact.keywords)).keys(), purpose)


def _weights(wanted: Collection[str], candidates: Sequence[_Known]) -> dict[str, float]:
    """Inverse document frequency, smoothed."""
    counts = Counter[str]()
    for known in candidates:
        counts.update(known.words.intersection(wanted))
    rarest = log(1 + len(candidates)) + 1
    found = {}
    for word in wanted:
        rarity = log((1 + len(candidates)) / (1 + counts[word])) + 1
        found[word] = rarity if counts[word] else UNKNOWN * rarest
    return found


def _match(wanted: Mapping[str, str], weights: Mapping[str, float], known: _Known) -> Match:
    """The keyword part is the share of the intent's weight that the artifact has. The purpose part is the cosine of
    both TF-IDF vectors, divided by what it would be if the purpose had every word of the intent: that leaves the share
    of squares."""
    met = [word for word in wanted if word in known.words]
    similar = [word for word in wanted if word in known.purpose]
    keyword = _bent(sum(weights[word] for word in met), sum(weights.values()))
    purpose = _bent(sum(weights[word] ** 2 for word in similar), sum(weight**2 for weight in weights.values()))
    return Match(
        artifact=known.artifact,
        score=round(KEYWORD_WEIGHT * keyword + PURPOSE_WEIGHT * purpose, 2),
        keyword=round(keyword, 2),
        purpose=round(purpose, 2),
        words=tuple(wanted[word] for word in met),
        purpose_words=tuple(wanted[word] for word in similar),
    )


def _bent(part: float, whole: float) -> float:
    return (part / whole) ** BEND if whole else 0.0


def _nearness(match: Match, known: _Known) -> tuple[float, float, int, str]:
    """Of two as near, the one that is changed more safely comes first, then the plainer."""
    return -match.score, -match.artifact.adaptability, len(known.words), match.artifact.id


def _sentence(decision: str, matches: Sequence[Match], touched: int) -> str:
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
