"""Finds what a conversation may be worth remembering for: the entry point of capture. It is generous: whoever
understood the conversation writes a sentence or drops it. Here only what is surely nothing is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from limpet.ground.message import Message
from limpet.ground.text.escaping import clip
from limpet.ground.text.words import is_stop_word, split_words
from limpet.ground.values import Value
from limpet.memory.capture.digest import own_words
from limpet.memory.capture.heard import PLAN, Heard, begins, cue, entries, hear, matchable, says, sentences
from limpet.memory.capture.outcomes import read_mends
from limpet.memory.capture.statements import (
    ASKS,
    ORDERS,
    TELLS,
    acknowledges,
    act_of,
    holds_beyond,
    read_note,
    read_opening,
    read_remark,
    type_of_models,
    without_opening,
)

_PLACES = {"first": 0, "second": 1, "third": 2, "last": -1}
# Words of an answer that takes an option and says little else, and of what a yes agrees to.
_MOST_WORDS = 12
_LEAST_WORDS = 4
_LONGEST_OPTION = 300
_CALLED = r"(?:option|opc[aã]o|opção|opci[oó]n)"
_MARKED = r"\s*(?:[-*+•#]+ +)?(?:[*_]{1,4} ?)?"
_OPTION = re.compile(
    rf"^{_MARKED}(?:{_CALLED} +)?\(?(?P<name>\d{{1,2}}|[A-Ha-h])[.):](?:[*_]{{1,3}})?\s+(?P<text>\S.{{2,}})$"
    rf"|^{_MARKED}{_CALLED} +(?P<named>\d{{1,2}}|[A-Ha-h])\b[^\w\n]{{0,6}}(?P<rest>\S.{{2,}})$",
    re.MULTILINE | re.IGNORECASE,
)
_NAME = re.compile(r"\d{1,2}|[a-h]")
_NAMED = re.compile(rf"\b(?:{_CALLED}|number|approach|plan|numero|alternativ[ae]) #?(\d{{1,2}}|[a-h])\b")


def find_heard(messages: Sequence[Message], since: int = 0) -> list[Heard]:
    """Messages before byte ``since`` only tell what is answered. A message is heard once, however much it says; what a
    conversation is begun with is its task, unless it only corrects; of a task a standing wish is heard."""
    said: list[Heard] = []
    for turn in _turns(messages):
        said += _of_turn(turn, since, is_task=turn.said is not None and turn.said is messages[0])
    for mend in read_mends(messages):
        if mend.passed.offset >= since:
            line = f"{mend.error} - {mend.words}"
            said.append(hear(mend.passed, "resolution", mend.words, mend.failed, line=line))
    return sorted(said, key=lambda heard: heard.offset)


class Turn(Value):
    """What the person said, and what the model said until they spoke again. ``said``: None for what stands before the
    first message of the person. ``before``: the model's words that the person answers."""

    said: Message | None
    before: str
    told: tuple[Message, ...]


class GivenAnswer(Value):
    """An answer and what it takes up. ``text``: what was chosen or agreed to, in the model's words. ``asked``: the
    question or the list's lead, "" where there was none."""

    text: str
    asked: str = ""

    def line(self, own: str) -> str:
        if self.text.lower().startswith(own.strip().lower()):
            return f"{self.text} (asked: {self.asked})" if self.asked else self.text
        return f"{self.text} ({own})"


def read_answer(own: str, told: str) -> GivenAnswer | None:
    """Return what the person's words take of what the model told before; None where they take nothing that can be
    told."""
    folded, own = matchable(own).strip(), own.strip()
    if not folded or len(split_words(folded)) > 4 * _MOST_WORDS:
        return None
    options, question = options_in(told), question_in(told)
    if taken := _picked(folded, options):
        return GivenAnswer(text=taken, asked=question)
    if question and not (options and _NAME.fullmatch(_bare(folded))) and not _is_step(question) and _settles(own):
        return GivenAnswer(text=own, asked=question)
    if acknowledges(folded) and begins("confirms", folded) and _offers(question):
        return GivenAnswer(text=question)
    return None


