"""Remarks: what a person's message is worth remembering for. The message is the unit.

What the cues of ``statements`` find has its type. Where they find nothing, a message that says how something is to be,
and is no question, order of the moment or acknowledgement, counts by the sentence that says it.
"""

from __future__ import annotations

from limpet.memory.capture.acts import ASKS, DIRECTS, STATES, TELLS, act_of, weight_of, without_opening
from limpet.memory.capture.cues import begins, says
from limpet.memory.capture.prose import matchable, sentences
from limpet.memory.capture.statements import type_of_persons
from limpet.memory.index.wishes import is_of_practice

DECISION, CORRECTION = "decision", "user_correction"
_LONGEST_BODY = 1200
# Words that say something, of a sentence for which a message is noted, and of a reproach that tells what is wanted.
_LEAST_WORDS = 3


def read_remark(own: str, answers: bool) -> tuple[str, str] | None:
    """Return the type of a message with these own words and the sentence that tells, None for neither; ``answers``: it
    settles what the model asked before it."""
    said = sentences(own, longest=_LONGEST_BODY)
    if any(says("mocks", matchable(sentence)) for sentence in said):
        return None
    typed = [(type_of_persons(one, after), one) for one, after in zip(said, [*said[1:], ""], strict=False)]
    cued = [(type, one) for type, one in typed if type and not (type == CORRECTION and act_of(one) == TELLS)]
    if cued:
        return next((each for each in cued if each[0] == CORRECTION), cued[0])
    return (DECISION, own) if answers else _kept(said)


def read_note(own: str) -> bool:
    """Return whether the message says something: it does not only ask, order something for the moment or
    acknowledge."""
    said = sentences(own, longest=_LONGEST_BODY)
    acts = {act_of(each) for each in said if weight_of(each) >= _LEAST_WORDS and not each.endswith(":")}
    return bool(acts & {DIRECTS, STATES, TELLS})


def _kept(said: list[str]) -> tuple[str, str] | None:
    directing = [sentence for sentence in said if act_of(sentence) == DIRECTS]
    if not directing:
        return _reproached(said)
    corrects = any(map(_corrects, said)) or any(map(is_of_practice, directing))
    return (CORRECTION if corrects else DECISION), directing[0]


def _reproached(said: list[str]) -> tuple[str, str] | None:
    """Return a reproach with what comes after it, where that says what is wanted."""
    place = next((place for place, each in enumerate(said) if says("reproaches", matchable(each))), len(said))
    told = said[place : place + 2]
    enough = weight_of(" ".join(told)) >= _LEAST_WORDS and act_of(told[-1]) != ASKS
    return (CORRECTION, " ".join(told)) if enough else None


def _corrects(sentence: str) -> bool:
    """Return whether it is a standing wish, a warning or a no to what the model did (decision 22)."""
    folded = matchable(sentence)
    standing = says("wishes", folded) or says("warns", folded)
    return standing or begins("refuses", folded) or begins("addresses", without_opening(folded))
