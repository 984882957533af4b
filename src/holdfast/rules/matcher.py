"""Keyword matching: an index made once from all domains, and one pass over the prompt whatever their number."""

from __future__ import annotations

from holdfast.rules.words import SYMBOLS, bases, fold, is_unspaced, split_words

RECALL = 0
EXCLUDE = 1
EVERYWHERE = -1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypedDict

    class Index(TypedDict):
        """``entries``: "owner role keyword" lines. The other tables lead from a text to entry numbers."""

        entries: list[tuple[int, int, str]]
        words: dict[str, list[int]]
        exact: dict[str, list[int]]
        phrases: dict[str, list[tuple[int, list[list[str]]]]]
        literals: dict[str, list[tuple[int, str, bool]]]


def build_index(keywords: Iterable[tuple[int, int, str, str]]) -> Index:
    """The index of (owner, role, keyword, way), where way is words, word or substring and ``=`` before a keyword means word."""
    index: Index = {"entries": [], "words": {}, "exact": {}, "phrases": {}, "literals": {}}
    for owner, role, keyword, way in keywords:
        number = len(index["entries"])
        index["entries"].append((owner, role, keyword))
        exact = keyword.startswith("=")
        _add(index, number, fold(keyword.lstrip("=").strip()), "word" if exact else way)
    return index


def find_matches(index: Index, prompt: str) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """({owner: recall keywords found}, {owner: exclude keywords found}); owner -1 stands for the exclusions that hold for all."""
    folded = fold(prompt)
    words = split_words(folded)
    hits: set[int] = set(_word_hits(index, words))
    if index["literals"]:
        hits.update(_literal_hits(index["literals"], folded))
    found: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})
    for number in sorted(hits):
        owner, role, keyword = index["entries"][number]
        found[role].setdefault(owner, []).append(keyword)
    return found


def _add(index: Index, number: int, keyword: str, way: str) -> None:
    words = split_words(keyword)
    if not keyword:
        return
    if (
        way == "substring"
        or is_unspaced(keyword)
        or not words
        or any(symbol in keyword for symbol in SYMBOLS)
    ):
        bounded = way != "substring" and not is_unspaced(keyword)
        index["literals"].setdefault(keyword[:2], []).append((number, " ".join(keyword.split()), bounded))
    elif len(words) > 1:
        forms = [[word] if way == "word" else list(bases(word)) for word in words]
        for first in forms[0]:
            index["phrases"].setdefault(first, []).append((number, forms[1:]))
    elif way == "word":
        index["exact"].setdefault(words[0], []).append(number)
    else:
        for base in bases(words[0]):
            index["words"].setdefault(base, []).append(number)


def _word_hits(index: Index, words: list[str]) -> Iterator[int]:
    single, exact, phrases = index["words"], index["exact"], index["phrases"]
    forms = {word: bases(word) for word in dict.fromkeys(words)}
    for word, found in forms.items():
        yield from exact.get(word, ())
        for base in found:
            yield from single.get(base, ())
    if phrases:
        for place, word in enumerate(words):
            for base in forms[word]:
                for number, rest in phrases.get(base, ()):
                    if _continues(words, forms, place + 1, rest):
                        yield number


def _continues(
    words: list[str], forms: dict[str, tuple[str, ...]], place: int, rest: list[list[str]]
) -> bool:
    following = words[place : place + len(rest)]
    return len(following) == len(rest) and all(
        not set(wanted).isdisjoint(forms[word]) for wanted, word in zip(rest, following, strict=True)
    )


def _literal_hits(literals: dict[str, list[tuple[int, str, bool]]], folded: str) -> Iterator[int]:
    text = " ".join(folded.split())
    for place in range(len(text)):
        for key in (text[place : place + 2], text[place]):
            for number, literal, bounded in literals.get(key, ()):
                if text.startswith(literal, place) and not (
                    bounded and _inside_word(text, place, len(literal))
                ):
                    yield number


def _inside_word(text: str, place: int, length: int) -> bool:
    before, after = text[place - 1 : place], text[place + length : place + length + 1]
    return before.isalnum() or after.isalnum() or after in tuple(SYMBOLS)
