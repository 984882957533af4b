"""Letters in the one form in which words are compared, and scripts whose words no spaces part."""

from __future__ import annotations

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


def fold(text: str) -> str:
    """Lower case without accents; scripts whose marks carry meaning keep theirs."""
    if text.isascii():
        return text.lower()
    import unicodedata

    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", "".join(c for c in apart if not "\u0300" <= c <= "\u036f"))


def is_unspaced(text: str) -> bool:
    """Han, Kana, Thai, Lao, Khmer or Myanmar."""
    if text.isascii():
        return False
    return any(map(_is_of_unspaced, map(ord, text)))


def _is_of_unspaced(code: int) -> bool:
    return code >= _ASTRAL_HAN or any(low <= code <= high for low, high in _UNSPACED)
