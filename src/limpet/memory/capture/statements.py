"""What a sentence states, by the cues of ``framework/capture``: the type of memory that it may make."""

from __future__ import annotations

from limpet.ground.text.words import split_words
from limpet.memory.capture.cues import begins, cue, says
from limpet.memory.capture.prose import matchable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

# By which cue a person states what; the first that fits counts.
PERSONS = {
    "decided": "decision",
    "decides": "decision",
    "faults": "user_correction",
    "corrects": "user_correction",
    "resolves": "resolution",
    "causes": "resolution",
    "holds": "user_correction",
    "describes": "validated_pattern",
    "errs": "error_pattern",
}
# The same of the model: its own choices, before what it explains and what must be.
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
# What counts though it is said of the moment.
MOMENTARY: tuple[str, ...] = ("resolves", "causes", "errs")
# The least words of a sentence that says something, and beside a cue that says nothing by itself.
_LEAST_WORDS = 4
_LEAST_BESIDE = 2


def type_of_persons(sentence: str, after: str = "") -> str:
    """Return the type of what the person states, "" for nothing; ``after``: the sentence that follows."""
    folded = matchable(sentence)
    names = MOMENTARY if says("passes", folded) else tuple(PERSONS)
    if is_question(sentence):
        names = () if "?" in sentence else ("errs",)
    return next((PERSONS[name] for name in names if _states(name, folded, after)), "")


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


def _states(name: str, folded: str, after: str) -> bool:
    """Return whether the cue stands in the sentence, and beside it what is stated."""
    found = _find(name, folded)
    if found is None:
        return False
    behind = folded[found.end() :].lstrip(" ,:.!")
    if name == "faults":
        return len(split_words(f"{behind} {matchable(after)}")) >= _LEAST_BESIDE and not is_question(after)
    if name == "corrects":
        return not begins("empty", behind)
    if name in ("decided", "decides"):
        rest = behind or folded[: found.start()]
        return bool(split_words(rest)) and not begins("processes", rest) and not begins("empty", rest)
    doubted = name in ("resolves", "causes") and says("doubts", folded)
    return not doubted and len(split_words(folded)) >= _LEAST_WORDS


def _find(name: str, folded: str) -> re.Match[str] | None:
    """Return the cue, unless what is before it makes it void."""
    found = cue(name).search(folded)
    before = folded[: found.start()] if found else ""
    return None if any(says(void, before) for void in ("supposes", "reports", "negates")) else found
