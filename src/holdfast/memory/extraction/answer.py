"""A model's answer: what it says to candidates, and what it found itself, of which nothing counts without a verbatim
quote of a typed message."""

from __future__ import annotations

import json

from holdfast.ground.values import Value
from holdfast.memory.capture.heard import Heard
from holdfast.memory.extraction.prompt import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from holdfast.memory.extraction.prompt import Typed

# Characters of an answer that are read at all, and of a quote.
LONGEST_ANSWER = 64 * 1024
LONGEST_QUOTE = 400
# A quote of fewer characters stands in almost any message; it counts where it is the whole message.
LEAST_QUOTE = 12


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


def read_answer(text: str, typed: Sequence[Typed], items: int, ids: frozenset[str] = frozenset()) -> Extracted:
    """Return what counts of an answer, at most ``items`` of its own; ``typed`` are the messages that were sent, ``ids``
    the candidates.

    Raise ValueError for an answer that is no JSON of the form that was asked for.
    """
    given = _read(text)
    answers = [each for each in given["answers"] if isinstance(each, str) and each.partition(":")[0].strip() in ids]
    messages = {message.name: message for message in typed}
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


def _found(item: object, messages: dict[str, Typed]) -> tuple[Heard, str] | None:
    """Return what an item quotes and its sentence, None where the quote does not stand in its message."""
    fields = item if isinstance(item, dict) else {}
    name, quote, kind, sentence = (_line(fields.get(key)) for key in ("message", "quote", "type", "sentence"))
    message = messages.get(name)
    if message is None or kind not in KINDS or not sentence or not _stands(quote, message):
        return None
    heard = Heard("user", kind, quote, quote, message.beside, message.at, message.offset, message.message)
    return heard, sentence


def _stands(quote: str, message: Typed) -> bool:
    """Return whether the quote is words of the message, white space aside; a short one must be all of it."""
    text = _line(message.text)
    return quote == text if len(quote) < LEAST_QUOTE else len(quote) <= LONGEST_QUOTE and quote in text


def _line(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
