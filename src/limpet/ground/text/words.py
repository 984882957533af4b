"""The words of a text in any script, folded."""

from __future__ import annotations

SYMBOLS = "+#"
# What words of ASCII are made of.
ASCII_WORDS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x2E80, 0x2FDF),
    (0x3040, 0x31FF),
    (0x3400, 0x9FFF),
    (0xF900, 0xFAFF),
)
_ASTRAL_HAN = 0x20000


def keep_only(kept: bytes) -> bytes:
    """Return a table for ``bytes.translate`` that makes a space of every byte but these."""
    table = bytearray(b" " * 256)
    for code in kept:
        table[code] = code
    return bytes(table)


_IN_WORDS = keep_only(ASCII_WORDS)


def fold(text: str) -> str:
    """Return the text in lower case without accents; scripts whose marks carry meaning keep theirs."""
    if text.isascii():
        return text.lower()
    import unicodedata

    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", "".join(c for c in apart if not "\u0300" <= c <= "\u036f"))


def split_words(folded: str) -> list[str]:
    """Return the words of a folded text in order; a combining mark belongs to its word."""
    if folded.isascii():
        return folded.encode("ascii").translate(_IN_WORDS).decode("ascii").split()
    import unicodedata

    kept = [c if c.isalnum() or (c > "\u02ff" and unicodedata.category(c)[0] == "M") else " " for c in folded]
    return "".join(kept).split()


def is_unspaced(text: str) -> bool:
    """Return True for a text with a script that is written without spaces (Han, Kana, Thai, Lao, Khmer, Myanmar)."""
    if text.isascii():
        return False
    return any(code >= _ASTRAL_HAN or any(low <= code <= high for low, high in _UNSPACED) for code in map(ord, text))
