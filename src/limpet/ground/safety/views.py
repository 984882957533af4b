"""A text in plain dress: escapes decoded, lines joined, base64 undone. A view knows where in the text its parts stand.

Apart from redaction, which looks for secrets in a view as in the text itself.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from bisect import bisect_right
from functools import lru_cache

from limpet.ground.safety.hints import longest_word
from limpet.ground.safety.patterns import later
from limpet.ground.text.escaping import UNSEEN_LETTERS
from limpet.ground.values import Value

_UNSEEN = "".join(map(chr, (*UNSEEN_LETTERS, *range(0xE0000, 0xE0080))))
# JSON's escapes, also in JSON that is a text of JSON; a URL's; colours of a terminal; letters that nobody sees.
_ESCAPES = (
    r"(?<=\\)\\{0,15}(?:u(?P<wide>[0-9a-fA-F]{4})|x(?P<narrow>[0-9a-fA-F]{2})|(?P<sign>[\"/nrt]))"
    r"|(?<=%)(?:25){0,3}(?P<percent>[2-7][0-9a-fA-F]|0[9aAdD])|(?<=\x1b)\[[0-9;]{0,16}m"
)
_ESCAPE = later(rf"[\\%\x1b](?:{_ESCAPES})")
_ESCAPE_OR_UNSEEN = later(rf"[\\%\x1b{_UNSEEN}](?:{_ESCAPES}|(?<=[{_UNSEEN}])[{_UNSEEN}]*)")
_SIGNS = {"n": "\n", "r": "\r", "t": "\t"}
# What parts the halves of a key: a break, or quotes, with what code, a shell or a quotation has around it. The second
# half has a digit or a change of case, and no sign of equality behind it; a word or a name that begins a line is none.
_KEY = r"[\w+/=~.-]"
_BREAK = later(
    rf"(?:\n[ \t>|#*+.&-]{{0,24}}[\"'`]?|\"[ \t]{{0,4}}\+?[ \t]{{0,4}}\"|'[ \t]{{0,4}}[+.]?[ \t]{{0,4}}')"
    rf"(?=[\w+/~.-]{{4,400}}+={{0,2}}(?![\w=]))(?={_KEY}{{0,32}}?(?:\d|[a-z][A-Z]|[A-Z]{{2}}))",
    re.ASCII,
)
_BEFORE = later(rf"{_KEY}{{4}}([\"'`]?[ \t]{{0,4}}[\\+.&]?[ \t]{{0,4}}\r?)$", re.ASCII)
_LONGEST_BEFORE = 15
# So much of the text is kept around what was changed.
_LEFT, _RIGHT = 120, 120
_BASE64 = later(
    r"(?<![A-Za-z0-9+/_=-])(?:[A-Za-z0-9+/_-]{60,}+(?:(?:\r?\n|\\n)[ \t]{0,16}[A-Za-z0-9+/_-]{4,}+)*+"
    r"|[A-Za-z0-9+/_-]{24,}+)={0,2}"
)
_SHORTEST_BASE64 = 24
_NOT_BASE64 = later(r"\\n|\s|=")
_URL_SAFE = str.maketrans("-_", "+/")


class View(Value):
    """A text made of another one.

    ``starts``: where each of its pieces begins; ``origins``: where the piece begins and ends in the other text.
    """

    text: str
    starts: tuple[int, ...]
    origins: tuple[tuple[int, int], ...]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return where in the other text the part from ``start`` to ``end`` stands: a piece that was changed, whole."""
        first, last = (bisect_right(self.starts, at) - 1 for at in (start, end - 1))
        begin, stop = self.origins[first][0], self.origins[last][1]
        if self._is_kept(first):
            begin += start - self.starts[first]
        if self._is_kept(last):
            stop = self.origins[last][0] + end - self.starts[last]
        return begin, stop

    def _is_kept(self, piece: int) -> bool:
        ends = (*self.starts[piece + 1 : piece + 2], len(self.text))
        begin, end = self.origins[piece]
        return ends[0] - self.starts[piece] == end - begin


@lru_cache(maxsize=2)
def decoded(text: str) -> View | None:
    """Return the text with its escapes decoded and without letters that nobody sees, None where it has none."""
    if text.isascii():
        if "\\" not in text and "%" not in text and "\x1b" not in text:
            return None
        pattern = _ESCAPE()
    else:
        pattern = _ESCAPE_OR_UNSEEN()
    return _rewritten(text, [(*found.span(), _decode(found)) for found in pattern.finditer(text)])


def joined(text: str) -> View | None:
    """Return the text with its escapes decoded and the lines joined between which a key may be parted."""
    plain = decoded(text)
    said = plain.text if plain else text
    if "\n" not in said and '"' not in said and "'" not in said:
        return None
    view = _rewritten(said, [found for found in map(_parted, _BREAK().finditer(said)) if found])
    if view is None or plain is None:
        return view
    return view.replace(origins=tuple(plain.origin(*each) for each in view.origins))


def undone(text: str) -> View | None:
    """Return what the text holds in base64 that is text itself, a line each, None where it holds none."""
    if longest_word(text) < _SHORTEST_BASE64:
        return None
    parts, starts, origins, length = [], [], [], 0
    for found in _BASE64().finditer(text):
        if said := _undo(found.group()):
            parts.append(said)
            starts.append(length)
            origins.append(found.span())
            length += len(said) + 1
    return View("\n".join(parts), tuple(starts), tuple(origins)) if parts else None


def _rewritten(text: str, changes: list[tuple[int, int, str]]) -> View | None:
    """Return the parts of the text in which something is changed, each change as where it begins, ends, and what is
    said instead; None for none."""
    parts, starts, origins, length, at = [], [], [], 0, 0
    for start, end, said in (*changes, (len(text), len(text), "")) if changes else ():
        pieces = [(text[at:start], at, start), (said, start, end)]
        stop = text.find(" ", at + _RIGHT, start - _LEFT)
        if stop > 0:
            begin = start - _LEFT
            pieces[:1] = [(text[at:stop], at, stop), ("\n\n", stop, stop), (text[begin:start], begin, start)]
        for part, begin, stop in pieces:
            if part:
                parts.append(part)
                starts.append(length)
                origins.append((begin, stop))
                length += len(part)
        at = end
    return View("".join(parts), tuple(starts), tuple(origins)) if parts else None


def _parted(found: re.Match[str]) -> tuple[int, int, str] | None:
    """Return where the halves of a key are parted, None where no half stands before."""
    start = found.start()
    before = _BEFORE().search(found.string[max(0, start - _LONGEST_BEFORE) : start])
    return (start - len(before[1]), found.end(), "") if before else None


def _decode(found: re.Match[str]) -> str:
    code = found["wide"] or found["narrow"] or found["percent"]
    letter = chr(int(code, 16)) if code else _SIGNS.get(found["sign"], found["sign"] or "")
    return "" if letter in _UNSEEN else letter


def _undo(run: str) -> str:
    run = _NOT_BASE64().sub("", run).translate(_URL_SAFE)
    try:
        said = a2b_base64(run + "=" * (-len(run) % 4)).replace(b"\0", b"").decode()
    except (Error, UnicodeDecodeError):
        return ""
    return said if "".join(said.split()).isprintable() else ""
