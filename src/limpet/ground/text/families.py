"""The family of a keyword: the stems of its derivations, of its cognates in Portuguese, Spanish and French, and of the
short forms of the trade. Endings and words are data: ``framework/words/families``. Separate from ``stems``, which a
prompt pays for: a family is made when rules are compiled."""

from __future__ import annotations

from functools import cache

from limpet.ground.text.stems import stem
from limpet.ground.text.word_lists import read_words

_WORDS = read_words("words/families")
# Ending -> how many letters must stand before it, and what may stand in its place.
_ENDINGS = {ending: (int(least), others) for ending, least, *others in map(str.split, _WORDS["endings"])}
_LONGEST = max(map(len, _ENDINGS))
_LAST_TWO = frozenset([ending[-2:] for ending in _ENDINGS])
_SPELLINGS = [line.split() for line in _WORDS["spellings"]]
_ACRONYMS = frozenset(_WORDS["acronyms"])


def relatives(word: str) -> tuple[str, ...]:
    """Stems, without the word's own, and ``=`` with a word that is meant in this form only; none for what is no plain
    word."""
    if not (word.isascii() and word.isalnum()):
        return ()
    own = stem(word)
    bases = _bases(word)
    made = [*_known().get(own, ())]
    for base in bases:
        made += _derivations(base)
    for each in (*bases, *made):
        made += _spellings(each)
    made += [f"{word}s"] if word in _ACRONYMS else []
    found = dict.fromkeys(each if each[0] == "=" else stem(each) for each in made)
    return tuple(each for each in found if each != own and (own, each) not in _apart())


@cache
def _known() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in map(str.split, (*_WORDS["short forms"], *_WORDS["kin"])):
        for word in line:
            if word[0] != "=":
                found.setdefault(stem(word), []).extend(other for other in line if other != word)
    for verb, tool in map(str.split, _WORDS["tools"]):
        found.setdefault(stem(verb), []).append(tool)
    return found


@cache
def _apart() -> set[tuple[str, str]]:
    return {(stem(word), stem(other)) for word, other in map(str.split, _WORDS["apart"])}


def _bases(word: str) -> list[str]:
    if word.endswith("ies"):
        return [f"{word[:-3]}y"]
    if word.endswith("ing") and len(word) > 6:
        return [word[:-3], f"{word[:-3]}e"]
    return [word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word]


def _derivations(word: str) -> list[str]:
    if word[-2:] not in _LAST_TWO:
        return []
    for size in range(min(_LONGEST, len(word) - 2), 0, -1):
        found = _ENDINGS.get(word[-size:])
        if found is not None and len(word) - size >= found[0]:
            return [f"{word[:-size]}{ending}" for ending in found[1]]
    return []


def _spellings(word: str) -> list[str]:
    if len(word) < 6:
        return []
    found = [word.replace(here, there) for here, there in _SPELLINGS if here in word]
    if "y" in word[1:-1]:
        found.append(word[0] + word[1:-1].replace("y", "i") + word[-1])
    if len(word) >= 8 and word[0] == "s" and word[1] in "cpt":  # Spanish puts an "e" before it
        found += [f"e{each}" for each in (word, *found)]
    return found
