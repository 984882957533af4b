"""Text that reads as an instruction to the model, by the patterns in ``framework/words``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import TypeVar

from limpet.ground.safety.hints import by_hint
from limpet.ground.safety.patterns import compiled
from limpet.ground.text.folding import fold
from limpet.ground.text.word_lists import read_words
from limpet.ground.values import Value

INSTRUCTION = "instruction"
HIDDEN = "(not shown: it reads like an instruction)"
Told = TypeVar("Told", bound=Value)

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
_JOINING = str.maketrans("-_", "  ")
# Signs that stand for letters, in a word that has letters too.
_LEET = str.maketrans("013457@$", "oieastas")
_LEET_WORD = re.compile(r"(?<![a-z0-9@$])(?=[a-z013457@$]{0,20}[013457@$][a-z])[a-z013457@$]{4,20}(?![a-z0-9@$])")
_SPELLED = re.compile(r"(?<![^\s])(?:\w[ _.-]){5,}\w(?![^\s])")
_SENTENCE = re.compile(r"[.!?;][\s\"')]|[\u3002\uff01\uff1f\u0964]|\n\s*\n|\n\s*(?=[-*#>|]|\d{1,3}[.)])")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{24,4000}={0,2}(?![A-Za-z0-9+/=])")
# The most tokens of Base64 that are decoded: more are a blob.
_DECODED = 8
# How far apart what belongs to one order may stand, and how far before it what forbids it, in characters.
_NEAR, _BEFORE = 120, 80

_ORDERS, _ALWAYS, _ELSEWHERE = "orders", "orders that nobody only forbids", "elsewhere"
_WORDS = read_words("words/orders")
_TAGS = read_words("words/tags")
_GROUP = re.compile(r"\b[A-Z]{2,}\b")
# What a pattern begins with: one of several pieces of text, or one; what may be missing is no part of it.
_FIRST = re.compile(r"\(\?:([^()]+)\)(?![?*{])")
_LITERAL = re.compile(r"(?:[^A-Z\\\[\](){}?*+|.^$]|\\\.)*(?![?*{])")


Order = tuple[str, tuple[str, ...], str]
"""A part of a row, those that a sentence must have near it, and the section that the row stands in."""


def flags_of(text: str) -> tuple[str, ...]:
    """``("instruction",)`` for text that poses as the system or orders the model about, else ``()``."""
    return (INSTRUCTION,) if _is_order(text) or any(map(_is_order, _hidden_in(text))) else ()


def withheld(told: Told, *texts: str, flagged: bool = False) -> Told:
    """What an agent is handed: without these fields, where one of them reads like an instruction or the whole is
    ``flagged``; the first says so."""
    if not (flagged or flags_of(told_in(told, texts))):
        return told
    empty = {name: "" if isinstance(getattr(told, name), str) else () for name in texts}
    return told.replace(**{**empty, texts[0]: HIDDEN})


def told_in(told: Value, texts: Iterable[str]) -> str:
    """The texts of these fields, each in a paragraph of its own."""
    said: list[str] = []
    for name in texts:
        value = getattr(told, name)
        said += [value] if isinstance(value, str) else map(str, value)
    return "\n\n".join(said)


@cache
def orders() -> tuple[tuple[tuple[str, ...], Order], ...]:
    """Each behind its hints: pieces of text with one of which its first pattern begins."""
    found = []
    for section in (_ORDERS, _ALWAYS, _ELSEWHERE):
        for row in _WORDS[section]:
            first, *others = row.split(" & ")
            found.append((_openings(first), (first, tuple(others), section)))
    return tuple(found)


@cache
def matcher(part: str, section: str) -> re.Pattern[str]:
    return re.compile(fold(part) if section == _ELSEWHERE else rf"(?<!\w)(?:{_spelled_out(part)})(?!\w)")


def _is_order(text: str) -> bool:
    return _poses(text) or any(map(_orders, _spellings(text)))


def _poses(text: str) -> bool:
    if not text.isascii() and _HIDDEN.search(text):
        return True
    seen = _MENTIONED.sub("", text.translate(_INVISIBLE))
    for sign, patterns in _TAGS.items():
        if (sign == "always" or sign in seen) and any(compiled(pattern).search(seen) for pattern in patterns):
            return True
    return False


def _spellings(text: str) -> set[str]:
    folded = fold(text.translate(_INVISIBLE)).translate(_APOSTROPHES)
    joined = _SPELLED.sub(lambda found: found.group()[::2], folded)
    respelled = _LEET_WORD.sub(lambda found: _letters_of(found.group()), joined)
    return {folded, folded.translate(_LOOK_ALIKES), respelled}


def _letters_of(word: str) -> str:
    signs = sum(not each.isalpha() for each in word)
    return word.translate(_LEET) if 3 * signs <= len(word) + 1 else word


def _orders(spelling: str) -> bool:
    spaced = spelling.translate(_JOINING)
    table = _by_hint()
    hints = [hint for hint in table if hint in spaced]
    sentences = [" ".join(each.split()) for each in _SENTENCE.split(spaced)] if hints else []
    for sentence in sentences:
        orders: set[Order] = set()
        for hint in hints:
            if hint in sentence:
                orders.update(table[hint])
        if any(_holds(order, sentence) for order in orders):
            return True
    return False


def _holds(order: Order, sentence: str) -> bool:
    first, others, section = order
    needed = 0
    for found in matcher(first, section).finditer(sentence):
        begin, end = max(0, found.start() - _NEAR), found.end() + _NEAR
        if end <= needed:
            continue
        near = sentence[begin:end]
        missing = next((other for other in others if not matcher(other, section).search(near)), None)
        if missing is not None:
            # Nothing before its next place is near enough: each part of the sentence is searched once.
            following = matcher(missing, section).search(sentence, begin)
            if following is None:
                return False
            needed = following.start()
        else:
            before = re.split(r"[.!?;:] ", sentence[max(0, found.start() - _BEFORE) : found.start()])[-1]
            if not (section == _ORDERS and _forbidding().search(before)):
                return True
    return False


def _hidden_in(text: str) -> list[str]:
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


@cache
def _by_hint() -> dict[str, list[Order]]:
    return by_hint(orders())


@cache
def _openings(pattern: str) -> tuple[str, ...]:
    group = _GROUP.match(pattern)
    if group:
        return tuple(sorted(set(chain.from_iterable(map(_openings, _WORDS[group[0]])))))
    first = _FIRST.match(pattern)
    found = set()
    for start in map(_LITERAL.match, first[1].split("|") if first else [pattern]):
        if start:
            piece = start[0].replace("\\.", ".")
            found.add(piece if piece.isascii() else fold(piece))
    return tuple(sorted(found))


@cache
def _spelled_out(pattern: str) -> str:
    return _GROUP.sub(lambda name: f"(?:{'|'.join(map(_spelled_out, _WORDS[name[0]]))})", pattern)


@cache
def _forbidding() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){_spelled_out('FORBIDDEN')}(?: (?!hesitate|forget|fail|only|only to)\w+){{0,5}} $")
