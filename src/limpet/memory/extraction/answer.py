"""A model's answer: what it says to candidates, and what it found itself, of which nothing counts without a verbatim
quote of a typed message.

A sentence counts only as far as its words stand in what was sent: nobody looks at what the model writes.
"""

from __future__ import annotations

import json

from limpet.ground.errors import LimpetError
from limpet.ground.text.stems import stem
from limpet.ground.text.stop_words import STOP_WORDS
from limpet.ground.text.words import fold, split_words
from limpet.ground.values import Value
from limpet.memory.candidates.answer import read_answer as parse_answer
from limpet.memory.capture.heard import Heard
from limpet.memory.extraction.prompt import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.memory.extraction.prompt import Prompt, Typed

# Characters of an answer that are read at all, and of a quote.
LONGEST_ANSWER = 64 * 1024
LONGEST_QUOTE = 400
# A quote of fewer characters stands in almost any message; it counts where it is the whole message.
LEAST_QUOTE = 12
# Share of a sentence's words that must stand in what was said.
GROUNDED = 0.6
NEGATIONS = frozenset(
    ("not", "no", "never", "dont", "doesnt", "cant", "wont", "without", "nao", "nunca", "sem", "sin", "jamais")
    + ("pas", "ne", "sans")
)


class Answered(Value):
    """What came of asking a model, in tokens and US dollars as the host reports them.

    ``text``: its answer.
    ``problem``: why there is none, "" where there is one.
    """

    text: str = ""
    problem: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    money: float = 0.0


class Extracted(Value):
    """What of an answer counts.

    ``answers``: to candidates, a text each.
    ``found``: what it quotes, each with the sentence that it makes of it.
    ``dropped``: how many of its items do not count.
    """

    answers: tuple[str, ...] = ()
    found: tuple[tuple[Heard, str], ...] = ()
    dropped: int = 0


def read_answer(text: str, prompt: Prompt, items: int) -> Extracted:
    """Return what counts of the answer to the prompt, at most ``items`` of its own.

    Raise ValueError for an answer that is no JSON of the form that was asked for.
    """
    given = _read(text)
    answers = [each for each in given["answers"] if isinstance(each, str) and _is_answer(each, prompt)]
    messages = {message.name: message for message in prompt.typed}
    found: dict[tuple[str, str], tuple[Heard, str]] = {}
    for item in given["items"]:
        made = _found(item, messages)
        if made and len(found) < items:
            found.setdefault((made[0].quote, made[0].message), made)
    dropped = sum(map(len, given.values())) - len(answers) - len(found)
    return Extracted(answers=tuple(answers), found=tuple(found.values()), dropped=dropped)


def _read(text: str) -> dict[str, list[Any]]:
    """Return the lists of the answer; a model may put words or a fence around its JSON."""
    if len(text) > LONGEST_ANSWER:
        raise ValueError(f"an answer of {len(text)} characters")
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1])
    except RecursionError:
        raise ValueError("an answer that is nested too deeply") from None
    given = found if isinstance(found, dict) else {}
    lists = {name: one for name in ("answers", "items") if isinstance(one := given.get(name, []), list)}
    if len(lists) < 2 or not given.keys() & lists.keys():
        raise ValueError("an answer without a list of items")
    return lists


def _is_answer(text: str, prompt: Prompt) -> bool:
    """Return whether the text answers a candidate that was sent, and says no more than what was sent."""
    try:
        answer = parse_answer(text)
    except LimpetError:
        return False
    return answer.id in prompt.candidates and (not answer.sentence or _is_grounded(answer.sentence, prompt.text))


def _found(item: object, messages: dict[str, Typed]) -> tuple[Heard, str] | None:
    """Return what an item quotes and its sentence, None where the quote does not stand in its message, or the sentence
    says more than that does and the agent's words that it answers."""
    fields = item if isinstance(item, dict) else {}
    name, quote, kind, sentence = (_line(fields.get(key)) for key in ("message", "quote", "type", "sentence"))
    message = messages.get(name)
    if message is None or kind not in KINDS or not _stands(quote, message):
        return None
    if not _is_grounded(sentence, f"{message.text}\n{message.beside}"):
        return None
    heard = Heard("user", kind, quote, quote, message.beside, message.at, message.offset, message.message)
    return heard, sentence


def _stands(quote: str, message: Typed) -> bool:
    """Return whether the quote is words of the message, white space aside; a short one must be all of it."""
    text = _line(message.text)
    return quote == text if len(quote) < LEAST_QUOTE else len(quote) <= LONGEST_QUOTE and quote in text


def _is_grounded(sentence: str, source: str) -> bool:
    """Return whether most words of the sentence stand in the source, and every number and every name in code; it denies
    only where that does."""
    exact = {word for word in sentence.split() if any(sign.isdigit() or sign in "/_\\<>{}$`" for sign in word)}
    if any(word.strip(".,;:!?()\"'`") not in source for word in exact):
        return False
    said, own = (split_words(fold(text.replace("'", ""))) for text in (source, sentence))
    if NEGATIONS.intersection(own) and not NEGATIONS.intersection(said):
        return False
    known, stems = set(map(stem, said)), [stem(word) for word in own if word not in STOP_WORDS]
    return bool(stems) and sum(word in known for word in stems) >= GROUNDED * len(stems)


def _line(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
