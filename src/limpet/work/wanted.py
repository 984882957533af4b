"""Finds the workflow that a prompt asks for by its name. Apart, because few prompts need its words."""

from __future__ import annotations

from limpet.ground.text.folding import fold
from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import is_stop_word, split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Words between a beginning and the name.
NEAR = 3
BEGIN = "limpet work start"


def find_wanted(prompt: str, names: Sequence[str]) -> tuple[str, str] | None:
    """Words and command for the one that is asked for, or for all where none is named."""
    words, known = split_words(fold(prompt)), read_words("words/workflows")
    begins, kinds = {*known["beginnings"]}, known["kinds"]
    for name in sorted(names, key=len, reverse=True):
        for before, behind in _around(words, name.split("-")):
            # What is a word of every day too, such as "solo", needs its kind behind it.
            is_begun = not is_stop_word(name) and ("".join(before[-1:]) in kinds or not begins.isdisjoint(before))
            if is_begun or behind in kinds:
                return f"no workflow is under way; if the user wants {name}", f"{BEGIN} {name}"
    for phrase in known["wholes"]:
        if any(not begins.isdisjoint(before) for before, _ in _around(words, phrase.split())):
            return "no workflow is under way; if the user wants one", BEGIN
    return None


def _around(words: list[str], sought: list[str]) -> Iterator[tuple[list[str], str]]:
    """The words before each place where it stands, and the one behind it."""
    for place in range(len(words) - len(sought) + 1):
        end = place + len(sought)
        if words[place:end] == sought:
            yield words[max(0, place - NEAR) : place], "".join(words[end : end + 1])
