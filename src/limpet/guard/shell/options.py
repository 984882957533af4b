"""How programs take their options, by ``framework/shell.json``: which take a value, which name a folder or program."""

from __future__ import annotations

from limpet.ground.formats.json_text import read_shipped


def listed(name: str) -> list[str]:
    """Return the words of one of the file's lists."""
    words: str = read_shipped("shell")[name]
    return words.split()


def options_of(name: str, use: str) -> tuple[str, ...]:
    """Return the options of a program that are ``runners``, stand ``before`` its subcommand, or name ``folders``."""
    return tuple(read_shipped("shell")[use].get(name, "").split())


def knows(name: str, word: str) -> bool:
    """Return whether a word that says what to do is the program's own; of most programs every word is."""
    known = read_shipped("shell")["known"].get(name)
    return known is None or word in known.split()


def option_values(words: tuple[str, ...], names: tuple[str, ...]) -> list[str]:
    """Return the values of these options, in the order of the words: ``-C dir``, ``-Cdir``, ``--dir=dir``."""
    found: list[str] = []
    for at, word in enumerate(words):
        if word in names:
            found += words[at + 1 : at + 2]
        elif word[:1] == "-":
            name, equals, value = word.partition("=")
            if equals and name in names:
                found.append(value)
            elif word[:2] in names and word[1:2] != "-" and len(word) > 2:
                found.append(word[2:])
    return found


def after_options(words: tuple[str, ...], values: tuple[str, ...]) -> int:
    """Return where the first word is that is neither an option nor the value of one, from the second word on."""
    at = 1
    while at < len(words) and words[at][:1] == "-" and len(words[at]) > 1:
        at += 2 if words[at] in values else 1
    return at


def subcommand(words: tuple[str, ...], name: str) -> str | None:
    """Return the word that says what a program does, "" where there is none, None for programs without such a word."""
    if name not in read_shipped("shell")["before"]:
        return None
    at = after_options(words, options_of(name, "before"))
    return words[at] if at < len(words) else ""


def takes_text(option: str) -> bool:
    """Return whether a shell's option says that a text follows."""
    return (option[:1] == "-" and option[1:2] != "-" and "c" in option) or option == "--command"
