"""Checks the file ``commands``: star-commands that cannot be typed, or that have a meaning of their own already."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.rules.check.finding import ERROR, Finding
from holdfast.rules.format.domain import command_name, read_domain
from holdfast.rules.format.key_value import read_lines
from holdfast.rules.format.star_commands import RESERVED, find_commands


def check_commands(path: str, text: str) -> Iterator[Finding]:
    """Yield the findings on the names in the file's text, each name once; ``path`` stands for the file in them."""
    content = text.splitlines()
    seen: set[str] = set()
    for number, key, _ in read_lines(text):
        for name in _names(key, content[number - 1]):
            if name not in seen:
                yield from _check_name(path, number, name)
            seen.add(name)


def _names(key: str, line: str) -> tuple[str, ...]:
    """Return the command that a header opens, or that a rule belongs to."""
    if key.startswith("[*") and "]" in key:
        return (command_name(key[2 : key.index("]")].strip()),)
    return tuple(read_domain("COMMANDS", line).commands)


def _check_name(path: str, number: int, name: str) -> Iterator[Finding]:
    if name in RESERVED:
        what = f"*{name} is a built-in command: these lines are never sent"
        yield Finding(ERROR, path, number, what, "give the command another name")
    elif not find_commands(f"*{name}", (name,)):
        what = f"*{name} is not a valid command name: use letters, digits, - and _, starting with a letter"
        yield Finding(ERROR, path, number, what, "give the command another name")
