"""Flags text that reads as an order to the model where it enters the memory, so that it is never more than data."""

from __future__ import annotations

import re
from functools import cache
from typing import TypeVar

from holdfast.ground.safety.hints import by_hint
from holdfast.ground.safety.instructions import patterns as english
from holdfast.ground.safety.instructions import romance
from holdfast.ground.safety.instructions.sayings import FOREIGN, SAYINGS
from holdfast.ground.safety.instructions.senses import ORDERS
from holdfast.ground.safety.instructions.tags import TAGS
from holdfast.ground.text.words import fold

INSTRUCTION = "instruction"

# Unicode's tag characters are invisible and spell text; only the flags of lands have a use for them.
_HIDDEN = re.compile("(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007e]")
_INVISIBLE = dict.fromkeys(
    (*range(9), *range(14, 32), 0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF)
)
# Letters of other alphabets that look like these; a word all of another alphabet turns into none that means anything.
_LOOK_ALIKES = str.maketrans("асеоріхуѕԁɡһѵԛԝοαεινρτυκ", "aceopixysdghvqwoaeivptuk")
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc\u00b4", "''''")
# A tag by itself in backticks is spoken of, not used; it is escaped where the block is written in any case.
_MENTIONED = re.compile(r"`</?[\w:-]{1,40}>`")
_JOINED = str.maketrans("-_", "  ")
_FORBIDDEN = re.compile(
    r"\b(?:never|not|n't|dont|cannot|nor|without|avoid|refuse to|nunca|jamais|nao|no|sin|sem|ne|prevents?|blocks?"
    r"|rejects?)"
    r"(?: (?!hesitate|forget|fail|only|only to)\w+){0,5} $"
)


# Where a word begins, or what is none does.
_WORD = r"(?<!\w)"
# How far apart what belongs to one order may stand, in characters.
_NEAR = 120
# Signs that stand for letters, in a word that has letters too.
_LEET = str.maketrans("013457@$", "oieastas")
_LEET_WORD = re.compile(r"(?<![a-z0-9@$])(?=[a-z013457@$]{0,20}[013457@$][a-z])[a-z013457@$]{4,20}(?![a-z0-9@$])")
_SPELLED = re.compile(r"(?<![^\s])(?:\w[ _.-]){5,}\w(?![^\s])")
_SENTENCE = re.compile(r"[.!?;][\s\"')]|[\u3002\uff01\uff1f\u0964]|\n\s*\n|\n\s*(?=[-*#>|]|\d{1,3}[.)])")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{24,4000}={0,2}(?![A-Za-z0-9+/=])")
# The most tokens of Base64 that are decoded: more are a blob.
_DECODED = 8

_Row = TypeVar("_Row")

_TAGS = by_hint(TAGS)
_ALWAYS = by_hint(english.ALWAYS + romance.ALWAYS)
_FORBIDDABLE = by_hint(english.FORBIDDABLE + romance.FORBIDDABLE)
_SAYINGS = by_hint(SAYINGS)
_FOREIGN = by_hint((tuple(map(fold, done)), tuple(map(fold, named))) for done, named in FOREIGN)
_ORDERS = by_hint((hints, (senses, forbiddable)) for hints, senses, forbiddable in ORDERS)
_OF_SENTENCES = _SAYINGS.keys() | _FOREIGN.keys() | _ORDERS.keys()
_HINTS = tuple(sorted(_OF_SENTENCES | _ALWAYS.keys() | _FORBIDDABLE.keys()))


def flags_of(text: str) -> tuple[str, ...]:
    """Return ``("instruction",)`` for text that poses as the system or orders the model about, else ``()``."""
    return (INSTRUCTION,) if _is_order(text) or any(map(_is_order, _hidden_in(text))) else ()


def _is_order(text: str) -> bool:
    return _poses(text) or any(map(_orders, _spellings(text)))


def _poses(text: str) -> bool:
    if not text.isascii() and _HIDDEN.search(text):
        return True
    seen = _MENTIONED.sub("", text.translate(_INVISIBLE))
    return any(_compiled(pattern, "").search(seen) for hint in _TAGS if hint in seen for pattern in _TAGS[hint])


def _spellings(text: str) -> set[str]:
    """Return the text folded, and folded with look-alikes and signs replaced by the letters that they stand for."""
    folded = fold(text.translate(_INVISIBLE)).translate(_APOSTROPHES)
    return {folded, folded.translate(_LOOK_ALIKES), _respelled(folded)}


def _respelled(folded: str) -> str:
    """Return the text with letters for the signs that stand for them, and spelled-out words joined."""
    joined = _SPELLED.sub(lambda found: found.group()[::2], folded)
    return _LEET_WORD.sub(lambda found: _letters_of(found.group()), joined)


def _letters_of(word: str) -> str:
    """Return the word in letters where most of it is letters; else it is a digest, or a number with a unit."""
    signs = sum(not each.isalpha() for each in word)
    return word.translate(_LEET) if 3 * signs <= len(word) + 1 else word


def _orders(spelling: str) -> bool:
    plain = " ".join(spelling.split())
    joined = plain.translate(_JOINED)
    hints = [hint for hint in _HINTS if hint in joined]
    return any(_has_phrase(each, hints) for each in {plain, joined}) or _says_order(spelling, hints)


def _has_phrase(plain: str, hints: list[str]) -> bool:
    if any(_compiled(pattern).search(plain) for pattern in _rows(_ALWAYS, hints)):
        return True
    return any(
        not _FORBIDDEN.search(_opening(plain, found.start()))
        for pattern in _rows(_FORBIDDABLE, hints)
        for found in _compiled(pattern).finditer(plain)
    )


def _rows(table: dict[str, list[_Row]], hints: list[str]) -> set[_Row]:
    return {row for hint in hints for row in table.get(hint, ())}


def _says_order(spelling: str, hints: list[str]) -> bool:
    telling = [hint for hint in hints if hint in _OF_SENTENCES]
    sentences = [" ".join(each.split()) for each in _SENTENCE.split(spelling)] if telling else []
    return any(_says(sentence, [hint for hint in telling if hint in sentence]) for sentence in sentences)


def _says(sentence: str, hints: list[str]) -> bool:
    return (
        any(_compiled(pattern).search(sentence) for pattern in _rows(_SAYINGS, hints))
        or any(any(word in sentence for word in named) for named in _rows(_FOREIGN, hints))
        or any(_holds_all(sentence, senses, forbiddable) for senses, forbiddable in _rows(_ORDERS, hints))
    )


def _holds_all(sentence: str, senses: tuple[str, ...], forbiddable: bool) -> bool:
    """Return whether the sentence has all senses near the first, and does not forbid that where ``forbiddable``."""
    first, *others = senses
    for found in _compiled(first, _WORD).finditer(sentence):
        near = sentence[max(0, found.start() - _NEAR) : found.end() + _NEAR]
        if all(_compiled(other, _WORD).search(near) for other in others):
            return not (forbiddable and _FORBIDDEN.search(_opening(sentence, found.start())))
    return False


def _hidden_in(text: str) -> list[str]:
    """Return what tokens of Base64 decode to, where that is text."""
    from base64 import b64decode

    said = []
    for found in list(_BASE64.finditer(text))[:_DECODED]:
        try:
            decoded = b64decode(found.group() + "=" * (-len(found.group()) % 4)).decode()
        except ValueError:
            continue
        if decoded.isprintable():
            said.append(decoded)
    return said


def _opening(plain: str, at: int) -> str:
    """Return the sentence before this place, at most 80 characters of it."""
    before = plain[max(0, at - 80) : at]
    return re.split(r"[.!?;:] ", before)[-1]


@cache
def _compiled(pattern: str, start: str = r"\b") -> re.Pattern[str]:
    return re.compile(f"{start}(?:{pattern})")
