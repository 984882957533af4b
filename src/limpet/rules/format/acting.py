"""Which star-commands act, and which of a text count: those with which it opens, one behind the other. Separate from
``domain``, which finds commands wherever they stand."""

from __future__ import annotations

from limpet.rules.format.domain import PRIVATE, YES, StarCommand, find_commands
from limpet.rules.layout import LIMPET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

ACTING = ("agent", "mode", "yolo", "work", "develop", PRIVATE, YES, "remember", "forget", "gotcha")
GOVERNORS = (LIMPET.command, *LIMPET.aliases)
GOVERNING = ("create", "add", "edit", "on", "off")
_KNOWN = frozenset((*ACTING, *GOVERNORS))
# So many words behind a command are its own: a further command on the line opens the text too.
_OWN_WORDS = {**dict.fromkeys(GOVERNORS, 2), "work": 2, "agent": 1, "mode": 1}
_QUOTES = str.maketrans(dict.fromkeys("\"'`", " "))


def is_acting(command: StarCommand) -> bool:
    verb = command.words[0].lower() if command.words else ""
    return command.name in ACTING or (command.name in GOVERNORS and verb in GOVERNING)


def opening_commands(line: str, known: Container[str]) -> tuple[str, ...]:
    """The names of those with which the line opens: of ``*dev *agent qa fix *yolo`` the first two."""
    names, room = list[str](), 0
    for word in line.split():
        if found := find_commands(word, known):
            names.append(found[0].name)
            room = _OWN_WORDS.get(names[-1], 0)
        elif room:
            room -= 1
        else:
            break
    return tuple(names)


def find_acting(text: str) -> tuple[str, ...]:
    """Those that act wherever they stand, also in quotes: as a text for somebody else names them."""
    found = (each for line in text.translate(_QUOTES).splitlines() for each in find_commands(line, _KNOWN))
    return tuple(dict.fromkeys(f"*{each.name}" for each in found if is_acting(each)))
