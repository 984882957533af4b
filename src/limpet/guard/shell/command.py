"""What is known of a shell command: the programs that it would run, what stays unknown, and the words of one that has
no syntax but plain quotes: most are of this kind, and need no parser."""

from __future__ import annotations

from limpet.ground.storage.files import read_shipped
from limpet.ground.values import Value

# Stands for a part of a word that only the shell will know.
UNKNOWN = "\0"
# Endings that Windows adds to the name of a program.
_ENDINGS = (".exe", ".cmd", ".bat", ".com", ".ps1")
_CUTS = {ord(each): " " for each in "'\"`;|&(){}[]<>$,=\\\n\t\r"}
# With one of these outside quotes the shell does more than to split words.
_SYNTAX = frozenset("$`\\|&;<>(){}*?[]!#~\n\r\0")
# Within double quotes these still have a meaning.
_WITHIN = frozenset('$`\\!\0"')
# At the start of a command these are no programs.
_RESERVED = frozenset(
    "if then else elif fi case esac for select while until do done in function time coproc declare typeset local "
    "export readonly let".split()
)
_LONGEST = 8192


class ShellCommand(Value):
    """``words``: without quotes; empty where only redirections or assignments are made.
    ``folder``: relative to the start, "" for the start itself, with ``UNKNOWN`` where it is not known.
    ``writes``, ``reads``: the paths of its redirections, as they stand in the text.
    ``fed``: what it reads from a pipe or a here-document, "" where that is not known.
    """

    words: tuple[str, ...]
    folder: str = ""
    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    fed: str = ""


class Understood(Value):
    """``commands``: all that could run, in the order of the text; ``clear`` says whether that is all of it.
    ``texts``: the words of what is not understood, as they stand, also those within strings.
    ``starts``: whether that may start programs: of code for interpreters not all looks like it.
    """

    commands: tuple[ShellCommand, ...]
    clear: bool = True
    why: str = ""
    texts: tuple[str, ...] = ()
    starts: bool = True


def program(command: str) -> str:
    """Without its folder and the ending of Windows, "" where it is not known."""
    name = command.replace("\\", "/").rpartition("/")[2]
    lowered = name.lower()
    for ending in _ENDINGS:
        if lowered.endswith(ending) and len(name) > len(ending):
            return lowered[: -len(ending)]
    return "" if UNKNOWN in name else name


def program_in(text: str) -> str:
    return program((text.split() or [""])[0])


def words_of(text: str) -> tuple[str, ...]:
    """Cut at white space and at all that a shell gives a meaning, each once."""
    return tuple(dict.fromkeys(text.translate(_CUTS).split()))


def join(folder: str, path: str) -> str:
    """``path`` as seen from where ``folder`` starts, without ``.`` and ``..`` where they cancel out."""
    if path.startswith(("/", "~")) or path[1:3] in (":\\", ":/"):
        return path if path.startswith("~") else _shortened(path)
    return _shortened(f"{folder}/{path}" if folder else path)


def split(text: str) -> tuple[str, ...] | None:
    """The words of one plain command, None where a parser has to look at it."""
    if len(text) > _LONGEST:
        return None
    words = _words(text.strip(" \t\n"))
    if not words or words[0] in _RESERVED or "=" in words[0] or not words[0]:
        return None
    return words


def is_plain(words: tuple[str, ...]) -> bool:
    return words[0] in listed("plain") or (words[0] == "git" and len(words) > 1 and words[1] in listed("plain_git"))


def listed(name: str) -> list[str]:
    words: str = read_shipped("shell")[name]
    return words.split()


def options_of(name: str, use: str) -> tuple[str, ...]:
    """``use``: ``runners``, ``before`` its subcommand, or ``folders``."""
    return tuple(read_shipped("shell")[use].get(name, "").split())


def knows(name: str, word: str) -> bool:
    """Of most programs every word is their own."""
    known = read_shipped("shell")["known"].get(name)
    return known is None or word in known.split()


def option_values(words: tuple[str, ...], names: tuple[str, ...]) -> list[str]:
    """In the order of the words: ``-C dir``, ``-Cdir``, ``--dir=dir``."""
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
    """Where the first word is that is neither an option nor the value of one, from the second word on."""
    at = 1
    while at < len(words) and words[at][:1] == "-" and len(words[at]) > 1:
        at += 2 if words[at] in values else 1
    return at


def subcommand(words: tuple[str, ...], name: str) -> str | None:
    """ "" where there is none, None for programs without such a word."""
    if name not in read_shipped("shell")["before"]:
        return None
    at = after_options(words, options_of(name, "before"))
    return words[at] if at < len(words) else ""


def takes_text(option: str) -> bool:
    return (option[:1] == "-" and option[1:2] != "-" and "c" in option) or option == "--command"


def _shortened(path: str) -> str:
    kept: list[str] = []
    for part in path.split("/"):
        if part == ".." and kept and kept[-1] not in ("..", "", "~") and UNKNOWN not in kept[-1]:
            kept.pop()
        elif part not in (".", "") or (not kept and part == "" and path.startswith("/")):
            kept.append(part)
    return "/".join(kept) or ("/" if path.startswith("/") else "")


def _words(text: str) -> tuple[str, ...] | None:
    if not _SYNTAX.isdisjoint(text) and "'" not in text and '"' not in text:
        return None
    found: list[str] = []
    word: str | None = None
    at, end = 0, len(text)
    while at < end:
        letter = text[at]
        if letter in " \t":
            if word is not None:
                found.append(word)
            word, at = None, at + 1
        elif letter in "'\"":
            close = text.find(letter, at + 1)
            inside = text[at + 1 : close]
            if close < 0 or (letter == '"' and not _WITHIN.isdisjoint(inside)) or "\0" in inside:
                return None
            word, at = (word or "") + inside, close + 1
        elif letter in _SYNTAX:
            return None
        else:
            word, at = (word or "") + letter, at + 1
    return tuple(found if word is None else [*found, word])
