"""What programs do, read from ``framework/programs.txt``, which explains its lines; ``guard.acts`` judges by it.

The text is searched, not indexed: a command asks about one or two of some five hundred programs.
"""

from __future__ import annotations

import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    # Words, conditions, kind, target.
    Rule = tuple[str, str, str, str]

EMPTY_LINE = "\n\n"
_texts: list[str] = []


def find_program(name: str) -> tuple[str, list[Rule]] | None:
    """Return a program's options that take a value, and its rules; None for a program that the file does not have."""
    block = _find_block(name)
    if block is None:
        return None
    values, *lines = block
    rules: list[Rule] = []
    for line in lines:
        head, _colon, rest = line.partition(":")
        kind, _space, target = head.strip().partition(" ")
        if kind == "like":
            rules += (find_program(rest.strip()) or ("", []))[1]
        else:
            words, _mark, conditions = rest.partition("?")
            rules.append((words.strip(), conditions.strip(), kind, target))
    return values, rules


def read_programs() -> str:
    """Return the text of the file, with an empty line at its beginning and its end."""
    if not _texts:
        text = read_text(f"{limpet.__path__[0]}/framework/programs.txt")
        if not text:
            raise LimpetError("framework/programs.txt is missing", hint="Install Limpet again")
        text = text.replace("\r\n", "\n") if "\r" in text else text
        _texts.append(f"{EMPTY_LINE}{text}{EMPTY_LINE}")
    return _texts[0]


def _find_block(name: str) -> list[str] | None:
    """Return the values in the first line about a program and the lines below it, with what ``$name`` stands for."""
    text = read_programs()
    for start in _places_of(name, text):
        block = text[start : text.find(EMPTY_LINE, start)]
        names, _equals, rest = block.partition(" =")
        if names[0] not in " #" and name in names.split():
            rest = rest.replace("\n    ", " ").replace("| ", "|").replace("\\0", "\0")
            for word in {word for word in rest.split() if word[0] == "$"}:
                rest = rest.replace(word, (_find_block(word) or [word])[0])
            values, *lines = rest.split("\n")
            return [values.strip(), *lines]
    return None


def _places_of(name: str, text: str) -> Iterator[int]:
    """Yield where the lines begin in which a word stands: those that begin with it, then those that go on with it."""
    for mark in ("\n", " ") if name.split() == [name] else ():
        at = text.find(f"{mark}{name} ")
        while at >= 0:
            yield text.rfind("\n", 0, at + 1) + 1
            at = text.find(f"{mark}{name} ", at + 1)
