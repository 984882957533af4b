"""Words of a text in any script, folded, and their plain inflections in five languages: keywords compare by them."""

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
# So many first letters an inflection leaves alone: else "dados" would meet "dar", and "unir" every "una".
_KEPT = 3


def fold(text: str) -> str:
    """Lower case without accents; scripts whose marks carry meaning keep theirs."""
    if text.isascii():
        return text.lower()
    import unicodedata

    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", "".join(c for c in apart if not "\u0300" <= c <= "\u036f"))


def split_words(folded: str) -> list[str]:
    """Return the words of a folded text in order; a combining mark belongs to its word."""
    if folded.isascii():
        return folded.encode("ascii").translate(_ASCII_WORDS).decode("ascii").split()
    import unicodedata

    kept = [c if c.isalnum() or (c > "\u02ff" and unicodedata.category(c)[0] == "M") else " " for c in folded]
    return "".join(kept).split()


def is_unspaced(text: str) -> bool:
    """Return whether the text holds a script that is written without spaces (Han, Kana, Thai, Lao, Khmer, Myanmar)."""
    if text.isascii():
        return False
    return any(code >= _ASTRAL_HAN or any(low <= code <= high for low, high in _UNSPACED) for code in map(ord, text))


def bases(word: str) -> tuple[str, ...]:
    """Return the word and its near forms (en, pt, es, fr, de); where two words are inflections of one, their bases
    meet."""
    if len(word) <= _KEPT or word in _UNRELATED or word.endswith("ss") or not word.isalpha():
        return (word,)
    found = [word]
    for size in _SIZES:
        replacements = _ENDINGS.get(word[-size:])
        if replacements:
            root = word[:-size]
            found += [root + new for new in replacements if _is_form(root + new, word)]
    if word.endswith(_DOUBLING):
        found += _undouble(word)
    return tuple(found)


def _is_form(form: str, word: str) -> bool:
    if form[:_KEPT] != word[:_KEPT] or form in _UNRELATED:
        return False
    return not (_VOWELS.isdisjoint(form) and form.isascii())


def _undouble(word: str) -> list[str]:
    root = word.removesuffix("ing").removesuffix("ed")
    single = root[:-1]
    return [single] if root[-2:-1] == root[-1:] != "s" and _is_form(single, word) else []


