"""What a typed sentence does: it asks, orders something for the moment, acknowledges, tells how it went, or states what
may hold longer than the moment.

Separate from ``statements``, which finds what kind of memory a sentence is by its cues: here it is only asked whether
it is worth keeping at all.
"""

from __future__ import annotations

import re

from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.text.words import split_words
from holdfast.memory.capture.languages import cues
from holdfast.memory.capture.prose import matchable

ASKS = "asks"
ORDERS = "orders"
ACKNOWLEDGES = "acknowledges"
TELLS = "tells"
STATES = "states"
DIRECTS = "directs"

# "..., yeah?" asks for a nod only; "when X, do Y" and "what is missing is Y" ask nothing.
_TAG = re.compile(
    r"[,.]? *\b(?:yeah|yes|right|no|ok(?:ay)?|makes? sense|correct|you know|wth|wtf|ne|certo|nao e|verdad|vale|non|hein"
    r"|d'accord|n'est-ce pas)\?+$"
)
_FRAMES = re.compile(
    r"(?:when|where|if|quando|cuando|quand|donde|onde) [^,]+,"
    r"|what(?:'s| is) (?:missing|needed|important)\b.* (?:is|are) "
)
# A finding of a review, called by its number: what it says stands elsewhere.
_ITEM = re.compile(
    r"\b(?:for|from|address|fix|do|item|finding|number|observation|comment|point|issue) #?\d{1,3}(?:[.!]|$| and \d)"
)
# Words that say something, below which a sentence stands for nothing by itself.
_LEAST = 3
_LEAST_BINDING = 2


def act_of(sentence: str) -> str:
    """Return what the sentence does: one of the names above.

    ``DIRECTS``: it says how something is to be, in words that bind (should, only, don't, instead). ``STATES``: it says
    something else.
    """
    folded = _TAG.sub("", without_opening(matchable(sentence)))
    if not split_words(folded) or cues.ACKNOWLEDGES.fullmatch(folded.rstrip(" .!,")):
        return ACKNOWLEDGES
    if "?" in folded or (cues.ASKS.search(folded) and not _FRAMES.match(folded)):
        return ASKS
    if cues.TELLS.match(folded) or sentence.endswith(":"):
        return TELLS
    if cues.MOCKS.search(folded) or cues.DOUBTS.search(folded):
        return TELLS
    if cues.ORDERS.match(folded) or _ITEM.search(folded) or _passes(folded):
        return ORDERS
    binding = any(cue.search(folded) for cue in (cues.BINDS, cues.WARNS, cues.WISHES))
    if weight_of(folded) < (_LEAST_BINDING if binding else _LEAST):
        return ACKNOWLEDGES
    return DIRECTS if binding else STATES


def _passes(folded: str) -> bool:
    """Return whether it holds for this turn only; what is always to be "first" does not."""
    return cues.PASSES.search(folded) is not None and cues.WISHES.search(folded) is None


def without_opening(sentence: str) -> str:
    """Return the sentence without the words that only open it: "ok, so", "well", "dude"."""
    lowered = sentence.lower().replace("\u2019", "'")
    found = cues.OPENS.match(lowered) if len(lowered) == len(sentence) else None
    return sentence[found.end() :] if found else sentence


def weight_of(sentence: str) -> int:
    """Return the number of its words that say something: no stop words, no numbers."""
    return sum(word not in STOP_WORDS and not word.isdigit() for word in split_words(matchable(sentence)))
