"""The category and severity of errors, by the words of their text (``framework/capture/errors.txt``).

Whole words and their inflections count, so that "the latest author" is no test.
"""

from __future__ import annotations

from functools import cache

from limpet.ground.text.stems import stem
from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import fold, split_words
from limpet.memory.model.entry import SEVERITIES

_FILE = "capture/errors.txt"
# Of equal claims the first wins.
_KINDS = ("security", "lint", "test", "build", "integration", "runtime")
# TS2322, E0308, CS1002, C2065: what compilers number.
_CODE_STARTS = ("ts", "e", "cs", "c", "lnk")


def categorise(text: str, tool: str = "") -> str:
    """Return one of ``CATEGORIES``: that of the failed tool or command, else the one that most words of the text tell
    of."""
    return _category(tool) or _category(text) or "general"


def severity_of(text: str) -> str:
    """Return ``critical`` for what loses data or opens a door, ``info`` for what only warns, else ``warning``."""
    folded = fold(text)
    words = _forms(folded)
    plain = " ".join(split_words(folded))
    phrases = read_words(_FILE)["critical-phrases"]
    if words & _listed("critical") or any(phrase in plain for phrase in phrases) or _category(text) == "security":
        return "critical"
    mild = words & _listed("mild") and not words & _listed("grave") and "error" not in plain
    return "info" if mild else "warning"


def severity_rank(severity: str) -> int:
    """Return 0 for the gravest; what nobody graded comes last."""
    return SEVERITIES[::-1].index(severity) if severity in SEVERITIES else len(SEVERITIES)


def _category(text: str) -> str:
    words = _forms(fold(text))
    claims = {kind: len(words & _listed(kind)) for kind in _KINDS}
    claims["build"] += any(_is_code(word) for word in words)
    best = max(claims, key=lambda kind: claims[kind])
    return best if claims[best] else ""


@cache
def _listed(section: str) -> frozenset[str]:
    words = " ".join(read_words(_FILE)[section]).split()
    return frozenset(word if word.startswith("=") else stem(word) for word in words)


def _forms(folded: str) -> set[str]:
    return {form for word in split_words(folded) for form in (stem(word), f"={word}")}


def _is_code(word: str) -> bool:
    letters = word.rstrip("0123456789")
    return letters in _CODE_STARTS and 3 <= len(word) - len(letters) <= 5
