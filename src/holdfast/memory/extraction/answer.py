"""A model's answer to candidates: what has no verbatim quote of a typed message is dropped.

The title is the model's only as far as its words stand in what was said; else the quote takes its place, which is true
whatever the model made of it.
"""

from __future__ import annotations

import json

from holdfast.ground.digest import digest
from holdfast.ground.text.escaping import clip
from holdfast.ground.text.stems import stem
from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.text.words import fold, split_words
from holdfast.ground.values import Value
from holdfast.memory.capture.candidate import LONGEST_TITLE, Candidate
from holdfast.memory.extraction.prompt import KINDS
from holdfast.memory.model.entry import EVIDENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from holdfast.memory.extraction.prompt import Typed

# Characters of an answer that are read at all, and of a quote.
LONGEST_ANSWER = 64 * 1024
LONGEST_QUOTE = 400
# A quote of fewer characters stands in almost any message; it counts where it is the whole message.
LEAST_QUOTE = 12
# Share of a title's words that must stand in what was said.
GROUNDED = 0.6
# Words of a title may come from the agent's where the typed message is so short that it answers them.
LONGEST_REPLY = 120
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
    """What of an answer is believed, and how many of its items are not."""

    candidates: tuple[Candidate, ...]
    dropped: int = 0


def read_answer(text: str, typed: Sequence[Typed], items: int, confidence: float) -> Extracted:
    """Return at most ``items`` candidates of that ``confidence``; ``typed`` are the messages that were sent.

    Raise ValueError for an answer that is no JSON of the form that was asked for.
    """
    given = _items(text)
    messages = {message.name: message for message in typed}
    found: dict[tuple[str, str], Candidate] = {}
    for item in given:
        candidate = _candidate(item, messages, confidence)
        if candidate and len(found) < items:
            found.setdefault((candidate.key, fold(candidate.title)), candidate)
    return Extracted(candidates=tuple(found.values()), dropped=len(given) - len(found))


def _items(text: str) -> list[Any]:
    """Return the items of the answer; a model may put words or a fence around its JSON."""
    if len(text) > LONGEST_ANSWER:
        raise ValueError(f"an answer of {len(text)} characters")
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1])
    except RecursionError:
        raise ValueError("an answer that is nested too deeply") from None
    given = found.get("items") if isinstance(found, dict) else None
    if not isinstance(given, list):
        raise ValueError("an answer without a list of items")
    return given


def _candidate(item: object, messages: dict[str, Typed], confidence: float) -> Candidate | None:
    """Return the candidate of an item, None where its quote does not stand in its message, or says nothing alone."""
    fields = item if isinstance(item, dict) else {}
    name, quote, kind, title = (_line(fields.get(key)) for key in ("message", "quote", "type", "title"))
    message = messages.get(name)
    if message is None or kind not in KINDS or not _stands(quote, message):
        return None
    grounded = _is_grounded(title, message)
    if not grounded and len(quote) < LEAST_QUOTE:
        return None
    said = clip(title if grounded else quote, LONGEST_TITLE)
    return Candidate(
        type=kind,
        title=said,
        body=_body(title if grounded else quote, quote, message),
        confidence=confidence,
        at=message.at,
        seen=(message.at,),
        key=f"{message.key}:{digest(f'{kind} {fold(quote)}', 4)}",
    )


def _stands(quote: str, message: Typed) -> bool:
    """Return whether the quote is words of the message, white space aside; a short one must be all of it."""
    text = _line(message.text)
    return quote == text if len(quote) < LEAST_QUOTE else len(quote) <= LONGEST_QUOTE and quote in text


def _is_grounded(title: str, message: Typed) -> bool:
    """Return whether the title says no more than the message does, and the agent's words that it answers: most of its
    words stand there, and every number and every name in code; it denies only where they do."""
    if not title or len(title) > 2 * LONGEST_TITLE:
        return False
    source = f"{message.text}\n{message.beside if len(message.text) <= LONGEST_REPLY else ''}"
    exact = {word for word in title.split() if any(sign.isdigit() or sign in "/_\\<>{}$`" for sign in word)}
    if any(word.strip(".,;:!?()\"'`") not in source for word in exact):
        return False
    said = set(_stems(split_words(fold(source))))
    own = list(_stems(split_words(fold(title))))
    denied = NEGATIONS.intersection(split_words(fold(title.replace("'", ""))))
    if denied and not NEGATIONS.intersection(split_words(fold(source.replace("'", "")))):
        return False
    return bool(own) and sum(word in said for word in own) >= GROUNDED * len(own)


def _stems(words: Iterable[str]) -> Iterable[str]:
    return (stem(word) for word in words if word not in STOP_WORDS)


def _body(statement: str, quote: str, message: Typed) -> str:
    """Return the statement, and below it the words that it rests on."""
    quotes = [f"> {quote} (user)"]
    if message.beside:
        quotes.insert(0, f"> {clip(_line(message.beside), 300)} (assistant)")
    return "\n".join([statement, "", f"## {EVIDENCE}", "", "\n>\n".join(quotes)])


def _line(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
