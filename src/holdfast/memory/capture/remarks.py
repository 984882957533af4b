"""Remarks: what a person's message is worth remembering for. The message is the unit.

What the cues of ``statements`` find keeps its type. Where they find nothing, a message that says how something is to
be, and is no question, order of the moment, acknowledgement or paste, is kept whole under the sentence that says it.
"""

from __future__ import annotations

import re

from holdfast.ground.text.escaping import clip
from holdfast.ground.text.words import fold
from holdfast.memory.capture.acts import ASKS, DIRECTS, STATES, TELLS, act_of, weight_of, without_opening
from holdfast.memory.capture.answers import Answer, read_answer
from holdfast.memory.capture.cues import begins, says
from holdfast.memory.capture.own_words import own_words
from holdfast.memory.capture.prose import matchable, sentences
from holdfast.memory.capture.statements import Statement, is_question, of_user
from holdfast.memory.index.wishes import is_of_practice

DECISION, CORRECTION = "decision", "user_correction"
# What programs print where something is wrong.
_FAILS = re.compile(
    r"\b(?:errors?|fail(?:s|ed|ing|ure)?|exception|traceback|fatal|panic|warnings?|not found|denied|refused)\b"
)
_LONGEST_BODY = 1200
# Words that say something, of a sentence for which a message is noted, and of a reproach that tells what is wanted.
_LEAST_WORDS = 3
# Words that say something, beyond which a sentence tells no more of its thing.
_MOST_WEIGHT = 8
# Characters of an answer in its title, which also holds what it answers.
_LONGEST_ANSWER = 60


def read_remarks(text: str, told: str) -> list[Statement]:
    """Return the statements of a typed message; ``told`` is what the model said before it, "" for nothing."""
    own = own_words(text).text
    said = sentences(own, longest=_LONGEST_BODY)
    if any(says("mocks", matchable(sentence)) for sentence in said):
        return []
    if found := _joined(_cued(said)):
        return [found[0].replace(whole=clip(own, _LONGEST_BODY)), *found[1:]]
    if answer := read_answer(own, told):
        return [_answered(own, answer)]
    return _kept(said, clip(own, _LONGEST_BODY))


def read_note(text: str) -> str:
    """Return the own words of a typed message that says something, "" for one that only asks, orders something for the
    moment or acknowledges."""
    own = own_words(text).text
    said = sentences(own, longest=_LONGEST_BODY)
    acts = {act_of(each) for each in said if weight_of(each) >= _LEAST_WORDS and not each.endswith(":")}
    return own if acts & {DIRECTS, STATES, TELLS} else ""


def complains(text: str) -> bool:
    """Return whether the message shows or tells that something is wrong."""
    own = own_words(text)
    if own.pasted and _FAILS.search(fold(text)):
        return True
    return any(act_of(each) == TELLS or says("complains", matchable(each)) for each in sentences(own.text))


def _answered(own: str, answer: Answer) -> Statement:
    """Return an answer with what it answers: the title carries the thing, whoever named it."""
    line, named = " ".join(own.split()), answer.text.lower().startswith(own.strip().lower())
    asked = f"(asked: {answer.asked})" if answer.asked else ""
    title = (
        f"{clip(answer.text, _LONGEST_ANSWER)} {asked}" if named else f"{answer.text} ({clip(line, _LONGEST_ANSWER)})"
    )
    parts = (answer.text, "" if named else own, f"Asked: {answer.asked}" if answer.asked else "")
    return Statement(DECISION, title, whole="\n\n".join(part for part in parts if part))


def _cued(said: list[str]) -> list[Statement]:
    found: list[Statement] = []
    for place, sentence in enumerate(said):
        statement = of_user(sentence)
        if statement and statement.bare:
            after = said[place + 1] if place + 1 < len(said) else ""
            statement = statement.replace(text=after) if after and not is_question(after) else None
        if statement and statement.type == CORRECTION and act_of(sentence) == TELLS:
            continue
        if statement and all(statement.text != other.text for other in found):
            found.append(statement)
    return found


def _joined(found: list[Statement]) -> list[Statement]:
    """Return several corrections of one message as one, under the sentence that says most of its thing."""
    corrections = [each for each in found if each.type == CORRECTION]
    if len(corrections) < 2:
        return found
    best = max(corrections, key=lambda each: _telling(each.text))
    return [best, *(each for each in found if each.type != CORRECTION)]


def _kept(said: list[str], whole: str) -> list[Statement]:
    directing = [place for place, sentence in enumerate(said) if act_of(sentence) == DIRECTS]
    if not directing:
        return _reproached(said, whole)
    place = max(directing, key=lambda place: _telling(said[place]))
    kind = CORRECTION if any(map(_corrects, said)) or is_of_practice(said[place]) else DECISION
    return [Statement(kind, _titled(said, place), whole=whole)]


def _reproached(said: list[str], whole: str) -> list[Statement]:
    """Return a reproach with what comes after it, where that says what is wanted."""
    place = next((place for place, each in enumerate(said) if says("reproaches", matchable(each))), len(said))
    told = said[place : place + 2]
    enough = weight_of(" ".join(told)) >= _LEAST_WORDS and act_of(told[-1]) != ASKS
    return [Statement(CORRECTION, " ".join(told), whole=whole)] if enough else []


def _titled(said: list[str], place: int) -> str:
    """Return the sentence with the thing that it is about: what is before it where it only points there."""
    sentence = without_opening(said[place])
    before = [each for each in said[:place] if weight_of(each) > 1]
    return f"{without_opening(before[-1])} {sentence}" if before and _points(said[place]) else sentence


def _telling(sentence: str) -> tuple[bool, bool, int]:
    """Return how well the sentence tells of its thing by itself, to be compared with others."""
    return (not _points(sentence), says("wishes", matchable(sentence)), min(weight_of(sentence), _MOST_WEIGHT))


def _points(sentence: str) -> bool:
    """Return whether the sentence names its thing by a pronoun only."""
    return begins("points", matchable(without_opening(sentence)))


def _corrects(sentence: str) -> bool:
    """Return whether it is a standing wish, a warning or a no to what the model did (decision 22)."""
    folded = matchable(sentence)
    standing = says("wishes", folded) or says("warns", folded)
    return standing or begins("refuses", folded) or begins("addresses", without_opening(folded))
