"""Estimates the tokens of a text without a tokenizer: every block is fitted into its budget by this count. The text is
seen in a few ways, each one byte a character, and the occurrences of some patterns are weighed.
``bench/tokens_calibrate.py`` makes the weights; the tables below say what the letters of a pattern stand for."""

from __future__ import annotations

RESERVE = 0.15

COSTS: dict[str, dict[bytes, float]] = {
    "kinds": {
        b"A": 0.67, b"k": 0.59,
    },
    "shapes": {
        b"a": 0.24, b"aaaaaaaaaaaa": 3.11, b"9": 0.78, b"p": 0.21, b"s": 0.02, b"t": 1.56,
        b"n": 0.13, b"s9": 0.66, b"9p": 0.95, b"sp": 1.54, b"ap": 0.67, b"np": 0.75, b"nss": 1.04,
    },
    "sounds": {
        b"o ": 0.98, b"c ": 0.50, b"ccc": 1.10,
    },
    "beyond": {
        b"f": 1.95, b"g": 1.32, b"l": 2.00, b"m": 2.20,
    },
    "scripts": {
        b"G": 0.79, b"R": 0.46, b"S": 0.86, b"I": 1.05, b"J": 2.40, b"M": 1.25, b"V": 0.80,
        b"P": 2.84, b"Y": 2.60, b"B": 1.30, b"K": 0.92, b"C": 1.09, b"H": 1.47, b"Z": 1.75,
        b"W": 1.43, b"?": 3.00,
    },
}  # fmt: skip
_ASCII_KINDS = b"oebkA9pstn"


def estimate_tokens(text: str, reserve: float = RESERVE) -> int:
    """A cautious count for the model family that needs most tokens; 0 for "".

    ``reserve`` is the share added to the plain estimate. The line break that will join the text to the next one is
    counted in, so a sum of estimates bounds the whole: ``estimate(a + "\\n" + b) <= estimate(a) + estimate(b) + 2``.
    Any str will do, lone surrogates too. Blind spot: long runs of one unusual sign ("@@@@").
    """
    if not text:
        return 0
    tokens = 0.0
    for name, view in views(text).items():
        count = view.count
        for pattern, cost in COSTS[name].items():
            tokens += count(pattern) * cost
    return -int(-tokens * (1 + reserve) // 1)


def typical_tokens(cautious: int, reserve: float) -> int:
    """What is shown of a count that has the reserve in it: budgets take the most that it may be, people the usual."""
    return round(cautious / (1 + reserve))


def views(text: str) -> dict[str, bytes]:
    """As the patterns of COSTS see the text and a closing line break: view -> one byte for each character."""
    kinds = (text + "\n").encode("utf-8", "surrogatepass").translate(_KINDS, _CONTINUATION)
    seen = {"kinds": kinds, "shapes": kinds.translate(_SHAPES), "sounds": kinds.translate(_SOUNDS)}
    if not text.isascii():
        seen["beyond"] = kinds.translate(None, _ASCII_KINDS)
        seen["scripts"] = text.encode("utf-16-be", "surrogatepass")[::2].translate(_SCRIPTS)
    return seen


def _table(other: bytes, classes: dict[bytes, bytes]) -> bytes:
    table = bytearray(other * 256)
    for letter, members in classes.items():
        for member in members:
            table[member] = letter[0]
    return bytes(table)


def _span(first: int, last: int) -> bytes:
    return bytes(range(first, last + 1))


# By first UTF-8 byte: capitals A; vowels o (a i o u) and e (e y); consonants b and, rare in English, k; Latin letters
# beyond ASCII f and g; signs l and marks m of two bytes; x for whatever `scripts` weighs.
_KINDS = _table(
    b"p",
    {
        b"o": b"aiou", b"e": b"ey", b"b": b"bcdfghlmnprst", b"k": b"jkqvwxz", b"A": _span(0x41, 0x5A),
        b"9": b"0123456789", b"s": b" ", b"t": b"\t", b"n": b"\n\r", b"x": _span(0xCE, 0xFF),
        b"l": b"\xc2", b"f": b"\xc3", b"g": _span(0xC4, 0xCA), b"m": b"\xcb\xcc\xcd",
    },
)  # fmt: skip
_CONTINUATION = _span(0x80, 0xBF)
_SHAPES = _table(b"x", {b"a": b"oebkfgA", b"9": b"9", b"p": b"p", b"s": b"s", b"t": b"t", b"n": b"n"})
_SOUNDS = _table(b" ", {b"o": b"o", b"e": b"efgA", b"c": b"bk"})
# By high UTF-16 byte. "?" is every script that is written byte by byte for want of a measured cost, Z half a pair.
_SCRIPTS = _table(
    b"?",
    {
        b" ": _span(0x00, 0x02), b"G": b"\x03", b"R": b"\x04", b"S": b"\x05\x06", b"I": b"\x09\x0b\x0e",
        b"J": b"\x0a\x0c", b"M": b"\x0d\x10\x17", b"V": b"\x1e", b"P": b"\x20",
        b"Y": b"\x21\x22\x23\x24\x26\x27", b"B": b"\x25", b"K": b"\x30", b"W": b"\xff",
        b"C": _span(0x4E, 0x9F), b"H": _span(0xAC, 0xD7), b"Z": _span(0xD8, 0xDF),
    },
)  # fmt: skip
