"""What a typed sentence does: it asks, orders something for the moment, acknowledges, tells how it went, or states what
may hold longer than the moment.

Separate from ``statements``, which finds what kind of memory a sentence is by its cues: here it is only asked whether
it is worth keeping at all.
"""

from __future__ import annotations

import re
from functools import cache

from limpet.ground.text.stop_words import STOP_WORDS
from limpet.ground.text.words import split_words
from limpet.memory.capture.cues import begins, cue, says, source
from limpet.memory.capture.prose import matchable

ASKS = "asks"
ORDERS = "orders"
ACKNOWLEDGES = "acknowledges"
TELLS = "tells"
STATES = "states"
DIRECTS = "directs"

# Words that say something, below which a sentence stands for nothing by itself.
_LEAST = 3
_LEAST_BINDING = 2


def act_of(sentence: str) -> str:
    """Return what the sentence does: one of the names above.

    ``DIRECTS``: it says how something is to be, in words that bind (should, only, don't, instead). ``STATES``: it says
    something else.
    """
    folded = _tag().sub("", without_opening(matchable(sentence)))
    if not split_words(folded) or acknowledges(folded):
        return ACKNOWLEDGES
    # "When X, do Y" and "what is missing is Y" ask nothing.
    if "?" in folded or (says("asks", folded) and not begins("frames", folded)):
        return ASKS
    if begins("tells", folded) or sentence.endswith(":") or says("mocks", folded) or says("doubts", folded):
        return TELLS
    passes = says("passes", folded) and not says("wishes", folded)  # what is always to be "first" does not pass
    if begins("orders", folded) or says("numbered", folded) or passes:
        return ORDERS
    binding = any(says(name, folded) for name in ("binds", "warns", "wishes"))
    if weight_of(folded) < (_LEAST_BINDING if binding else _LEAST):
        return ACKNOWLEDGES
    return DIRECTS if binding else STATES


def acknowledges(folded: str) -> bool:
    """Return whether the folded text is a nod and no more."""
    return cue("acknowledges").fullmatch(folded.strip(" .!,")) is not None


def without_opening(sentence: str) -> str:
    """Return the sentence without the words that only open it: "ok, so", "well", "dude"."""
    lowered = sentence.lower().replace("\u2019", "'")
    found = cue("opens").match(lowered) if len(lowered) == len(sentence) else None
    return sentence[found.end() :] if found else sentence


def weight_of(sentence: str) -> int:
    """Return the number of its words that say something: no stop words, no numbers."""
    return sum(word not in STOP_WORDS and not word.isdigit() for word in split_words(matchable(sentence)))


@cache
def _tag() -> re.Pattern[str]:
    """Return the expression of what asks for a nod only: "..., yeah?"."""
    return re.compile(rf"[,.]? *\b{source('tags')}\?+$")
