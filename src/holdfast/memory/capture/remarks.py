"""Remarks: what a person's message is worth remembering for. The message is the unit.

What the cues of ``statements`` find keeps its type. Where they find nothing, a message that says how something is to
be, and is no question, order of the moment, acknowledgement or paste, is kept whole under the sentence that says it.
"""

from __future__ import annotations

import re

from holdfast.ground.text.escaping import clip
from holdfast.ground.text.words import fold
from holdfast.memory.capture.acts import DIRECTS, TELLS, act_of, without_opening
from holdfast.memory.capture.answers import Answer, context_of_question, read_answer
from holdfast.memory.capture.languages import cues
from holdfast.memory.capture.own_words import own_words
from holdfast.memory.capture.prose import matchable, sentences
from holdfast.memory.capture.statements import Statement, is_question, of_user

DECISION, CORRECTION = "decision", "user_correction"
_FAILS = re.compile(
    r"\b(?:errors?|fail(?:s|ed|ing|ure)?|exception|traceback|fatal|panic|warnings?|not found|denied|refused)\b"
)
_WHY = re.compile(r"\b(?:why|how come|wrong|broken|fails?|failing|error|por ?que|pourquoi|falla|falha|echoue)\b")
_LONGEST_BODY = 1200
# Characters of an answer in its title, which also holds what it answers.
_LONGEST_ANSWER = 60
_POINTING = re.compile(
    r"(?:that|this|these|those|it|they|he|she|there|isso|isto|esse|essa|ele|ela|eso|esto|ese|esa|ca|cela|ce|c'est)"
    r"(?:'s|'re|n't)?\b"
)
# What is said to the agent of how it works, and not of the project.
_TO_YOU = re.compile(r"(?:you|voce|tu|vous|usted) \w+")


def read_remarks(text: str, told: str) -> list[Statement]:
    """Return the statements of a typed message; ``told`` is what the model said before it, "" for nothing."""
    own = own_words(text)
    said = sentences(own.text)
    if any(cues.MOCKS.search(matchable(sentence)) for sentence in said):
        return []
    found = _cued(said, context_of_question(told))
    if found:
        return [each.replace(whole=clip(own.text, _LONGEST_BODY) if len(found) == 1 else "") for each in found]
    if answer := read_answer(own.text, told):
        return [_answered(own.text, answer)]
    return _kept(said, clip(own.text, _LONGEST_BODY))


def complains(text: str) -> bool:
    """Return whether the message shows or tells that something is wrong."""
    own = own_words(text)
    return any(act_of(each) == TELLS or _WHY.search(matchable(each)) for each in sentences(own.text)) or (
        own.pasted and _FAILS.search(fold(text)) is not None
    )


def _answered(own: str, answer: Answer) -> Statement:
    """Return an answer with what it answers: the title carries the thing, whoever named it."""
    line = " ".join(own.split())
    title = f"{answer.text} ({clip(line, _LONGEST_ANSWER)})" if answer.text != own.strip() else line
    if answer.asked and answer.text == own.strip():
        title = f"{clip(line, _LONGEST_ANSWER)} (asked: {answer.asked})"
    parts = (answer.text, own if answer.text != own.strip() else "", f"Asked: {answer.asked}" if answer.asked else "")
    return Statement(DECISION, title, whole="\n\n".join(part for part in parts if part))


def _kept(said: list[str], whole: str) -> list[Statement]:
    directing = [place for place, sentence in enumerate(said) if act_of(sentence) == DIRECTS]
    if not directing:
        return []
    kind = CORRECTION if any(_corrects(sentence) for sentence in said) else DECISION
    place = max(directing, key=lambda place: (_points(said[place]) is False, -place))
    return [Statement(kind, _titled(said, place), whole=whole)]


def _titled(said: list[str], place: int) -> str:
    """Return the sentence with the thing that it is about: what stands before it where it only points there."""
    sentence = without_opening(said[place])
    before = without_opening(said[place - 1]) if place else ""
    return f"{before} {sentence}" if before and _points(said[place]) else sentence


def _points(sentence: str) -> bool:
    """Return whether the sentence names its thing by a pronoun only."""
    return _POINTING.match(matchable(without_opening(sentence))) is not None


def _corrects(sentence: str) -> bool:
    """Return whether it is a standing wish, a warning or a no to what the model did (decision 22)."""
    folded = matchable(sentence)
    opened = without_opening(folded)
    return (
        any(cue.search(folded) for cue in (cues.WISHES, cues.WARNS))
        or cues.REFUSES.match(folded) is not None
        or _TO_YOU.match(opened) is not None
    )


def _cued(said: list[str], asked: str) -> list[Statement]:
    found: list[Statement] = []
    for place, sentence in enumerate(said):
        statement = of_user(sentence, "" if place else asked)
        if statement and statement.bare:
            after = said[place + 1] if place + 1 < len(said) else ""
            statement = statement.replace(text=after) if after and not is_question(after) else None
        if statement and all(statement.text != other.text for other in found):
            found.append(_as_wish(statement))
    return found


def _as_wish(statement: Statement) -> Statement:
    """Return what the agent is always to do as a correction, whatever cue found it."""
    folded = matchable(statement.text)
    wish = statement.type == DECISION and cues.WISHES.search(folded) and _TO_YOU.match(without_opening(folded))
    return statement.replace(type=CORRECTION) if wish else statement
