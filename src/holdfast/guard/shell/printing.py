"""What simple programs print, so that a substitution or a pipe may be known without running it."""

from __future__ import annotations

from holdfast.guard.shell.command import UNKNOWN, program
from holdfast.guard.shell.escapes import ansi

_SILENT = frozenset(
    "true : cd pushd popd export set unset shopt trap alias unalias readonly local declare typeset mkdir touch rm "
    "rmdir cp mv ln chmod chown sleep wait kill umask hash test [ shift read exit return break continue".split()
)
_DECODERS = frozenset(("base64", "xxd", "rev"))


def printed(words: tuple[str, ...], fed: str | None) -> str | None:
    """Return what a command prints, None where that is not known.

    ``fed``: what it reads, "" for nothing, None where that is not known.
    """
    name, rest = program(words[0]), words[1:]
    if name in _SILENT:
        return ""
    if name == "echo":
        return _echo(rest)
    if name == "printf" and rest:
        return _printf(*rest)
    if name == "tee" or (name == "cat" and (not rest or rest == ("-",))):
        return fed
    if name in ("which", "type", "command", "whereis") and rest and rest[0] != words[-1] or name == "which":
        return words[-1] + "\n" if len(words) > 1 else ""
    if name in _DECODERS and fed is not None and UNKNOWN not in fed:
        return _decoded(name, rest, fed)
    return ".\n" if name == "pwd" else None


def _decoded(name: str, words: tuple[str, ...], fed: str) -> str | None:
    """Return what is left of a text that is turned around or was encoded."""
    import binascii

    if name == "rev" and not words:
        return "".join(line[::-1] + "\n" for line in fed.splitlines())
    try:
        if name == "base64" and words in (("-d",), ("-D",), ("--decode",), ("-di",)):
            return binascii.a2b_base64(fed).decode()
        if name == "xxd" and sorted("".join(words).replace("-", "")) == ["p", "r"]:
            return binascii.unhexlify("".join(fed.split())).decode()
    except ValueError:
        pass
    return None


def _echo(words: tuple[str, ...]) -> str:
    flags = ""
    while words and words[0][:1] == "-" and words[0][1:] and not words[0].strip("-neE"):
        flags, words = flags + words[0], words[1:]
    text = " ".join(words)
    return (ansi(text) if "e" in flags else text) + ("" if "n" in flags else "\n")


def _printf(form: str, *given: str) -> str | None:
    """Return what printf prints, for the plain forms ``%s``, ``%b``, ``%d`` and ``%%``; the form is used up as often as
    there are arguments."""
    if form == "-v":
        return ""
    if form == "--":
        return _printf(*given) if given else ""
    pieces = _pieces(ansi(form))
    if pieces is None or UNKNOWN in form:
        return None
    wants = sum(piece[:1] == "%" and piece != "%%" for piece in pieces)
    found, rest = "", list(given)
    for _ in range(max(1, -(-len(given) // wants)) if wants else 1):
        for piece in pieces:
            if piece == "%%":
                found += "%"
            elif piece[:1] == "%":
                value = rest.pop(0) if rest else ""
                found += ansi(value) if piece == "%b" else value
            else:
                found += piece
    return found


def _pieces(form: str) -> list[str] | None:
    first, *rest = form.split("%")
    found = [first]
    at = 0
    while at < len(rest):
        piece = rest[at]
        if piece == "" and at + 1 < len(rest):
            found += ["%%", rest[at + 1]]
            at += 2
        elif piece[:1] in tuple("sbdq"):
            found += ["%" + piece[0], piece[1:]]
            at += 1
        else:
            return None
    return found
