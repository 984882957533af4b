"""What programs do, read from ``framework/programs.txt``, which explains its lines; ``guard.acts`` judges by it.

The text is searched, not indexed: a command asks about one or two of some five hundred programs.
"""

from __future__ import annotations

import holdfast
from holdfast.ground.errors import HoldfastError
from holdfast.ground.storage.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Words, conditions, kind, target.
    Rule = tuple[str, str, str, str]

# Between two blocks, in the form that ``read_programs`` gives the text.
EMPTY_LINE = "\n  \n"
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
    return values.strip(), rules


def read_programs() -> str:
    """Return the file with a space before and after each word, and what goes on over several lines in one."""
    if not _texts:
        text = read_text(f"{holdfast.__path__[0]}/framework/programs.txt")
        if not text:
            raise HoldfastError("framework/programs.txt is missing", hint="Install Holdfast again")
        text = text.replace("\r\n", "\n").replace("\n    ", " ").replace("| ", "|").replace("\\0", "\0")
        _texts.append(f"\n{text}\n\n".replace("\n", " \n "))
    return _texts[0]


def _find_block(name: str) -> list[str] | None:
    """Return the values in the first line about a program and the lines below it, with what ``$name`` stands for."""
    text = read_programs()
    at = text.find(f" {name} ") if name.split() == [name] else -1
    while at >= 0:
        start = text.rfind("\n", 0, at) + 1
        block = text[start : text.find(EMPTY_LINE, at)]
        names = block.partition("\n")[0].partition(" = ")[0]
        if names[1] not in " #" and name in names.split():
            for word in {word for word in block.split()[1:] if word[0] == "$"}:
                block = block.replace(f" {word} ", f" {(_find_block(word) or [word])[0].strip()} ")
            header, *lines = block.split("\n")
            return [header.partition(" = ")[2], *lines]
        at = text.find(f" {name} ", at + 1)
    return None
