"""What simple programs print, so that a substitution or a pipe may be known without running it."""

from __future__ import annotations

from limpet.guard.shell.command import UNKNOWN, program
from limpet.guard.shell.escapes import ansi
from limpet.guard.shell.options import listed


def printed(words: tuple[str, ...], fed: str | None) -> str | None:
    """Return what a command prints, None where that is not known.

    ``fed``: what it reads, "" for nothing, None where that is not known.
    """
    name, rest = program(words[0]), words[1:]
    if name in listed("silent"):
        return ""
    if name == "mktemp":
        return "/tmp/mktemp\n"
    if name == "echo":
        return _echo(rest)
    if name == "printf" and rest:
        return _printf(*rest)
    if name == "tee" or (name == "cat" and (not rest or rest == ("-",))):
        return fed
    if name in ("which", "type", "command", "whereis") and rest and rest[0] != words[-1] or name == "which":
        return words[-1] + "\n" if len(words) > 1 else ""
    return ".\n" if name == "pwd" else None


def _echo(words: tuple[str, ...]) -> str:
    flags = ""
    while words and words[0][:1] == "-" and words[0][1:] and not words[0].strip("-neE"):
        flags, words = flags + words[0], words[1:]
    text = " ".join(words)
    return (ansi(text) if "e" in flags else text) + ("" if "n" in flags else "\n")


def _printf(form: str, *given: str) -> str | None:
    """Return what printf prints, for the plain forms ``%s``, ``%d``, ``%q`` and ``%%``; the form is used up as often as
    there are arguments."""
    if form == "-v":
        return ""
    if form == "--":
        return _printf(*given) if given else ""
    marked = ansi(form).replace("%%", "\1").replace("%d", "%s").replace("%q", "%s")
    pieces, wants = marked.split("%s"), marked.count("%s")
    if UNKNOWN in form or any("%" in piece for piece in pieces):
        return None
    found, rest = "", list(given)
    while True:
        values = [rest.pop(0) if rest else "" for _ in range(wants)]
        found += "".join(piece + value for piece, value in zip(pieces, (*values, ""), strict=True))
        if not (rest and wants):
            return found.replace("\1", "%")
