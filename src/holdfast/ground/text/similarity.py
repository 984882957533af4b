"""How alike two texts are by their words and pairs of words: whether two entries say the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import sqrt

from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.text.words import bases, fold, is_unspaced, split_words

# "Use tabs" and "never use tabs" are not alike, however little a stop word says about a subject.
NEGATIONS = frozenset(
    ("not", "no", "never", "none", "neither", "nor", "without", "cannot")
    + ("nao", "nunca", "jamais", "sem", "ne", "pas", "sin", "nicht", "kein", "nie")
)
# Articles and what apostrophes leave ("l'erreur", "don't"); "c" and "r" are languages.
_LETTERS = frozenset("adeilostuy")
_MARKS = re.compile(r"\[redacted:[a-z0-9-]{1,40}\]")
_DROPPED = (STOP_WORDS | _LETTERS) - NEGATIONS
_ENDS = "aeo"
_SHORTEST = 4
_OFTEN_DOUBLE = "aeiousl"
# To French the end of a verb, to all a noun's: "agent", "document".
_NOUN = "ent"
# The first that fits; endings of verbs among them stay as they are.
_PLURALS = (
    *((ending, ending) for ending in ("amos", "emos", "imos", "ss")),
    *(("ies", "y"), ("ied", "y"), ("oes", "ao"), ("aux", "al"), ("ices", "ex")),
    *((ending, ending[:-2]) for ending in ("xes", "zes", "ches", "shes")),
    ("s", ""),
)


def likeness(a: str, b: str) -> float:
    """From 0 (no word in common) to 1 (the same words in the same pairs), the same in both directions."""
    return 1.0 if a == b else cosine(grams(a), grams(b))


def grams(text: str) -> Mapping[str, int]:
    """Return how often each word and each pair of neighbouring words occurs, as ``cosine`` takes them.

    Words are folded, stop words are left out, inflections are joined; a script without spaces counts by its pairs of
    characters. What stands for a secret says nothing.
    """
    words = [root for word in split_words(fold(_MARKS.sub(" ", text))) for root in _roots(word)]
    kept = [word for word in words if word not in _DROPPED] or words
    return Counter(kept) + Counter(f"{first} {second}" for first, second in zip(kept, kept[1:], strict=False))


def cosine(a: Mapping[str, int], b: Mapping[str, int]) -> float:
    """Return the cosine of two texts' grams; 0 where one has none."""
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    shared = sum(count * large.get(gram, 0) for gram, count in small.items())
    return min(1.0, shared / sqrt(_square(a) * _square(b))) if shared else 0.0


def _square(counts: Mapping[str, int]) -> int:
    return sum(count * count for count in counts.values())


def _roots(word: str) -> Iterable[str]:
    if not is_unspaced(word):
        return (word,) if word in STOP_WORDS else (root(word),)
    return [word[at : at + 2] for at in range(max(1, len(word) - 1))]


@lru_cache(maxsize=8192)
def root(word: str) -> str:
    """Return what most inflections of a folded word begin with: the longest beginning that it shares with another of
    them."""
    single = _singular(word)
    forms = () if single.endswith(_NOUN) else bases(single)
    found = max((_beginning(single, form) for form in forms if form != single), key=len, default=single)
    if len(found) >= _SHORTEST and found.endswith("e") or len(found) > _SHORTEST and found[-1] in _ENDS:
        found = found[:-1]
    doubled = found != single and found[-1] == found[-2:-1] and found[-1] not in _OFTEN_DOUBLE
    return found[:-1] if doubled else found


def _singular(word: str) -> str:
    for ending, singular in _PLURALS:
        if word.endswith(ending):
            single = word.removesuffix(ending) + singular
            return single if single in bases(word) else word
    return word


def _beginning(a: str, b: str) -> str:
    same = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return a[:same] if same >= _SHORTEST - 1 else a
