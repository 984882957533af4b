"""Finds star-commands in a prompt: a known name after a star, at the start or after white space."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.rules.format.domain import command_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Container

MODES = ("brief", "dev", "review", "plan", "discuss", "debug", "explain")
PRIVATE, YES = "private", "yes"
MEMORY_COMMANDS = ("remember", "recall", "forget", "memories", "gotcha")
RESERVED = ("limpet", PRIVATE, "agent", "work", "develop", "mode", "yolo", YES, *MEMORY_COMMANDS)
"""Commands that act, whatever rules a file has under their names."""
# So many words behind a command are its own, and not of a task.
OWN_WORDS = {**dict.fromkeys(("limpet", *MEMORY_COMMANDS), 1_000_000), **dict.fromkeys(("agent", "work", "mode"), 1)}
# Letters of a name that a typing error is looked for in.
MISTYPED_WITHIN = 4000
LEAST_LETTERS = 4
_AFTER_NAME = " \t\r\n.,;:!?)"


class StarCommand(Value):
    """A typed star-command: its name in lower case and the words after it on its line."""

    name: str
    words: tuple[str, ...] = ()


def find_commands(prompt: str, known: Container[str]) -> tuple[StarCommand, ...]:
    """Return the commands typed in ``prompt`` whose names are in ``known``, in order, each name once.

    ``**bold**``, ``*italic*``, ``2*x`` and ``*args`` (unless a command of that name exists) are none.
    """
    found: dict[str, StarCommand] = {}
    for part_start in _starts(prompt):
        name = _name_at(prompt, part_start)
        if name and name in known and name not in found:
            rest = prompt[part_start + len(name) :].partition("\n")[0]
            found[name] = StarCommand(name=name, words=tuple(rest.split()))
    return tuple(found.values())


def task_in(prompt: str, known: Container[str]) -> str:
    """Return the prompt without its star-commands and their own words: what it asks of the agent."""
    lines = []
    for line in prompt.split("\n"):
        for start in reversed(_starts(line)):
            name = _name_at(line, start)
            if name in known:
                own = OWN_WORDS.get(name, 0)
                line = " ".join((line[: start - 1], *line[start + len(name) :].split(None, own)[own:]))
        lines.append("" if line.lstrip().lower().startswith(f"/{RESERVED[0]}") else line)
    return "\n".join(lines)


def find_unknown_commands(prompt: str, known: Collection[str]) -> tuple[str, str] | None:
    """Return (what was typed, the known name that it resembles) of a command with a typing error, None for none.

    Only a word that opens a line counts, and not ``*emphasis*`` or a glob such as ``*.py`` and ``*name/``; what
    stands behind the first ``MISTYPED_WITHIN`` characters was pasted.
    """
    for line in prompt[:MISTYPED_WITHIN].splitlines():
        text = line.strip()
        name = _name_at(text, 1) if text[:1] == "*" else ""
        if name and name not in known and "*" not in text[1:]:
            close = [each for each in known if is_close(name, each)]
            if close:
                return name, min(close)
    return None


def is_close(typed: str, known: str) -> bool:
    """Return whether one letter too many, too few, another one or two swapped make the one of the other; names of three
    letters are too short to tell."""
    if min(len(typed), len(known)) < LEAST_LETTERS or abs(len(typed) - len(known)) > 1 or typed[0] != known[0]:
        return False
    start = 0
    while start < min(len(typed), len(known)) and typed[start] == known[start]:
        start += 1
    one, other = typed[start:], known[start:]
    return (
        one[1:] == other[1:]
        or one[1:] == other
        or one == other[1:]
        or (one[:2] == other[:2][::-1] and one[2:] == other[2:])
    )


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
