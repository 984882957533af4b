"""One canonical stem for a word of en, pt, es, fr or de, by taking plain endings off. Apart from ``ground.words``,
which spreads a short keyword out into all its near forms: an index needs each word to have exactly one."""

from __future__ import annotations

from holdfast.ground.text.stop_words import STOP_WORDS

_VOWELS = frozenset("aeiouy")
_KEPT = 4


def stem(word: str) -> str:
    """Return the stem of a folded word. What is no plain word, is short or says nothing stays as it is, and no other
    word becomes one that says nothing."""
    if len(word) < 4 or word in STOP_WORDS or not (word.isascii() and word.isalpha()):
        return word
    found = _trim(_trim_end(_trim(_trim_participle(_trim(word, _PLURALS)), _NOUNS_AND_PARTICIPLES)), _VERBS)
    return word if found in STOP_WORDS else found


def _trim(word: str, endings: dict[str, tuple[str, int]]) -> str:
    """Return the word with its longest known ending replaced, where enough is left before it."""
    for size in (7, 6, 5, 4, 3, 2, 1):
        replacement = endings.get(word[-size:])
        if replacement is not None and len(word) - size >= replacement[1]:
            return word[:-size] + replacement[0]
    return word


def _trim_participle(word: str) -> str:
    """Without "-ing" and "-ed": what they took from the verb, a doubled consonant or an "e", is made good."""
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and root[-1:] != "e" and not _VOWELS.isdisjoint(root):
            if len(root) > 2 and root[-1] == root[-2] and root[-1] not in "lsz":
                return root[:-1]
            return root + "e" if _ends_short(root) else root
    return word


def _trim_end(word: str) -> str:
    """Without a last vowel, but where it tells one short word from another ("plane", "data")."""
    if len(word) > _KEPT and word[-1] in "aeo" and not _ends_short(word[:-1]):
        return word[:-1]
    return word


def _ends_short(root: str) -> bool:
    """Return whether the root is one syllable that ends in vowel and consonant: its "e" was silent ("hik-ing",
    "us-ed")."""
    vowel_last_but_one = len(root) > 1 and root[-2] in _VOWELS and root[-1] not in "aeiouywx"
    return vowel_last_but_one and all(letter not in _VOWELS for letter in root[:-2])


def _table(least: int, pairs: str) -> dict[str, tuple[str, int]]:
    """Of "ies:y ions:ion": each ending with its replacement and how many letters must stand before it."""
    return {ending: (new, least) for ending, _, new in (pair.partition(":") for pair in pairs.split())}


_PLURALS = {
    **_table(3, "s"),
    **_table(2, "ies:y ied:y"),
    **_table(2, "ss:ss us:us is:is"),
    **_table(2, "xes:x"),
    **_table(3, "sses:ss ches:ch shes:sh zes:ze coes:cao soes:sao aes:ao"),
    **_table(3, "ciones:cion siones:sion ungen:ung ionen:ion eiten:eit eaux:eau"),
}
_NOUNS_AND_PARTICIPLES = {
    **_table(3, "tion:t cion:c"),
    **_table(_KEPT, "cao:c sao:s acao ization:iz izacao:iz izacion:iz isation:iz acion sion:s ssion:ss"),
    **_table(_KEPT, "ando endo iendo indo ado ada ido ida aram eram iram aron ieron ava avam aba aban ee ees ez ly"),
    **_table(5, "ation ador edor idor ment ness mente ement ung"),
}
# "-er" goes only where a long word is left: "server", but not "paper".
_VERBS = {**_table(_KEPT, "ar er ir ou"), **_table(5, "at ator en ern")}
