"""What the words of a question ask for, a time or a number, and the words of titles that answer it. Separate from
records, which need the checks of entries: a prompt searches with it."""

from __future__ import annotations

from functools import cache

from limpet.ground.text.folding import fold
from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import split_words


def asks_when(words: list[str]) -> bool:
    return not (_listed("when").isdisjoint(words[:3]) and _pairs(words).isdisjoint(_signals()["which-time"]))


def asks_how_many(words: list[str]) -> bool:
    return not (_pairs(words).isdisjoint(_signals()["how-many"]) and _listed("quantity").isdisjoint(words))


def title_words_of(text: str) -> list[str]:
    return split_words(fold(text))


def is_question_title(text: str) -> bool:
    """Return whether the text ends as a question, so that what comes next may be its answer."""
    return text.rstrip(" \t\r\n\"'`*_)]").endswith(("?", "\uff1f", "\u061f"))


def tells_when(words: list[str]) -> bool:
    named = not _listed("times").isdisjoint(words) or not _listed("months").isdisjoint(words)
    return named or any(_is_year(word) or _is_ordinal(word) for word in words)


def tells_number(words: list[str]) -> bool:
    return not _listed("numbers").isdisjoint(words) or any(word.isdigit() for word in words)


def names_of_month(number: int) -> str:
    """Return the names of a month, 1 for January, in all languages."""
    return _signals()["months"][number - 1]


@cache
def _listed(section: str) -> frozenset[str]:
    return frozenset(" ".join(_signals()[section]).split())


def _signals() -> dict[str, tuple[str, ...]]:
    return read_words("question-signals.txt")


def _pairs(words: list[str]) -> set[str]:
    return {f"{first} {second}" for first, second in zip(words, words[1:], strict=False)}


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdigit() and word[:2] in ("19", "20")


def _is_ordinal(word: str) -> bool:
    return word[-2:] in ("st", "nd", "rd", "th") and word[:-2].isdigit()
