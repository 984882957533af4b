"""The similarity of two texts by the stems of their words and by pairs of them: whether two entries say the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt

from holdfast.ground.text.stems import stem
from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.text.words import fold, is_unspaced, split_words

# "Use tabs" and "never use tabs" are not alike, however little a stop word says about a subject.
NEGATIONS = frozenset(
    ("not", "no", "never", "none", "neither", "nor", "without", "cannot")
    + ("nao", "nunca", "jamais", "sem", "ne", "pas", "sin", "nicht", "kein", "nie")
)
# Articles and what apostrophes leave ("l'erreur", "don't"); "c" and "r" are languages.
_LETTERS = frozenset("adeilostuy")
_MARKS = re.compile(r"\[redacted:[a-z0-9-]{1,40}\]")
_DROPPED = (STOP_WORDS | _LETTERS) - NEGATIONS


def similarity(a: str, b: str) -> float:
    """Return 0 for texts with no word in common, 1 for the same words in the same pairs; symmetric."""
    return 1.0 if a == b else cosine(grams(a), grams(b))


def grams(text: str) -> Mapping[str, int]:
    """Return how often each word and each pair of neighbouring words occurs, as ``cosine`` takes them.

    A word counts by its stem, a script without spaces by its pairs of characters; stop words and what stands for a
    secret are left out.
    """
    words = [each for word in split_words(fold(_MARKS.sub(" ", text))) for each in _stems(word)]
    kept = [word for word in words if word not in _DROPPED] or words
    return Counter(kept) + Counter(f"{first} {second}" for first, second in zip(kept, kept[1:], strict=False))


def cosine(a: Mapping[str, int], b: Mapping[str, int]) -> float:
    """Return the cosine of two texts' grams; 0 where one has none."""
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    shared = sum(count * large.get(gram, 0) for gram, count in small.items())
    return min(1.0, shared / sqrt(_square(a) * _square(b))) if shared else 0.0


def _square(counts: Mapping[str, int]) -> int:
    return sum(count * count for count in counts.values())


def _stems(word: str) -> Iterable[str]:
    if not is_unspaced(word):
        return (word,) if word in STOP_WORDS else (stem(word),)
    return [word[at : at + 2] for at in range(max(1, len(word) - 1))]
