"""Programs that run another program, by ``framework/shell.json``: where in their words that other one is."""

from __future__ import annotations

from limpet.ground.formats.json_text import read_shipped
from limpet.ground.values import Value

# How deep texts and wrappers may hold others before it is not clear.
DEEPEST = 8


class Wrapper(Value):
    """How a program names the one that it runs, as the file explains."""

    values: str = ""
    skip: int = 0
    texts: str = ""
    joined: bool = False
    after: str = ""
    assigns: bool = False
    away: bool = False


class Inner(Value):
    """What a program would run.

    ``words``: the other program and its words.
    ``texts``: texts for a shell.
    ``assigned``: variables that are set for it.
    """

    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    assigned: tuple[tuple[str, str], ...] = ()


def find_wrapper(words: tuple[str, ...], name: str) -> tuple[Wrapper, int] | None:
    """Return how these words run another program, and how many of them name the wrapper itself."""
    table = read_shipped("shell")["wrappers"]
    for length in (3, 2, 1):
        row = table.get(" ".join((name, *words[1:length])))
        if row is not None and len(words) >= length:
            return Wrapper(**(table[row] if isinstance(row, str) else row)), length
    return None


def inner(words: tuple[str, ...], wrapper: Wrapper, start: int) -> Inner:
    """Return what a wrapper runs: ``words`` from ``start`` on are its options, then the other program."""
    after = next((words.index(each, start) for each in wrapper.after.split() if each in words[start:]), 0)
    if after:
        return Inner(words[after + 1 :])
    values, text_options = wrapper.values.split(), wrapper.texts.split()
    texts: list[str] = []
    assigned: list[tuple[str, str]] = []
    at, skipped = start, 0
    while at < len(words):
        word = words[at]
        option, equals, value = word.partition("=")
        if word == "--":
            at += 1
            break
        if word[:1] == "-" and len(word) > 1:
            if option in text_options or _ends_in(word, text_options):
                texts.append(value if equals and option in text_options else "".join(words[at + 1 : at + 2]))
                at += 1 if equals and option in text_options else 2
            else:
                at += 2 if not equals and (option in values or _ends_in(word, values)) else 1
        elif wrapper.assigns and equals and option.isidentifier():
            assigned.append((option, value))
            at += 1
        elif skipped < wrapper.skip:
            skipped, at = skipped + 1, at + 1
        else:
            break
    rest = words[at:]
    if wrapper.joined and rest:
        return Inner((), (*texts, " ".join(rest)), tuple(assigned))
    return Inner(rest, tuple(texts), tuple(assigned))


def _ends_in(word: str, options: list[str]) -> bool:
    """Return whether a cluster of short options ends in one that takes a value, as in ``sudo -nu root``."""
    is_cluster = word[:1] == "-" and word[1:2] != "-" and len(word) > 2 and word[1:].isalpha()
    return is_cluster and word[:2] not in options and f"-{word[-1]}" in options
