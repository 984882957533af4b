"""Words in other scripts than Latin: those without spaces cut by the words of ``framework/words/scripts``, and words
without their endings. Separate from ``words``, since a Latin prompt needs none of it."""

from __future__ import annotations

from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import fold, is_unspaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_FILE = "words/scripts"
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
_read: dict[str, frozenset[str]] = {}
_affixes_read: dict[str, dict[str, int]] = {}


def is_cut(word: str) -> bool:
    """Its parts are compared rather than the word, for spaces part no words there, or not always the same."""
    return is_unspaced(word) or _is_hangul(word)


def cut(word: str) -> list[str]:
    """Return the words of a folded run of a script without spaces: those that are known, and of what stands between
    them kana as a word and of other characters every two."""
    found: list[str] = []
    for piece in _pieces(word):
        if piece in _lexicon() or _kind(piece[0]):
            found.append(piece)
        else:
            units = _units(piece)
            found += ["".join(units[at : at + 2]) for at in range(0, len(units), 2)]
    return found


def group_terms(word: str) -> list[tuple[str, ...]]:
    """Return the terms of each word of a folded run, that which says most first. Of what no space parts, two characters
    are a word as often as not, and the pair across two words is none: one word counts either."""
    if _is_hangul(word):
        bare = strip_endings(word)
        return [] if _is_stop(word, bare) else [_whole(list(bare))]
    said = [piece for piece in _pieces(word) if not (piece in stop_words() or _is_particle(piece))]
    found: list[tuple[str, ...]] = []
    for piece in said:
        units = _units(piece)
        if _kind(piece[0]):
            found.append(_whole(units))
        else:
            pairs = ["".join(pair) for pair in zip(units, units[1:], strict=False)] or [piece]
            found += [tuple(pairs[at : at + 2]) for at in range(0, len(pairs), 2)]
    return found


def strip_endings(word: str) -> str:
    """Return a folded word without its article, case, number and tense, as far as letters tell them."""
    word = word.translate(_ALIKE) or word
    beginnings, endings = _affixes("beginnings"), _affixes("endings")
    for size in range(min(3, len(word) - 1), 0, -1):
        if len(word) - size >= beginnings.get(word[:size], len(word)):
            word = word[size:]
            break
    for size in range(min(max(map(len, endings)), len(word) - 1), 0, -1):
        if len(word) - size >= endings.get(word[-size:], len(word)):
            return word[:-size]
    return word


def stop_words() -> frozenset[str]:
    return _known("stops", _section)


def usual_terms() -> frozenset[str]:
    """Terms of requests about anything."""
    return _known("usual", _terms_of)


def common_terms() -> frozenset[str]:
    return _known("common", _terms_of)


def _pieces(word: str) -> list[str]:
    """Cut at known words, and where kana and others take turns."""
    units = _units(word)
    lexicon, shortest = _lexicon(), 2 if any(map(_kind, word)) else 1
    longest = max(map(len, lexicon))
    found: list[str] = []
    start = at = 0
    while at < len(units):
        for size in range(min(longest, len(units) - at), shortest - 1, -1):
            known = "".join(units[at : at + size])
            if known in lexicon and not _is_of_borrowed(units, at, at + size):
                found += [*_turns("".join(units[start:at])), known]
                at += size
                start = at
                break
        else:
            at += 1
    return [*found, *_turns("".join(units[start:]))]


def _is_of_borrowed(units: list[str], start: int, end: int) -> bool:
    """A part of a word that was borrowed is not the word: a database is no data."""
    around = (units[at - 1 : at + 1] for at in (start, end) if 0 < at < len(units))
    return any(_kind(one) == _kind(other) == _KATAKANA for one, other in around)


def _turns(text: str) -> list[str]:
    found: list[str] = []
    for before, sign in zip(text[:1] + text, text, strict=False):
        if not found or _kind(sign) != _kind(before):
            found.append("")
        found[-1] += sign
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
    pairs = (f"{one}{other}" for one, other in zip(units, units[1:], strict=False))
    return tuple(dict.fromkeys(("".join(units).rstrip("\u30fc"), *pairs)))


def _is_particle(piece: str) -> bool:
    return len(piece) < _SHORTEST_HIRAGANA and all(_kind(sign) == _HIRAGANA for sign in piece)


def _is_stop(*forms: str) -> bool:
    return not stop_words().isdisjoint(forms)


def _section(name: str) -> list[str]:
    return fold(" ".join(read_words(_FILE)[name])).split()


def _lexicon() -> frozenset[str]:
    return _known("stops usual common whole", lambda names: [word for name in names.split() for word in _section(name)])


def _affixes(name: str) -> dict[str, int]:
    """Beginning or ending -> how many letters must stay."""
    if name not in _affixes_read:
        found = _affixes_read[name] = dict[str, int]()
        for line in read_words(_FILE)[name]:
            least, *affixes = fold(line).split()
            found.update(dict.fromkeys((affix.translate(_ALIKE) or affix for affix in affixes), int(least)))
    return _affixes_read[name]


def _terms_of(name: str) -> list[str]:
    from limpet.ground.text.stems import stem

    words = _section(name)
    cut_apart = [group[0] for word in words if is_unspaced(word) for group in group_terms(word)]
    return [*cut_apart, *map(stem, words)]


def _known(name: str, read: Callable[[str], Iterable[str]]) -> frozenset[str]:
    if name not in _read:
        _read[name] = frozenset(read(name))
    return _read[name]
