"""What a sentence states, by the cues of ``framework/capture``: the type of memory that it may make."""

from __future__ import annotations

import re
from functools import cache

from limpet.ground.text.words import is_stop_word, split_words
from limpet.memory.capture.heard import begins, cue, matchable, says, sentences, source
from limpet.memory.index.wishes import is_of_practice

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
DECISION, CORRECTION = "decision", "user_correction"
_LONGEST_BODY = 1200
# Words that say something, of a sentence for which a message is noted, and of a reproach that tells what is wanted.
_REMARKS_LEAST_WORDS = 3
ASKS = "asks"
ORDERS = "orders"
ACKNOWLEDGES = "acknowledges"
TELLS = "tells"
STATES = "states"
DIRECTS = "directs"
# By which cues a wish holds for more than the work at hand.
STANDING = ("wishes", "holds")
# Behind a short remark: "That works well, always use tabs".
_JOINT = re.compile(r"[,;:]\s+| [-\u2013\u2014] |[\u3001\uff0c\uff1b]\s*")
_REMARKS_MOST_WORDS = 8
# Words that say something, below which a sentence stands for nothing by itself.
_LEAST = 3
_LEAST_BINDING = 2
_NOES = ("no", "nope", "nah", "nein", "nee", "nao", "non")


def type_of_persons(sentence: str, after: str = "") -> str:
    """Return the type of what the person states, "" for nothing; ``after``: the sentence that follows."""
    folded = matchable(sentence)
    passes = says("passes", folded)
    if _requests(folded):
        return "" if passes else CORRECTION
    names = MOMENTARY if passes else tuple(PERSONS)
    if is_question(sentence):
        names = () if "?" in folded else ("errs",)
    return next((PERSONS[name] for name in names if _states(name, folded, after)), "")


def type_of_models(sentence: str) -> str:
    folded = matchable(sentence)
    if is_question(sentence):
        return ""
    return next((type for name, type in MODELS.items() if says(name, folded)), "")


def is_question(sentence: str) -> bool:
    folded = matchable(sentence)
    return "?" in folded or says("asks", folded)


def read_remark(own: str, answers: bool) -> tuple[str, list[str]] | None:
    """Return (type, the sentences that tell); ``answers``: the message settles what the model asked before it."""
    said = _sentences(own)
    if any(says("mocks", matchable(sentence)) for sentence in said):
        return None
    typed = [(type_of_persons(one, after), one) for one, after in zip(said, [*said[1:], ""], strict=False)]
    cued = [(type, one) for type, one in typed if type and not (type == CORRECTION and act_of(one) == TELLS)]
    directing = [sentence for sentence in said if act_of(sentence) == DIRECTS]
    if cued:
        type = next((type for type, _ in cued if type == CORRECTION), cued[0][0])
        telling = {one for _, one in cued}.union(directing)
        told = [one for one in said if one in telling]
        # "Not like that." before what is wanted says nothing once the answer is gone that it was about.
        return type, [one for one in told if weight_of(one) >= _LEAST] or told
    if answers:
        return DECISION, [own]
    if directing:
        corrects = any(map(_corrects, said)) or any(map(is_of_practice, directing))
        return (CORRECTION if corrects else DECISION), directing
    place = next((place for place, each in enumerate(said) if says("reproaches", matchable(each))), len(said))
    told = said[place : place + 2]
    enough = weight_of(" ".join(told)) >= _REMARKS_LEAST_WORDS and act_of(told[-1]) != ASKS
    return (CORRECTION, told) if enough else None


def read_opening(own: str) -> tuple[str, list[str]] | None:
    """The same of what a conversation is begun with: how its task is to be done is no news, what holds always is, and
    so is a correction of what was done before, where nothing else is said."""
    said = _sentences(own)
    remark = read_remark(own, False)
    refuses = begins("refuses", matchable(own)) or _requests(matchable(own))
    if len(said) == 1 and remark and remark[0] == CORRECTION and refuses:
        return remark
    standing = [one for one in said if act_of(one) == DIRECTS and any(says(name, matchable(one)) for name in STANDING)]
    return (CORRECTION, standing) if standing else None


def read_note(own: str) -> bool:
    """The message says something: it does not only ask, order something for the moment or acknowledge."""
    said = _sentences(own)
    acts = {act_of(each) for each in said if weight_of(each) >= _REMARKS_LEAST_WORDS and not each.endswith(":")}
    return bool(acts & {DIRECTS, STATES, TELLS})


