"""Reports: what the model tells of a fix, in its own words. The turn is the unit, up to the person's next message.

Separate from ``remarks``: a person's message stands for itself, while of a turn only the sentences that name the cause
and the fix are worth keeping, together.
"""

from __future__ import annotations

from holdfast.memory.capture.acts import DIRECTS, STATES, act_of, weight_of
from holdfast.memory.capture.cues import begins, says
from holdfast.memory.capture.prose import matchable, sentences
from holdfast.memory.capture.statements import Statement, is_question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_SENTENCES = 3
# Words that say something, of the sentence that becomes the title.
_LEAST_WORDS = 3


def read_report(texts: Sequence[str], complaint: bool = False) -> Statement | None:
    """Return the fix that the model's messages of one turn tell of, None where they do not name both what was wrong
    and what was done.

    ``complaint``: the person had shown what was wrong, so that what the model first says of it counts.
    """
    told = [[sentence for sentence in sentences(text) if not is_question(sentence)] for text in texts]
    said = [sentence for message in told for sentence in message]
    causes = [sentence for sentence in said if _tells("explains", sentence)]
    mends = [sentence for sentence in said if _tells("mends", sentence) and sentence not in causes]
    if complaint and not causes:
        first = (each for message in told for each in message[:2])
        causes = [each for each in first if each not in mends and _states(each)][:2]
    if not causes or not mends:
        return None
    title = max(causes, key=weight_of)
    whole = "\n".join([*causes[-_MOST_SENTENCES:], *mends[-_MOST_SENTENCES:]])
    return Statement("resolution", title, whole=whole) if weight_of(title) >= _LEAST_WORDS else None


def mend_words(texts: Sequence[str], later: Sequence[str] = ()) -> str:
    """Return the sentences, a line each, in which the model's messages tell of a fix, "" for none. What was fixed
    and when is known here, so that a sentence needs no cue: it must only say something; with one it may stand in the
    ``later`` turns too."""
    said, after = (
        [sentence for text in each for sentence in sentences(text) if not is_question(sentence)]
        for each in (texts, later)
    )
    told = [each for each in (*said, *after) if _tells("explains", each) or _tells("mends", each)]
    saying = [each for each in said if act_of(each) in (DIRECTS, STATES) and not begins("steps", matchable(each))]
    return "\n".join((told or saying)[-_MOST_SENTENCES:])


def _states(sentence: str) -> bool:
    return (
        weight_of(sentence) >= _LEAST_WORDS and not begins("steps", matchable(sentence)) and not sentence.endswith(":")
    )


def _tells(name: str, sentence: str) -> bool:
    folded = matchable(sentence)
    return says(name, folded) and not says("doubts", folded) and not sentence.endswith(":")
