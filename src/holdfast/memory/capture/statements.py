"""Statements that may be worth remembering, known by their cues."""

from __future__ import annotations

from holdfast.ground.text.words import split_words
from holdfast.ground.values import Value
from holdfast.memory.capture.cues import begins, cue, says
from holdfast.memory.capture.prose import matchable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

# The least words of a sentence that says something, and beside a cue that says nothing by itself.
_LEAST_WORDS = 4
_LEAST_BESIDE = 2
_LEAST_FIX = 5
# What the model may state, by the cue that tells: its own choices, before what it explains and what must be.
MODELS = {
    "decided": "decision",
    "picks": "decision",
    "explains": "resolution",
    "causes": "resolution",
    "mends": "resolution",
    "resolves": "resolution",
    "describes": "validated_pattern",
    "warns": "lesson",
    "binds": "lesson",
}
_NOT = (["not"], ["never"], ["nao"], ["no"], ["pas"])


class Statement(Value):
    """A sentence and the type of memory that it makes.

    ``bare``: what it says is in the next sentence.
    """

    type: str
    text: str
    bare: bool = False


def of_user(sentence: str) -> Statement | None:
    """Return what the user states."""
    folded = matchable(sentence)
    if is_question(sentence):
        return _error(sentence, folded) if "?" not in sentence else None
    if _settles("decided", folded) or _settles("decides", folded):
        return Statement("decision", sentence)
    if correction := _correction(sentence, folded):
        return correction
    if _mends("resolves", folded) or _mends("causes", folded):
        return Statement("resolution", sentence)
    if not says("passes", folded):
        if _stands("holds", folded):
            return Statement("user_correction", sentence)
        if _stands("describes", folded):
            return Statement("validated_pattern", sentence)
    return _error(sentence, folded)


def type_of_models(sentence: str) -> str:
    """Return the type of what the model states: its choice, a cause, a fix, a way of working or a warning; "" for
    none."""
    folded = matchable(sentence)
    if is_question(sentence):
        return ""
    return next((type for name, type in MODELS.items() if says(name, folded)), "")


def is_question(sentence: str) -> bool:
    """Return whether something is asked, with a question mark or without."""
    return "?" in sentence or says("asks", matchable(sentence))


def _settles(name: str, folded: str) -> re.Match[str] | None:
    found = _find(name, folded)
    if not found or says("passes", folded):
        return None
    rest = folded[found.end() :].lstrip(" ,:.!") or folded[: found.start()]
    void = not split_words(rest) or begins("processes", rest) or begins("empty", rest)
    return None if void else found


def _correction(sentence: str, folded: str) -> Statement | None:
    if says("passes", folded):
        return None
    if found := _find("faults", folded):
        rest = split_words(folded[found.end() :])
        return Statement("user_correction", sentence, bare=len(rest) < _LEAST_BESIDE)
    found = _find("corrects", folded)
    return Statement("user_correction", sentence) if found and not begins("empty", folded[found.end() :]) else None


def _error(sentence: str, folded: str) -> Statement | None:
    return Statement("error_pattern", sentence) if _stands("errs", folded) else None


def _mends(name: str, folded: str) -> bool:
    found = None if says("doubts", folded) else _find(name, folded)
    rest = split_words(folded[found.end() :]) if found else []
    return found is not None and rest[:1] not in _NOT and len(rest) + len(split_words(found[0])) >= _LEAST_FIX


def _stands(name: str, folded: str) -> bool:
    return _find(name, folded) is not None and len(split_words(folded)) >= _LEAST_WORDS


def _find(name: str, folded: str) -> re.Match[str] | None:
    """Return the cue, unless what is before it makes it void."""
    found = cue(name).search(folded)
    before = folded[: found.start()] if found else ""
    return None if any(says(void, before) for void in ("supposes", "reports", "negates")) else found
