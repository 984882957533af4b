"""Text that reads as an order to the model: flagged where it enters the memory, so that it is never more than data."""

from __future__ import annotations

import re
from functools import cache

from holdfast.ground.instruction_patterns import ALWAYS, FORBIDDABLE, TAGS
from holdfast.ground.words import fold

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


def flags_of(text: str) -> tuple[str, ...]:
    """``("instruction",)`` for text that poses as the system or orders the model about, else ``()``."""
    return (INSTRUCTION,) if _poses(text) or _orders(text) else ()


def _poses(text: str) -> bool:
    if _HIDDEN.search(text):
        return True
    seen = _MENTIONED.sub("", text.translate(_INVISIBLE))
    return any(_compiled(pattern, "").search(seen) for pattern in TAGS)


def _orders(text: str) -> bool:
    plain = " ".join(fold(text.translate(_INVISIBLE)).translate(_APOSTROPHES).split())
    return any(map(_holds_order, {plain, plain.translate(_LOOK_ALIKES), plain.translate(_JOINED)}))


def _holds_order(plain: str) -> bool:
    if any(_compiled(pattern).search(plain) for pattern in ALWAYS):
        return True
    return any(
        not _FORBIDDEN.search(_opening(plain, found.start()))
        for pattern in FORBIDDABLE
        for found in _compiled(pattern).finditer(plain)
    )


def _opening(plain: str, at: int) -> str:
    """What the sentence says before this place, at most 80 characters of it."""
    before = plain[max(0, at - 80) : at]
    return re.split(r"[.!?;:] ", before)[-1]


@cache
def _compiled(pattern: str, start: str = r"\b") -> re.Pattern[str]:
    return re.compile(f"{start}(?:{pattern})")
