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
    begins, kinds, wholes = (" ".join(known[kind]).split() for kind in ("beginnings", "kinds", "wholes"))
    for name in sorted(names, key=len, reverse=True):
        for before, behind in _around(words, name.split("-")):
            # What is a word of every day too, such as "solo", needs its kind behind it.
            is_begun = any(word in begins for word in before) or "".join(before[-1:]) in kinds
            if behind in kinds or (is_begun and not is_stop_word(name)):
                return f"no workflow is under way; if the user wants {name}", f"{BEGIN} {name}"
    for pair in zip(wholes[::2], wholes[1::2], strict=True):
        for before, _ in _around(words, [*pair]):
            if any(word in begins for word in before):
                return "no workflow is under way; if the user wants one", BEGIN
    return None


def _around(words: list[str], sought: list[str]) -> Iterator[tuple[list[str], str]]:
    """The words before each place where it stands, and the one behind it."""
    for place in range(len(words) - len(sought) + 1):
        end = place + len(sought)
        if words[place:end] == sought:
            yield words[max(0, place - NEAR) : place], "".join(words[end : end + 1])
