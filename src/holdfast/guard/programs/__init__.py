"""What programs do, as tables; ``guard.acts`` reads them.

A line that is not indented names programs and, after ``=``, their options that take the next word as their value. The
indented lines below it are its rules, ``kind target: words ? conditions``; a line that is indented further belongs to
the one before. ``like: git`` takes the rules of another program.

words: the first operands, such as ``pr create``, with ``|`` between those that are alike; ``!mcp|login`` for others.
conditions: groups separated by ``&``, of which one word each has to hold: an option (``-f``), an operand (``.``), an
operand that begins with a text (``^+``), a text in any word or in the input (``%drop_table``), an option with a value
(``-X=POST``) or with one that is not GET (``-X!``); a word with ``!`` before it must not hold.
target: ``all``, ``first``, ``rest``, ``last`` or ``but-last`` operands, with ``.`` after it for the folder where there
are none; ``.`` for the folder; ``leading`` for the words before the first option; ``-o`` for the value of that option;
``of=`` for operands that begin so; ``@`` for the files that values name. Nothing for the program itself.
"""

from __future__ import annotations

from holdfast.guard.programs.files import FILES
from holdfast.guard.programs.network import NETWORK
from holdfast.guard.programs.packages import PACKAGES
from holdfast.guard.programs.repositories import REPOSITORIES
from holdfast.guard.programs.systems import SYSTEMS
from holdfast.guard.table import read_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Words, conditions, kind, target.
    Rule = tuple[str, str, str, str]

_lines: dict[str, list[str]] = {}


def find_program(name: str) -> tuple[str, list[Rule]] | None:
    """Return a program's options that take a value, and its rules; None for a program that no table has."""
    lines = (_lines or _index()).get(name)
    if lines is None:
        return None
    rules: list[Rule] = []
    for line in lines[1:]:
        head, _colon, rest = line.partition(":")
        kind, _space, target = head.partition(" ")
        if kind == "like":
            rules += (find_program(rest.strip()) or ("", []))[1]
        else:
            words, _mark, conditions = rest.partition("?")
            rules.append((words.strip(), conditions.strip(), kind, target))
    return lines[0], rules


def _index() -> dict[str, list[str]]:
    blocks: list[list[str]] = []
    for line in "\n".join((FILES, NETWORK, PACKAGES, REPOSITORIES, SYSTEMS, *read_table()["programs"])).splitlines():
        if line.startswith("    "):
            last = blocks[-1][-1]
            blocks[-1][-1] = f"{last}{'' if last.endswith('|') else ' '}{line.strip()}"
        elif line.startswith("  "):
            blocks[-1].append(line.strip())
        elif line:
            blocks.append([line])
    for header, *rules in blocks:
        names, _equals, values = header.partition(" = ")
        _lines.update(dict.fromkeys(names.split(), [values, *rules]))
    return _lines