def as_rule(sentence: str) -> str:
    """Without the no to what was done, which says nothing any more: "No, use tabs" is "Use tabs"."""
    answer, _, rest = sentence.partition(", ")
    return f"{rest[:1].upper()}{rest[1:]}" if matchable(answer) in _NOES and rest else sentence


def holds_beyond(sentence: str) -> bool:
    """Whether what is said to a question holds for more than that: for all times, or against what was done before."""
    folded = matchable(sentence)
    return any(says(name, folded) for name in STANDING) or as_rule(sentence) != sentence


def gives_work(own: str) -> bool:
    """Whether each sentence gives a piece of work to do, and none says how something is to be."""
    said = _sentences(own)
    return all(begins("works", matchable(each)) and act_of(each) != DIRECTS for each in said)


def act_of(sentence: str) -> str:
    """Return one of the names above. ``DIRECTS``: it says how something is to be, in words that bind (should, only,
    don't, instead). ``STATES``: it says something else."""
    folded = _tag().sub("", without_opening(matchable(sentence)))
    if not split_words(folded) or acknowledges(folded):
        return ACKNOWLEDGES
    # "When X, do Y" and "what is missing is Y" ask nothing.
    if not _requests(folded) and ("?" in folded or (says("asks", folded) and not begins("frames", folded))):
        return ASKS
    if says("values", folded):
        return STATES
    if begins("tells", folded) or sentence.endswith(":") or says("mocks", folded) or says("doubts", folded):
        return TELLS
    passes = says("passes", folded) and not says("wishes", folded)  # what is always to be "first" does not pass
    stands = says("standing", folded)
    if says("numbered", folded) or passes or (begins("orders", folded) and not stands):
        return ORDERS
    binding = stands or _requests(folded) or any(says(name, folded) for name in ("binds", "warns", "wishes"))
    if weight_of(folded) < (_LEAST_BINDING if binding else _LEAST):
        return ACKNOWLEDGES
    return DIRECTS if binding else STATES


def acknowledges(folded: str) -> bool:
    return cue("acknowledges", folded).fullmatch(folded.strip(" .!,\u3002")) is not None


def without_opening(sentence: str) -> str:
    """Leave out the words that only open a sentence: "ok, so", "well", "dude"."""
    lowered = sentence.lower().replace("\u2019", "'")
    found = cue("opens", lowered).match(lowered) if len(lowered) == len(sentence) else None
    return sentence[found.end() :] if found else sentence


def weight_of(sentence: str) -> int:
    return sum(not is_stop_word(word) and not word.isdigit() for word in split_words(matchable(sentence)))


def _sentences(own: str) -> list[str]:
    """A remark and the standing wish that it goes on with are two."""
    told: list[str] = []
    for sentence in sentences(own, longest=_LONGEST_BODY):
        wish = _behind_remark(sentence)
        told += [sentence.removesuffix(wish), _capital(wish)] if wish else [sentence]
    return told


def _behind_remark(sentence: str) -> str:
    for joint in _JOINT.finditer(sentence):
        remark, wish = matchable(sentence[: joint.start()]), sentence[joint.end() :]
        if len(split_words(remark)) > _REMARKS_MOST_WORDS:
            break
        if _only_remarks(remark) and _wishes(wish):
            return wish
    return ""


def _capital(sentence: str) -> str:
    first, _, _ = sentence.partition(" ")
    return f"{sentence[:1].upper()}{sentence[1:]}" if first.isalpha() else sentence


def _only_remarks(folded: str) -> bool:
    rest = without_opening(f"{folded} ")
    return not rest.strip() or acknowledges(folded) or begins("tells", rest) or begins("praises", rest)


def _wishes(sentence: str) -> bool:
    folded = without_opening(matchable(sentence))
    if act_of(sentence) != DIRECTS or is_question(sentence):
        return False
    stands = any(says(name, folded) for name in STANDING) and type_of_persons(folded) in (CORRECTION, DECISION)
    return stands or begins("keeps", folded)


def _states(name: str, folded: str, after: str) -> bool:
    found = cue(name, folded).search(folded)
    before = folded[: found.start()] if found else ""
    if found is None or any(says(void, before) for void in ("supposes", "reports", "negates")):
        return False
    if name in ("faults", "corrects") and says("values", f"{folded} {matchable(after)}".strip()):
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


def _requests(folded: str) -> bool:
    """It is wanted, though it is put as a question: "can you stop adding comments?"."""
    return begins("requests", without_opening(folded))


def _corrects(sentence: str) -> bool:
    folded = matchable(sentence)
    standing = says("wishes", folded) or says("warns", folded)
    return standing or begins("refuses", folded) or begins("addresses", without_opening(folded))


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(rf"[,.]? *\b{source('tags')}\?+$")
