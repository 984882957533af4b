"""The cues of all languages, out of ``framework/capture/``, which says what each is for.

A conversation mixes languages, so none is guessed: a cue is one expression over all of them, compiled when it is first
asked for.
"""

from __future__ import annotations

import re
from functools import cache

from limpet.ground.text.languages import LANGUAGES
from limpet.ground.text.word_lists import read_words

# A bracket that only groups.
_GROUP = re.compile(r"(?<!\\)\((?!\?)")


def entries(name: str) -> list[str]:
    """Return the entries of this name in every language."""
    return [entry for language in LANGUAGES for entry in read_words(f"capture/{language}.txt")[name]]


def source(name: str) -> str:
    """Return the entries as one expression, for a larger one that holds it."""
    return f"(?:{'|'.join(_GROUP.sub('(?:', entry) for entry in entries(name))})"


@cache
def cue(name: str) -> re.Pattern[str]:
    """Return the expression that matches where any of the entries does."""
    return re.compile(source(name))


def says(name: str, folded: str) -> bool:
    """Return whether any of the entries stands anywhere in the folded text."""
    return cue(name).search(folded) is not None


def begins(name: str, folded: str) -> bool:
    """Return whether the folded text begins with any of the entries."""
    return cue(name).match(folded) is not None