# Ending -> what stands in its place in a related form. Words come folded, so "ações" is met as "acoes".
# An ending is left out where taking it off would join words that have nothing to do with each other.
_ENGLISH = {
    "s": ("",),
    "ies": ("y", "ie"),
    "ses": ("s",),
    "xes": ("x",),
    "zes": ("z",),
    "ches": ("ch",),
    "shes": ("sh",),
    "oes": ("o",),
    "ices": ("ex", "ix"),
    "ed": ("", "e"),
    "ied": ("y",),
    "ing": ("", "e"),
    # Left out: "-er", "-ment" and "-able" make other words ("tester"); "-en" would join "list" and "listen".
}
# The present tense (-a, -e, -o) is not taken off, which would join "data" and "date" in "datar"; the infinitive is
# spread out instead, and meets each form. Not so "-er", which to English makes doers ("user"); and no past or future in
# "-ara", "-era", "-ia", which are the endings of too many nouns.
_PRESENT = ("a", "as", "am", "an", "e", "em", "en", "o")
_PORTUGUESE_AND_SPANISH = {
    # plurals
    "oes": ("ao",),
    "aes": ("ao",),
    "ais": ("al",),
    "eis": ("el", "il"),
    "ns": ("m",),
    "ces": ("z",),
    "des": ("d",),
    "les": ("l",),
    "nes": ("n",),
    "res": ("r",),
    # the feminine of endings that only adjectives have; "-a" for "-o" would join "lista" and "listo"
    "enta": ("ento",),
    "entas": ("ento",),
    "ica": ("ico",),
    "icas": ("ico",),
    "iva": ("ivo",),
    "ivas": ("ivo",),
    "osa": ("oso",),
    "osas": ("oso",),
    # verbs
    "ar": _PRESENT,
    "ir": _PRESENT,
    "car": ("que", "quem", "quen"),
    "gar": ("gue", "guem", "guen"),
    "zar": ("ce", "cen"),
    "uzir": ("uz",),
    "ucir": ("uzca",),
    "ando": ("ar",),
    "endo": ("er",),
    "iendo": ("er", "ir"),
    "indo": ("ir",),
    "ado": ("ar",),
    "ada": ("ado", "ar"),
    "ados": ("ado", "ar"),
    "adas": ("ado", "ar"),
    "ido": ("er", "ir"),
    "ida": ("ido", "er", "ir"),
    "idos": ("ido", "er", "ir"),
    "idas": ("ido", "er", "ir"),
    "amos": ("ar",),
    "emos": ("er",),
    "imos": ("ir",),
    "ei": ("ar",),
    "ou": ("ar",),
    "eu": ("er",),
    "iu": ("ir",),
    "io": ("er", "ir"),
    "aram": ("ar",),
    "eram": ("er",),
    "iram": ("ir",),
    "aron": ("ar",),
    "ieron": ("er", "ir"),
    "ava": ("ar",),
    "avam": ("ar",),
    "aba": ("ar",),
    "aban": ("ar",),
}
_FRENCH = {
    "aux": ("al", "au"),
    "eux": ("eu",),
    "ante": ("ant",),
    "antes": ("ant",),
    "ente": ("ent",),
    "entes": ("ent",),
    "elle": ("el",),
    "elles": ("el",),
    "ee": ("e", "er"),
    "ees": ("e", "er"),
    "ez": ("er",),
    "ent": ("er",),
    "ait": ("er",),
    "aient": ("er",),
    # Left out: "-ant" would join "tenant" and the Spanish "tener", "-ons" "buttons" and "butter", the feminines "-ale"
    # and "-e" "local" and "locale", "not" and "note". Of the present in "-e" only what English has no doers for.
    "ise": ("iser",),
    "ises": ("iser",),
    "ifie": ("ifier",),
    "ifies": ("ifier",),
    "uis": ("uire",),
    "uit": ("uire",),
    "uisent": ("uire",),
}
# The infinitive is spread out here too: taking "-t" and "-te" off would join "stat" and "state".
_GERMAN = {
    "en": ("e", "t", "et", "te", "ten", "ete", "eten"),
    "ern": ("er",),
    "eln": ("el",),
    # Only here is "-en" a plural of what has no "-e": elsewhere it would join "list" and "listen", and "-er" "test" and
    # "tester". Participles in "ge-" are left out: no ending tells them from English "get" and "gem".
    "ungen": ("ung",),
    "eiten": ("eit",),
    "ionen": ("ion",),
    "schaften": ("schaft",),
    "nzen": ("nz",),
    "iken": ("ik",),
    "innen": ("in",),
}
# English verbs that double a consonant: "stopped", "running"; not "ss", which would join "passed" and the French "pas".
_DOUBLING = ("ing", "ed")
# Words that look like a form of another and hardly ever are: they have no other forms, and are none.
_UNRELATED = frozenset(
    ("news", "evening", "ever", "later", "seed", "feed", "set")  # not new, even, event, latent, see, fee, setting
    + ("para", "entre", "sobre", "este", "esta", "esto", "estar", "nada", "par")  # parar, entrar, sobrar, estado, param
    + ("todos", "todas", "cuento", "daten")  # todo, cuenta, date
)


def _join(*tables: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    joined: dict[str, tuple[str, ...]] = {}
    for table in tables:
        for ending, replacements in table.items():
            joined[ending] = joined.get(ending, ()) + replacements
    return joined


_ENDINGS = _join(_ENGLISH, _PORTUGUESE_AND_SPANISH, _FRENCH, _GERMAN)
_SIZES = tuple(sorted({len(ending) for ending in _ENDINGS}))
