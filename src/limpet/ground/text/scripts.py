"""Words in other scripts than Latin: those without spaces cut by the words of ``framework/words/scripts``, and words
without their endings. Separate from ``words``, since a Latin prompt needs none of it."""

from __future__ import annotations

from limpet.ground.text.folding import fold, is_unspaced
from limpet.ground.text.word_lists import read_words

_HIRAGANA, _KATAKANA, _OTHER = "hiragana", "katakana", ""
# Vowels of Thai and Lao that stand before their consonant.
_LEADING = frozenset("\u0e40\u0e41\u0e42\u0e43\u0e44\u0ec0\u0ec1\u0ec2\u0ec3\u0ec4")
# Vowels and marks of Thai, Lao, Myanmar and Khmer that belong to the consonant before them.
_FOLLOWING = ((0xE30, 0xE3A), (0xE45, 0xE4E), (0xEB0, 0xEBD), (0xEC8, 0xECE), (0x102B, 0x103E), (0x17B4, 0x17D3))
# Hiragana of fewer characters are particles and endings.
_SHORTEST_HIRAGANA = 3
# Letters of Arabic and Hindi that are written in several ways, and marks that many leave out.
_ALIKE = str.maketrans(
    "\u0622\u0623\u0625\u0671\u0649\u0629\u0901",
    "\u0627\u0627\u0627\u0627\u064a\u0647\u0902",
    "\u0640\u093c" + "".join(map(chr, range(0x64B, 0x653))),
)
_WORDS = {name: [fold(line).split() for line in lines] for name, lines in read_words("words/scripts").items()}
# Beginning or ending -> how many letters must stay.
_BEGINNINGS, _ENDINGS = (
    {affix.translate(_ALIKE) or affix: int(least) for least, *affixes in _WORDS[name] for affix in affixes}
    for name in ("beginnings", "endings")
)
_LONGEST_AFFIX = 6
STOPS, _USUAL, _COMMON, _WHOLE, GENERAL = (
    frozenset(word for line in _WORDS[name] for word in line)
    for name in ("stops", "usual", "common", "whole", "general")
)
_LEXICON = STOPS | _USUAL | _COMMON | _WHOLE | GENERAL
_LONGEST = max(map(len, _LEXICON))


def is_cut(word: str) -> bool:
    """Its parts are compared rather than the word, for spaces part no words there, or not always the same."""
    return is_unspaced(word) or _is_hangul(word)


def cut(word: str) -> list[str]:
    """Return the words of a folded run of a script without spaces: those that are known, and of what stands between
    them kana as a word and of other characters every two."""
    found: list[str] = []
    for piece in _pieces(word):
        units = [piece] if piece in _LEXICON or _kind(piece[0]) else _units(piece)
        found += ["".join(units[at : at + 2]) for at in range(0, len(units), 2)]
    return found


def group_terms(word: str) -> list[tuple[str, ...]]:
    """Return the terms of each word of a folded run, that which says most first. Of what no space parts, two characters
    are a word as often as not, and the pair across two words is none: one word counts either."""
    if _is_hangul(word):
        bare = strip_endings(word)
        return [] if word in STOPS or bare in STOPS else [_whole(list(bare))]
    found: list[tuple[str, ...]] = []
    for piece in _pieces(word):
        units = _units(piece)
        kind = _kind(piece[0])
        if piece in STOPS or (kind == _HIRAGANA and len(piece) < _SHORTEST_HIRAGANA):
            continue
        if kind:
            found.append(_whole(units))
        else:
            pairs = _pairs(units) or [piece]
            found += [tuple(pairs[at : at + 2]) for at in range(0, len(pairs), 2)]
    return found


def strip_endings(word: str) -> str:
    """Return a folded word without its article, case, number and tense, as far as letters tell them."""
    word = word.translate(_ALIKE) or word
    sizes = range(min(_LONGEST_AFFIX, len(word) - 1), 0, -1)
    begin = next((size for size in sizes if len(word) - size >= _BEGINNINGS.get(word[:size], len(word))), 0)
    bare = word[begin:]
    return next((bare[:-size] for size in sizes if len(bare) - size >= _ENDINGS.get(bare[-size:], len(word))), bare)


def is_usual(term: str) -> bool:
    """The term stands in requests about anything."""
    return term in _USUAL_TERMS


def is_common(term: str) -> bool:
    return term in _COMMON_TERMS


def _pieces(word: str) -> list[str]:
    """Cut at known words, and where kana and others take turns. Single characters do not cut Japanese."""
    units = _units(word)
    shortest = 2 if any(map(_kind, word)) else 1
    found: list[str] = []
    start = at = 0
    while at < len(units):
        sizes = range(min(_LONGEST, len(units) - at), shortest - 1, -1)
        size = next((size for size in sizes if _is_known(units, at, at + size)), 0)
        if size:
            found += [*_turns(units[start:at]), "".join(units[at : at + size])]
            start = at + size
        at += size or 1
    return [*found, *_turns(units[start:])]


def _is_known(units: list[str], start: int, end: int) -> bool:
    """A part of a word that was borrowed is not the word: a database is no data."""
    around = (units[at - 1 : at + 1] for at in (start, end) if 0 < at < len(units))
    return "".join(units[start:end]) in _LEXICON and not any(
        _kind(one) == _kind(other) == _KATAKANA for one, other in around
    )


def _turns(units: list[str]) -> list[str]:
    found: list[str] = []
    for before, unit in zip(units[:1] + units, units, strict=False):
        if not found or _kind(unit) != _kind(before):
            found.append("")
        found[-1] += unit
    return found


def _kind(sign: str) -> str:
    if "\u3041" <= sign < "\u30a0":
        return _HIRAGANA
    return _KATAKANA if "\u30a0" <= sign < "\u3100" else _OTHER


def _units(word: str) -> list[str]:
    """Characters of Han or kana; of other scripts a consonant with its vowels and marks."""
    found: list[str] = []
    for sign in word:
        code = ord(sign)
        if found and (found[-1] in _LEADING or any(low <= code <= high for low, high in _FOLLOWING)):
            found[-1] += sign
        else:
            found.append(sign)
    return found


def _is_hangul(word: str) -> bool:
    return "\uac00" <= word[0] <= "\ud7a3"


def _whole(units: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(("".join(units).rstrip("\u30fc"), *_pairs(units))))


def _pairs(units: list[str]) -> list[str]:
    return [one + other for one, other in zip(units, units[1:], strict=False)]


def _terms_of(words: frozenset[str]) -> frozenset[str]:
    found = {group[0] for word in words if is_cut(word) for group in group_terms(word)}
    return words | found | frozenset(map(strip_endings, words))


_USUAL_TERMS, _COMMON_TERMS = map(_terms_of, (_USUAL, _COMMON))
