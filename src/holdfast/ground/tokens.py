"""How many tokens a text costs, estimated without a tokenizer: every block is fitted into its budget by this count.

The text is seen in four ways, each one byte a character, and the occurrences of a few patterns are weighed.
``bench/tokens_calibrate.py`` makes the weights.
"""

from __future__ import annotations

RESERVE = 0.15

COSTS: dict[str, dict[bytes, float]] = {
    "kinds": {
        b"A": 0.66, b"k": 0.61,
    },
    "shapes": {
        b"a": 0.24, b"aaaaaaaaaaaa": 3.00, b"9": 0.82, b"p": 0.28, b"s": 0.02, b"t": 1.89, b"n": 0.36,
        b"s9": 1.28, b"p9": 0.67, b"sp": 1.30, b"pa": 0.57, b"ss": 0.3, b"nss": 1.25,
    },
    "sounds": {
        b"o ": 0.99, b"c ": 0.54, b"ccc": 0.86,
    },
    "beyond": {
        b"f": 2.49, b"g": 1.01, b"l": 2.00, b"m": 2.20,
    },
    "scripts": {
        b"G": 0.79, b"R": 0.46, b"S": 0.85, b"I": 0.94, b"J": 2.40, b"M": 1.25, b"V": 0.24, b"P": 3.03,
        b"Y": 2.60, b"B": 1.30, b"K": 0.92, b"C": 1.05, b"H": 1.47, b"Z": 1.75, b"W": 1.82, b"?": 3.00,
    },
}  # fmt: skip


def estimate_tokens(text: str, reserve: float = RESERVE) -> int:
    """A cautious count of the tokens of ``text`` for the model family that needs most of them; 0 for "".

    ``reserve`` is the share added to the plain estimate. The line break that will join the text to the next one is
    counted in, so a sum of estimates bounds the whole: ``estimate(a + "\\n" + b) <= estimate(a) + estimate(b) + 2``.
    Any str will do, lone surrogates too.
    """
    if not text:
        return 0
    tokens = sum(
        view.count(pattern) * cost
        for name, view in views(text).items()
        for pattern, cost in COSTS[name].items()
    )
    return -int(-tokens * (1 + reserve) // 1)


def views(text: str) -> dict[str, bytes]:
    """The text and a closing line break as the patterns of COSTS see it: view -> one byte for each character."""
    kinds = (text + "\n").encode("utf-8", "surrogatepass").translate(_KINDS, _CONTINUATION)
    seen = {"kinds": kinds, "shapes": kinds.translate(_SHAPES), "sounds": kinds.translate(_SOUNDS)}
    if not text.isascii():
        seen["beyond"] = kinds.translate(None, _ASCII_KINDS)
        seen["scripts"] = text.encode("utf-16-be", "surrogatepass")[::2].translate(_SCRIPTS)
    return seen


def _table(other: bytes, classes: dict[bytes, bytes]) -> bytes:
    """A ``bytes.translate`` table: each member to the letter of its class, all else to ``other``."""
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
_ASCII_KINDS = b"oebkA9pstn"
_CONTINUATION = _span(0x80, 0xBF)
_SHAPES = _table(b"x", {b"a": b"oebkfgA", b"9": b"9", b"p": b"p", b"s": b"s", b"t": b"t", b"n": b"n"})
_SOUNDS = _table(b" ", {b"o": b"o", b"e": b"efgA", b"c": b"bk"})
# By high UTF-16 byte. "?" is every script that is written byte by byte for want of a measured cost.
_SCRIPTS = _table(
    b"?",
    {
        b" ": _span(0x00, 0x02), b"G": b"\x03", b"R": b"\x04", b"S": b"\x05\x06", b"I": b"\x09\x0b\x0e",
        b"J": b"\x0a\x0c", b"M": b"\x0d\x10\x17", b"V": b"\x1e", b"P": b"\x20", b"Y": b"\x21\x22\x23\x24\x26\x27", b"B": b"\x25",
        b"K": b"\x30", b"C": _span(0x4E, 0x9F), b"H": _span(0xAC, 0xD7), b"Z": _span(0xD8, 0xDF), b"W": b"\xff",
    },
)  # fmt: skip
