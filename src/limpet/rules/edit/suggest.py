"""Suggests keywords for a domain: words that are frequent in its own rules and rare in those of other domains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log

from limpet.ground.text.folding import fold, is_unspaced
from limpet.ground.text.stems import stem
from limpet.ground.text.words import STOP_WORDS, split_words
from limpet.ground.values import Value
from limpet.rules.format.domain import short_name
from limpet.rules.matching import RECALL, build_index, find_matches

SHORTEST = 3
NAME_WEIGHT = 2
"""A word of the domain's name counts as so many in its rules."""
PHRASE_LEAST = 2
"""So often must two words stand together to be a phrase."""


class Suggestion(Value):
    """``word`` is as the rules spell it, ``count`` how often its domain's rules have it, ``others`` how many other
    domains."""

    word: str
    score: float
    count: int
    others: int


def suggest_keywords(
    name: str, rules: Mapping[str, Sequence[str]], known: Sequence[str], most: int = 10
) -> tuple[Suggestion, ...]:
    """The best first. ``rules``: every domain's; ``known``: the words that the domain has already, to call it or to
    keep it out."""
    own, title = rules.get(name, ()), " ".join(short_name(name).lower().split("_"))
    forms = _main_forms([*own, title])
    counts, titled = _counted(own, forms), _counted([title], forms)
    others = [_stems(said) for other, said in rules.items() if other != name]
    keywords = [*known]
    for phrase in known:
        keywords += phrase.split()
    index = build_index((0, RECALL, keyword, "words") for keyword in keywords)
    spelling = _spellings(own)
    found = []
    for term in counts | titled:
        if (" " in term and term not in titled and counts[term] < PHRASE_LEAST) or find_matches(index, term)[0]:
            continue
        spread = sum(said.issuperset(map(stem, term.split())) for said in others)
        weight = len(term.split()) * (counts[term] + NAME_WEIGHT * titled[term])
        score = weight * log(1 + (1 + len(others)) / (1 + spread))
        word = " ".join(spelling.get(each, each) for each in term.split())
        found.append(Suggestion(word=word, score=round(score, 2), count=counts[term], others=spread))
    return _without_parts(sorted(found, key=lambda one: (-one.score, -len(one.word), one.word)))[:most]


def _counted(rules: Sequence[str], forms: Mapping[str, str]) -> Counter[str]:
    counts = Counter[str]()
    for rule in rules:
        for term in _terms(rule):
            words = [forms[word] for word in term.split()]
            counts[" ".join(words)] += 1
    return counts


def _stems(rules: Sequence[str]) -> set[str]:
    return {stem(word) for word in _words(rules)}


def _terms(rule: str) -> Iterator[str]:
    words = split_words(fold(rule))
    for place, word in enumerate(words):
        if _says_something(word):
            yield word
            following = words[place + 1 : place + 2]
            if following and _says_something(following[0]):
                yield f"{word} {following[0]}"


def _says_something(word: str) -> bool:
    return len(word) >= SHORTEST and word not in STOP_WORDS and word.isalpha() and not is_unspaced(word)


def _main_forms(rules: Sequence[str]) -> dict[str, str]:
    counts = Counter(_words(rules))
    main: dict[str, str] = {}
    for word in sorted(counts, key=lambda each: (-counts[each], len(each), each)):
        main.setdefault(stem(word), word)
    return {word: main[stem(word)] for word in counts}


def _words(rules: Iterable[str]) -> Iterator[str]:
    for rule in rules:
        yield from split_words(fold(rule))


def _spellings(rules: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for token in " ".join(rules).split():
        plain = "".join(c for c in token if c.isalnum())
        words = split_words(fold(token))
        if len(words) == 1:
            found.setdefault(words[0], plain.lower())
    return found


def _without_parts(ranked: list[Suggestion]) -> tuple[Suggestion, ...]:
    kept: list[Suggestion] = []
    for one in ranked:
        inside = any(one.word in better.word.split() and one.count <= better.count for better in kept)
        if not inside:
            kept.append(one)
    return tuple(kept)
