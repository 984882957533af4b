"""Words of a text in any script, folded, and their plain inflections in five languages: what keywords are
compared by."""

from __future__ import annotations

SYMBOLS = "+#"
_ASCII_WORDS = bytes(code if chr(code).isalnum() and code < 128 else 32 for code in range(256))
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
_VOWELS = frozenset("aeiouy")
_SHORTEST = 3


def fold(text: str) -> str:
    """Lower case without accents; scripts whose marks carry meaning keep theirs."""
    if text.isascii():
        return text.lower()
    import unicodedata

    apart = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in apart if not "\u0300" <= c <= "\u036f"))


def split_words(folded: str) -> list[str]:
    """The words of a folded text in order; a combining mark belongs to its word."""
    if folded.isascii():
        return folded.encode("ascii").translate(_ASCII_WORDS).decode("ascii").split()
    import unicodedata

    kept = [c if c.isalnum() or (c > "\u02ff" and unicodedata.category(c)[0] == "M") else " " for c in folded]
    return "".join(kept).split()


def is_unspaced(text: str) -> bool:
    """Whether the text holds a script that is written without spaces (Han, Kana, Thai, Lao, Khmer, Myanmar)."""
    if text.isascii():
        return False
    return any(code >= _ASTRAL_HAN or any(low <= code <= high for low, high in _UNSPACED) for code in map(ord, text))


def bases(word: str) -> tuple[str, ...]:
    """The word and the forms of which it may be a plain inflection (en, pt, es, fr, de); two words agree when
    theirs meet."""
    if len(word) <= _SHORTEST or not word.isalpha():
        return (word,)
    found = [word]
    for ending, replacements in _ENDINGS.get(word[-1], ()):
        if word.endswith(ending):
            stem = word[: len(word) - len(ending)]
            found.extend(stem + new for new in replacements if _is_stem(stem + new))
            if ending in ("ing", "ed") and stem[-1:] == stem[-2:-1] and _is_stem(stem[:-1]):
                found.append(stem[:-1])
    return tuple(dict.fromkeys(found))


def _is_stem(stem: str) -> bool:
    return len(stem) >= _SHORTEST and (not _VOWELS.isdisjoint(stem) or not stem.isascii())


# Ending -> what may stand in its place, kept by last letter so that a word meets only the endings it can have.
# Words are compared after folding, so "ações" is met as "acoes" and "geändert" as "geandert".
_RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    # plurals
    ("s", ("",)),
    ("es", ("", "e")),
    ("ies", ("y", "ie")),
    ("oes", ("ao",)),
    ("aes", ("ao",)),
    ("ais", ("al",)),
    ("eis", ("el", "il")),
    ("ns", ("m",)),
    ("ces", ("z",)),
    ("aux", ("al", "au")),
    ("eux", ("eu",)),
    ("en", ("", "e")),
    ("ern", ("er",)),
    ("n", ("",)),
    ("nen", ("n",)),
    # English verbs
    ("ed", ("", "e")),
    ("ied", ("y",)),
    ("ing", ("", "e")),
    ("ying", ("ie",)),
    # Portuguese and Spanish verbs
    ("ando", ("ar",)),
    ("endo", ("er",)),
    ("iendo", ("er", "ir")),
    ("indo", ("ir",)),
    ("ado", ("ar",)),
    ("ada", ("ar",)),
    ("ados", ("ar",)),
    ("adas", ("ar",)),
    ("ido", ("er", "ir")),
    ("ida", ("er", "ir")),
    ("idos", ("er", "ir")),
    ("idas", ("er", "ir")),
    ("ou", ("ar",)),
    ("amos", ("ar",)),
    ("emos", ("er",)),
    ("aram", ("ar",)),
    ("aron", ("ar",)),
    ("ei", ("ar",)),
    # French verbs
    ("ant", ("er",)),
    ("ees", ("er",)),
    ("ee", ("er",)),
    ("ez", ("er",)),
    ("ons", ("er",)),
    ("ent", ("er",)),
    # German verbs
    ("te", ("en",)),
    ("ten", ("en",)),
    ("t", ("en",)),
    ("tet", ("ten",)),
)


def _by_last_letter() -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    table: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for ending, replacements in _RULES:
        table.setdefault(ending[-1], []).append((ending, replacements))
    return table


_ENDINGS = _by_last_letter()
