"""Statements that are worth remembering.

Precision comes before recall: a wrong memory costs more than a missing one.
"""

from __future__ import annotations

from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.text.words import split_words
from holdfast.ground.values import Value
from holdfast.memory.capture.languages import cues
from holdfast.memory.capture.prose import matchable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

# The least words of a sentence that says something, and beside a cue that says nothing by itself.
_LEAST_WORDS = 4
_LEAST_BESIDE = 2
_LEAST_FIX = 5
_NOT = (["not"], ["never"], ["nao"], ["no"], ["pas"])


class Statement(Value):
    """A sentence and the type of memory that it makes.

    ``bare``: what it says is in the next sentence.
    ``cause``: it tells why something went wrong and not what fixed it.
    ``whole``: the words of the message that it stands for, "" for the sentence alone.
    """

    type: str
    text: str
    bare: bool = False
    cause: bool = False
    whole: str = ""


def of_user(sentence: str, asked: str = "") -> Statement | None:
    """Return what the user states; ``asked`` is the question that it answers."""
    folded = matchable(sentence)
    if cues.MOCKS.search(folded):
        return None
    if is_question(sentence):
        return _error(sentence, folded) if "?" not in sentence else None
    if _settles(cues.DECIDED, folded) or _settles(cues.DECIDES, folded) or (asked and _answers(asked, folded)):
        return Statement("decision", sentence)
    if correction := _correction(sentence, folded):
        return correction
    if resolution := _resolution(sentence, folded):
        return resolution
    if not cues.PASSES.search(folded):
        if _stands(cues.HOLDS, folded):
            return Statement("user_correction", sentence)
        if _stands(cues.DESCRIBES, folded):
            return Statement("validated_pattern", sentence)
    return _error(sentence, folded)


def of_model(sentence: str) -> Statement | None:
    """Return what the model states.

    A ``validated_pattern`` counts only when the user confirms it, a ``decision`` unless the user refuses it, and only
    the model's own: "we decided" retells or explains.
    """
    folded = matchable(sentence)
    if is_question(sentence):
        return None
    if (decided := _settles(cues.DECIDED, folded)) and not cues.JOINTLY.search(decided[0]):
        return Statement("decision", sentence)
    if _settles(cues.PICKS, folded) and len(split_words(folded)) >= _LEAST_WORDS:
        return Statement("decision", sentence)
    if resolution := _resolution(sentence, folded):
        return resolution
    return Statement("validated_pattern", sentence) if _stands(cues.DESCRIBES, folded) else None


def is_question(sentence: str) -> bool:
    """Return whether something is asked, with a question mark or without."""
    return "?" in sentence or cues.ASKS.search(matchable(sentence)) is not None


def confirms(sentence: str) -> bool:
    """Return whether the user takes up what the model said with a yes."""
    return cues.CONFIRMS.match(matchable(sentence)) is not None


def refuses(sentence: str) -> bool:
    """Return whether the user takes up what the model said with a no."""
    folded = matchable(sentence)
    return any(cue.search(folded) for cue in (cues.REFUSES, cues.FAULTS, cues.CORRECTS))


def _answers(asked: str, folded: str) -> bool:
    """Return whether the sentence takes one of the things that were offered, or says what to take."""
    first, offered = split_words(folded)[:2], set(split_words(matchable(asked)))
    takes = (
        bool(cues.OFFERS.search(matchable(asked))) and offered.issuperset(first) and not STOP_WORDS.issuperset(first)
    )
    return (takes and not cues.PASSES.search(folded)) or _settles(cues.ANSWERS, folded) is not None


def _settles(cue: re.Pattern[str], folded: str) -> re.Match[str] | None:
    found = _find(cue, folded)
    if not found or cues.PASSES.search(folded):
        return None
    rest = folded[found.end() :].lstrip(" ,:.!") or folded[: found.start()]
    void = not split_words(rest) or cues.PROCESSES.match(rest) or cues.EMPTY.match(rest)
    return None if void else found


def _correction(sentence: str, folded: str) -> Statement | None:
    if cues.PASSES.search(folded):
        return None
    if found := _find(cues.FAULTS, folded):
        rest = split_words(folded[found.end() :])
        return Statement("user_correction", sentence, bare=len(rest) < _LEAST_BESIDE)
    found = _find(cues.CORRECTS, folded)
    return Statement("user_correction", sentence) if found and not cues.EMPTY.match(folded[found.end() :]) else None


def _error(sentence: str, folded: str) -> Statement | None:
    return Statement("error_pattern", sentence) if _stands(cues.ERRS, folded) else None


def _resolution(sentence: str, folded: str) -> Statement | None:
    if _mends(cues.RESOLVES, folded):
        return Statement("resolution", sentence)
    return Statement("resolution", sentence, cause=True) if _mends(cues.CAUSES, folded) else None


def _mends(cue: re.Pattern[str], folded: str) -> bool:
    found = None if cues.DOUBTS.search(folded) else _find(cue, folded)
    rest = split_words(folded[found.end() :]) if found else []
    return found is not None and rest[:1] not in _NOT and len(rest) + len(split_words(found[0])) >= _LEAST_FIX


def _stands(cue: re.Pattern[str], folded: str) -> bool:
    return _find(cue, folded) is not None and len(split_words(folded)) >= _LEAST_WORDS


def _find(cue: re.Pattern[str], folded: str) -> re.Match[str] | None:
    """Return the cue, unless what is before it makes it void."""
    found = cue.search(folded)
    before = folded[: found.start()] if found else ""
    void = cues.SUPPOSES.search(before) or cues.REPORTS.search(before) or cues.NEGATES.search(before)
    return None if void else found
