"""Finds star-commands in a prompt: a known name after a star, at the start or after white space."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.rules.format.domain import command_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

MODES = ("brief", "dev", "review", "plan", "discuss", "debug", "explain")
RESERVED = (
    "holdfast",
    "agent",
    "work",
    "develop",
    "mode",
    "yolo",
    "remember",
    "recall",
    "forget",
    "memories",
    "gotcha",
)
"""Commands that act, whatever rules a file has under their names."""
_AFTER_NAME = " \t\r\n.,;:!?)"


class Command(Value):
    """A typed star-command: its name in lower case and the words after it on its line."""

    name: str
    words: tuple[str, ...] = ()


def find_commands(prompt: str, known: Container[str]) -> tuple[Command, ...]:
    """Return the commands typed in ``prompt`` whose names are in ``known``, in order, each name once.

    ``**bold**``, ``*italic*``, ``2*x`` and ``*args`` (unless a command of that name exists) are none.
    """
    found: dict[str, Command] = {}
    for part_start in _starts(prompt):
        name = _name_at(prompt, part_start)
        if name and name in known and name not in found:
            rest = prompt[part_start + len(name) :].partition("\n")[0]
            found[name] = Command(name=name, words=tuple(rest.split()))
    return tuple(found.values())


def _starts(prompt: str) -> list[int]:
    """Return where a name may begin: just after a star that opens the prompt or follows white space."""
    places = []
    star = prompt.find("*")
    while star >= 0:
        if star == 0 or prompt[star - 1].isspace():
            places.append(star + 1)
        star = prompt.find("*", star + 1)
    return places


def _name_at(prompt: str, start: int) -> str:
    end = start
    while end < len(prompt) and (prompt[end].isalnum() or prompt[end] in "-_"):
        end += 1
    if end == start or not prompt[start].isalpha() or (end < len(prompt) and prompt[end] not in _AFTER_NAME):
        return ""
    return command_name(prompt[start:end])
