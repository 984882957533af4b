"""Finds candidates by words. Pure. Separate from ``memory.search``, whose index candidates are kept out of."""

from __future__ import annotations

from collections import Counter
from math import log

from limpet.memory.index.terms import is_stop, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.memory.candidates.candidate import Candidate


def search(candidates: Sequence[Candidate], text: str, limit: int) -> tuple[Candidate, ...]:
    """Return those that share words with the text, best first, of equals the newer; a rare word weighs more."""
    asked = {term for term in terms(text) if not is_stop(term)}
    held = [asked.intersection(terms(candidate.quote)) for candidate in candidates]
    often = Counter(word for words in held for word in words)
    weights = {word: log(1 + len(candidates) / count) for word, count in often.items()}
    scores = [(sum(map(weights.__getitem__, words)), one.at) for words, one in zip(held, candidates, strict=True)]
    best = sorted((place for place, words in enumerate(held) if words), key=scores.__getitem__, reverse=True)
    return tuple(candidates[place] for place in best[: max(0, limit)])