def options_in(text: str) -> dict[str, str]:
    """Return number or letter -> text of the last list's options."""
    found: dict[str, str] = {}
    for option in _OPTION.finditer(text):
        name = (option["name"] or option["named"]).lower()
        if name in ("1", "a"):
            found = {}
        found[name] = clip(" ".join((option["text"] or option["rest"]).replace("**", "").split()), _LONGEST_OPTION)
    return found if len(found) > 1 else {}


def question_in(text: str) -> str:
    last = sentences(text)[-3:]
    return next((sentence for sentence in reversed(last) if "?" in matchable(sentence)), "")


def _turns(messages: Sequence[Message]) -> Iterator[Turn]:
    said: Message | None = None
    before = ""
    told: list[Message] = []
    for message in messages:
        if message.role == "user":
            yield Turn(said, before, tuple(told))
            spoken = [each.text for each in told if each.role == "assistant"]
            said, before, told = message, spoken[-1] if spoken else "", []
        elif message.role in ("assistant", PLAN):
            told.append(message)
    yield Turn(said, before, tuple(told))


def _of_turn(turn: Turn, since: int, is_task: bool) -> Iterator[Heard]:
    if turn.said and turn.said.offset >= since:
        typed = own_words(turn.said.text)
        own = typed.text
        answer = read_answer(own, turn.before)
        before = f"{turn.before}\n{answer.text}" if answer and answer.text not in own else turn.before
        remark = read_opening(own) if is_task else read_remark(own, answer is not None)
        if remark:
            takes_up = answer is not None and (answer.text != own or remark[1] == [own])
            line = answer.line(own) if answer and takes_up else " ".join(remark[1])
            heard = hear(turn.said, remark[0], own, before, remark[1][0], line)
            yield heard.replace(is_typed=not typed.is_mixed, answers=_answers(remark[1], turn.before))
        elif read_note(own):
            yield hear(turn.said, "", own, before)
    for message in turn.told:
        told = sentences(message.text) if message.offset >= since else ()
        said = [(type, sentence) for sentence in told if (type := type_of_models(sentence))]
        if said:
            words = " ".join(sentence for _, sentence in said)
            yield hear(message, said[0][0], words, turn.said.text if turn.said else "")


def _answers(said: Sequence[str], told: str) -> bool:
    question = question_in(told)
    return bool(question) and not _is_step(question) and not any(map(holds_beyond, said))


def _picked(folded: str, options: dict[str, str]) -> str:
    told = [name for name in dict.fromkeys(_NAMED.findall(folded)) if name in options]
    if len(told) == 1 and not says("asks", folded):
        return options[told[0]]
    if (name := _bare(folded)) in options:
        return options[name]
    listed = list(options.values())
    places = [place for section, place in _PLACES.items() if says(section, folded)]
    if len(places) == 1 and len(split_words(folded)) <= _MOST_WORDS // 2 and places[0] < len(listed):
        return listed[places[0]]
    return next((each for each in listed if matchable(each.partition(":")[0]).strip() == folded), "")


def _bare(folded: str) -> str:
    """Return the one word beside those that only take an option ("let's go with 2 please"), "" for several."""
    taking = split_words(" ".join(entries("picking")))
    said = split_words(folded)
    left = [word for word in said if word not in taking] or said[-1:]
    return left[0] if len(left) == 1 else ""


def _settles(own: str) -> bool:
    folded = matchable(own)
    words = split_words(matchable(without_opening(" ".join(own.split()))))
    says_something = any(not is_stop_word(word) or word.isdigit() for word in words)
    return (
        says_something
        and len(words) <= _MOST_WORDS
        and not acknowledges(folded)
        and not begins("confirms", folded)
        and act_of(own) not in (ASKS, ORDERS, TELLS)
    )


def _is_step(question: str) -> bool:
    """The model asks only whether it may take the next step, or do more of the same work."""
    rest = _offered(question)
    return rest != matchable(question) and (begins("orders", rest) or begins("making", rest))


def _offers(question: str) -> bool:
    """A yes to the question settles something beyond the next step of the work."""
    offered = _offered(question)
    says_enough = sum(not is_stop_word(word) for word in split_words(offered)) >= _LEAST_WORDS
    return says_enough and " or " not in offered and not (begins("orders", offered) or begins("making", offered))


def _offered(question: str) -> str:
    folded = matchable(question)
    offering = cue("offering", folded).match(folded)
    return folded[offering.end() :] if offering else folded
