"""Tells a directive from a description by its grammar: imperatives, modal verbs, prohibitions and contrasts."""

from __future__ import annotations

import re

from holdfast.ground.text.word_lists import read_words
from holdfast.ground.text.words import fold
from holdfast.rules.adoption.passages import LONGEST

_WORDS = read_words("words/directives")
VERBS = frozenset(_WORDS["verbs"])
_NOUNS_TOO = frozenset(_WORDS["nouns too"])
_OBJECTS = frozenset(_WORDS["objects"])
_DIRECTS = re.compile("|".join(_WORDS["directs"]))
_DOES_NOT = re.compile("|".join(_WORDS["does not direct"]))
_SPAN = re.compile(r"`[^`]+`")
_LABEL = re.compile(r"^([^:.!?]{2,40}):\s+(?=\S)")
_OPENING = re.compile(
    r"^(?:(?:when|whenever|if|before|after|for|in|on|while|once|until|unless|as|to|during|at|with) [^,]{2,90}, )"
)
_ADVERB = re.compile(r"^(?:please|always|never|only|also|then|just|instead|otherwise|generally|ideally|explicitly) ")
_NEGATED = re.compile(r"^(?:do not|don't|dont|never) ")
_MODAL = re.compile(
    r"\b(?:always|never|must(?: not| always| never)?|shall(?: not)?|should(?: not| always| never)?|do not|don't"
    r"|have to|need to|needs to|has to) (?:ever |also |first |only |be |have )?([a-z'-]+)"
)
_STRONG = re.compile(
    r"\b(?:always|never|must|do not|don't|forbidden|mandatory|prohibited|required|only|cannot|not allowed"
    r"|no exceptions)\b"
)
_CONTRAST = re.compile(r", (?:not|never) \w|\b(?:instead of|rather than|over) \w|\bnot (?:the |a |an )?xx")
# The share of a passage that may be code: beyond it, it lists commands.
_MOST_CODE = 0.8
_FEWEST_WORDS, _MOST_WORDS = 3, 45


def plain_form(text: str) -> str:
    """Return the text as grammar is looked for in it: folded, code spans as ``xx``."""
    return fold(_SPAN.sub("xx", text).replace("\u2019", "'"))


def is_directive(text: str) -> bool:
    """Return whether the passage tells somebody to do or not to do something."""
    plain = plain_form(text)
    words = plain.split()
    code = sum(map(len, _SPAN.findall(text)))
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or len(text) > LONGEST or code > _MOST_CODE * len(text):
        return False
    if plain.endswith((":", "?", ";", "...")) or _DOES_NOT.search(plain):
        return False
    label = _LABEL.match(plain)
    if label and not plain[label.end() :].replace("xx", "").strip(" .,/|&+-()"):
        return False
    return _directs(plain) or bool(label and _directs(plain[label.end() :]))


def strength(text: str) -> float:
    """Return how specific a directive is: higher for one that names code, forbids, or says what to do instead."""
    plain = plain_form(text)
    spans = min(2, len(_SPAN.findall(text)))
    return 1.5 * spans + 1.5 * bool(_CONTRAST.search(plain)) + bool(_STRONG.search(plain)) - len(text) / LONGEST


def forbids(text: str) -> bool:
    """Return whether the text itself says that it is a prohibition."""
    return bool(
        re.search(r"\b(?:never|not|no|don't|avoid|without|forbidden|nunca|jamais|nao|ne|sin|sem)\b", plain_form(text))
    )


def first_verb(text: str) -> str:
    """Return the imperative that opens the text, folded, "" for none."""
    plain = _bare(plain_form(text))
    word = plain.partition(" ")[0].strip(",;")
    return word if word in VERBS else ""


def _directs(plain: str) -> bool:
    modal = _MODAL.search(plain)
    return (
        _is_imperative(plain)
        or bool(modal and (modal[1] in VERBS or " be " in modal[0] or " have " in modal[0]))
        or bool(_DIRECTS.search(plain))
        or bool(
            re.search(r", (?:not|never) \w|\binstead of \w", plain) and not re.search(r"\b(?:is|are|was|were) ", plain)
        )
    )


def _is_imperative(plain: str) -> bool:
    if _NEGATED.match(_opened(plain)):
        return True
    words = _bare(plain).split()
    if len(words) < 2 or words[0].rstrip(",") not in VERBS:
        return False
    return words[0] not in _NOUNS_TOO or words[1].strip(",;") in _OBJECTS or words[1].startswith("xx")


def _bare(plain: str) -> str:
    """Return the text without a clause, a negation or an adverb before its verb."""
    rest = _opened(plain)
    for _ in range(2):
        rest = _ADVERB.sub("", _NEGATED.sub("", rest))
    return rest


def _opened(plain: str) -> str:
    return _OPENING.sub("", plain).lstrip("(\"'")
