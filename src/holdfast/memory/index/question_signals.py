"""Signals in a text that answer signals in a question: a date or time answers "when", a number "how many".

Words are folded; the languages are en, pt, es, fr and de.
"""

from __future__ import annotations

from holdfast.ground.text.words import fold, split_words

_WHEN = frozenset(("when", "quando", "cuando", "quand", "wann"))
_WHICH_TIME = frozenset(
    ("what date", "what day", "what year", "which day", "which month", "which year", "que dia", "que data", "que ano")
    + ("que fecha", "que mes", "quel jour", "quelle date", "quelle annee", "welchem jahr", "welchem tag")
)
_HOW_MANY = frozenset(
    ("how many", "how much", "how long", "how often", "quanto tempo", "cuanto tiempo", "combien de", "wie viele")
    + ("wie viel", "wie lange", "wie oft")
)
_QUANTITY = frozenset(("quantos", "quantas", "cuantos", "cuantas", "combien"))
# The names of each month, January first.
MONTHS = (
    *(
        "january janeiro enero janvier januar",
        "february fevereiro febrero fevrier februar",
        "march marco marzo mars marz",
    ),
    *("april abril avril", "may maio mayo mai", "june junho junio juin juni", "july julho julio juillet juli"),
    *("august agosto aout", "september setembro septiembre septembre", "october outubro octubre octobre oktober"),
    *("november novembro noviembre novembre", "december dezembro diciembre decembre dezember"),
)
_TIMES_TEXT = """
yesterday today tomorrow tonight ago last next week month year weekend morning evening since recently just
monday tuesday wednesday thursday friday saturday sunday
ontem hoje amanha semana passada passado proxima proximo desde
ayer hoy manana pasada pasado proxima proximo hace
hier aujourd demain semaine mois derniere dernier prochaine prochain depuis
gestern heute morgen woche monat letzte letzten nachste nachsten seit vor
"""
_TIMES = frozenset(" ".join((_TIMES_TEXT, *MONTHS)).split())
_NUMBERS_TEXT = """
one two three four five six seven eight nine ten dozen couple several once twice
dois duas tres quatro cinco seis sete oito nove dez dos cuatro siete ocho nueve diez
deux trois quatre cinq sept huit neuf dix zwei drei vier funf sechs sieben acht neun zehn
"""
_NUMBERS = frozenset(_NUMBERS_TEXT.split())


def asks_when(words: list[str]) -> bool:
    """Return whether a question asks for a date or time."""
    return not (_WHEN.isdisjoint(words[:3]) and _WHICH_TIME.isdisjoint(_pairs(words)))


def asks_how_many(words: list[str]) -> bool:
    """Return whether a question asks for a number or a length of time."""
    return not (_HOW_MANY.isdisjoint(_pairs(words)) and _QUANTITY.isdisjoint(words))


def words_of(text: str) -> list[str]:
    """Return the folded words, as the other functions take them."""
    return split_words(fold(text))


def is_question(text: str) -> bool:
    """Return whether the text ends as a question, so that what comes next may be its answer."""
    return text.rstrip(" \t\r\n\"'`*_)]").endswith(("?", "\uff1f", "\u061f"))


def tells_when(words: list[str]) -> bool:
    """Return whether a date or time is named."""
    return not _TIMES.isdisjoint(words) or any(_is_year(word) or _is_ordinal(word) for word in words)


def tells_number(words: list[str]) -> bool:
    """Return whether a number is named."""
    return not _NUMBERS.isdisjoint(words) or any(word.isdigit() for word in words)


def _pairs(words: list[str]) -> set[str]:
    return {f"{first} {second}" for first, second in zip(words, words[1:], strict=False)}


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdigit() and word[:2] in ("19", "20")


def _is_ordinal(word: str) -> bool:
    return word[-2:] in ("st", "nd", "rd", "th") and word[:-2].isdigit()
