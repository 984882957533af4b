"""Backslashes and braces of the shell: what ``$'\\x67'`` and ``{a,b}`` stand for."""

from __future__ import annotations

from limpet.guard.shell.command import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    # A letter that stands for itself, or a part that the shell does not look into again.
    Token = str | tuple[str, object]

_LETTERS = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_HEX = {"x": 2, "u": 4, "U": 8}
MOST_WORDS = 64


def ansi(text: str) -> str:
    """Return a text with the escapes of ``$'...'`` (and of ``printf`` and ``echo -e``) replaced."""
    if "\\" not in text:
        return text
    found: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\" or at + 1 == len(text):
            found.append(text[at])
            at += 1
            continue
        letter, at = text[at + 1], at + 2
        if letter in _LETTERS:
            found.append(_LETTERS[letter])
        elif letter in _HEX:
            code, at = _number(text, at, _HEX[letter], 16)
            found.append(_letter(code) if code is not None else "\\" + letter)
        elif letter in "01234567":
            code, at = _number(text, at - 1, 4 if letter == "0" else 3, 8)
            found.append(_letter((code or 0) & 0xFF))
        elif letter == "c":
            found.append(chr(ord(text[at]) & 0x1F) if text[at : at + 1] else "")
            at += 1
        else:
            found.append("\\" + letter)
    return "".join(found)


def _letter(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 else ""


def _number(text: str, at: int, most: int, base: int) -> tuple[int | None, int]:
    end = at
    digits = "0123456789abcdefABCDEF" if base == 16 else "01234567"
    if base == 16 and text[at : at + 1] == "{":
        close = text.find("}", at)
        inside = text[at + 1 : close]
        return (int(inside, 16), close + 1) if close > 0 and inside.strip(digits) == "" and inside else (None, at)
    while end < len(text) and end < at + most and text[end] in digits:
        end += 1
    return (int(text[at:end], base), end) if end > at else (None, at)


def braces(tokens: list[Token]) -> list[list[Token]]:
    """Return the words that ``{a,b}`` and ``{1..3}`` in one word stand for; of too many the last one is not known."""
    found: list[list[Token]] = []
    for word in _words(tokens):
        if len(found) == MOST_WORDS:
            return [*found, [("quoted", UNKNOWN)]]
        found.append(word)
    return found


def _words(tokens: list[Token]) -> Iterator[list[Token]]:
    opened = -1
    while "{" in tokens[opened + 1 :]:
        opened = tokens.index("{", opened + 1)
        close, commas = _group(tokens, opened)
        choices = _cut(tokens, opened, close, commas) if commas else _sequence(tokens[opened + 1 : close])
        if close < 0 or not choices:
            continue
        for inner in choices:
            for choice in _words(inner):
                for rest in _words(tokens[close + 1 :]):
                    yield [*tokens[:opened], *choice, *rest]
        return
    yield tokens


def _group(tokens: list[Token], opened: int) -> tuple[int, list[int]]:
    """Return where the brace closes, -1 for nowhere, and where its own commas are."""
    depth, commas = 0, []
    for at in range(opened, len(tokens)):
        if tokens[at] == "{":
            depth += 1
        elif tokens[at] == "," and depth == 1:
            commas.append(at)
        elif tokens[at] == "}":
            depth -= 1
            if depth == 0:
                return at, commas
    return -1, []


def _cut(tokens: list[Token], opened: int, close: int, commas: list[int]) -> list[list[Token]]:
    edges = [opened, *commas, close]
    return [tokens[start + 1 : end] for start, end in zip(edges, edges[1:], strict=False)]


def _sequence(inside: list[Token]) -> list[list[Token]]:
    """Return what stands between two dots: what ``{1..3}`` counts is not known."""
    return [[("quoted", UNKNOWN)]] if ".." in "".join(each for each in inside if isinstance(each, str)) else []
