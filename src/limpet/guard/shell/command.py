"""What is known of a shell command: the programs that it would run, and what stays unknown."""

from __future__ import annotations

from limpet.ground.values import Value

# Stands for a part of a word that only the shell will know.
UNKNOWN = "\0"
# Endings that Windows adds to the name of a program.
_ENDINGS = (".exe", ".cmd", ".bat", ".com", ".ps1")


class ShellCommand(Value):
    """One program that would run.

    ``words``: the program and its arguments without quotes; empty where only redirections or assignments are made.
    ``folder``: where it runs, relative to the start, "" for the start itself, with ``UNKNOWN`` where it is not known.
    ``writes``: the paths that its redirections write, as they stand in the text.
    ``reads``: the paths that its redirections read.
    ``fed``: what it reads from a pipe or a here-document, "" where that is not known.
    """

    words: tuple[str, ...]
    folder: str = ""
    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    fed: str = ""


class Understood(Value):
    """What a text would do.

    ``commands``: all that could run, in the order of the text.
    ``clear``: whether that is all of it.
    ``why``: why it is not, "" where it is.
    ``texts``: the words of what is not understood, as they stand, also those within strings.
    ``starts``: whether that may start programs: of code for interpreters not all looks like it.
    """

    commands: tuple[ShellCommand, ...]
    clear: bool = True
    why: str = ""
    texts: tuple[str, ...] = ()
    starts: bool = True


def program(command: str) -> str:
    """Return the name of a program without its folder and the ending of Windows, "" where it is not known."""
    name = command.replace("\\", "/").rpartition("/")[2]
    lowered = name.lower()
    for ending in _ENDINGS:
        if lowered.endswith(ending) and len(name) > len(ending):
            return lowered[: -len(ending)]
    return "" if UNKNOWN in name else name


def program_in(text: str) -> str:
    """Return the name of the program that a command in words begins with."""
    return program((text.split() or [""])[0])


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, cut at white space and at all that a shell gives a meaning, each once."""
    return tuple(dict.fromkeys(text.translate(_CUTS).split()))


def join(folder: str, path: str) -> str:
    """Return ``path`` as seen from where ``folder`` starts, without ``.`` and ``..`` where they cancel out."""
    if path.startswith(("/", "~")) or path[1:3] in (":\\", ":/"):
        return path if path.startswith("~") else _shortened(path)
    return _shortened(f"{folder}/{path}" if folder else path)


def _shortened(path: str) -> str:
    kept: list[str] = []
    for part in path.split("/"):
        if part == ".." and kept and kept[-1] not in ("..", "", "~") and UNKNOWN not in kept[-1]:
            kept.pop()
        elif part not in (".", "") or (not kept and part == "" and path.startswith("/")):
            kept.append(part)
    return "/".join(kept) or ("/" if path.startswith("/") else "")


_CUTS = {ord(each): " " for each in "'\"`;|&(){}[]<>$,=\\\n\t\r"}
