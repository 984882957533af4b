"""Redacts secrets in text before it is written or sent. Not on the prompt path: text is redacted where it enters plan,
mirror and index."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain, islice

from limpet.ground.safety.hints import by_hint, hinted, longest_word, lowered, places
from limpet.ground.safety.patterns import compiled, later
from limpet.ground.safety.secret_forms import find_assigned, find_random, looks_drawn
from limpet.ground.text.escaping import is_unseen
from limpet.ground.text.unseen import RANGES
from limpet.ground.text.word_lists import read_words
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Any

    Found = tuple[int, int, str]

MARK = "[redacted:{kind}]"
_BEGUN = MARK.partition("{")[0]
# A known value that is shorter, or that is a word anybody writes, would take the sense out of a text.
KNOWN_CHARACTERS = 8
# A shorter text that is one word holds no secret: there is no such key, and nothing names it.
SHORTEST_WORD = 16
_IN_WORDS = {ord(sign): None for sign in "_-."}
# A mark may lay bare the beginning of another secret; what needs more passes than this is made up to need them.
_PASSES = 8
# Characters that are gone through in all: a long text takes fewer passes.
_MOST_READ = 3_000_000
# What stands between a name and a value without a form: a word, and what a program or a sentence has there.
_NAMED = (
    r"[\w .-]{{0,24}}?(?i:key|token|secret|password|passwd|credential|auth)(?:[\w .-]{{0,24}}?(?:\\?[\"'`*\])]){{0,3}}"
    r"(?:[ \t]{{0,8}}(?::=|=>|->|[:=|,])|[ ](?:is|was|es|est|ist|é|to))?[ \t]{{0,8}}\\?[\"'`*(\[]{{0,2}}"
    r"(?<![A-Za-z0-9+/])|[_-]?)({})(?![A-Za-z0-9+/])"
)
# What shows how a key looks.
_EXAMPLE = later(r"x{8}|X{8}|\.{3}|EXAMPLE", re.ASCII)
# Whether there is anything at all that a name may be for.
_SHORTEST_VALUE = 14
_VALUE = later(r"(?<![A-Za-z0-9])(?=[\w+/:.-]{14})[A-Za-z_+/:.-]{0,60}\d", re.ASCII)
_DIGITS, _BEFORE_DIGIT, _MOST_DIGITS = later(r"\d+", re.ASCII), 61, 1_000
_MARKED = r"\[redacted:[a-z0-9-]{1,40}\]"
# What directly follows a mark, or begins the line after it, is the rest of the secret where nobody writes such a word:
# a terminal wraps a long one.
_REST = later(
    rf"({_MARKED})(?:[\"'`]?[ \t]{{0,4}}[\\+]?(?:\r?\n|\\n)[ \t>|#+]{{0,20}}[\"'`]?)?"
    r"(?P<rest>(?=[^\s]{0,400}?[A-Za-z])(?=[^\s]{0,400}?[0-9])[A-Za-z0-9._~+/-]{8,400}+={0,2})(?=[\s\"',;)\]]|$)"
)
_UNSEEN = "".join(f"{chr(first)}-{chr(last)}" for first, last in (*RANGES, (0xE0000, 0xE007F)))
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
# Characters around the beginning of a key that are looked at in a large text, and how many of one beginning.
_AROUND, _MOST_PLACES = 200, 500
# So much of the text is kept around what was changed.
_LEFT, _RIGHT = 120, 120
_BASE64 = later(
    r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{60,}+(?:(?:\r?\n|\\n)[ \t]{0,16}[A-Za-z0-9+/_-]{4,}+)*+"
    r"|[A-Za-z0-9+/_-]{24,}+)={0,2}"
)
_SHORTEST_BASE64 = 24
_NOT_BASE64 = later(r"\\n|\s|=")
_URL_SAFE = str.maketrans("-_", "+/")


def _read_rows() -> tuple[tuple[str, tuple[str, ...], str, str], ...]:
    """(Kind, hints, pattern, "<" where it begins a word, ">" where it has a name only) of each line of the data."""
    rows = []
    for line in chain.from_iterable(read_words("words/secrets").values()):
        kind, hints, pattern = line.split(" | ", 2)
        sign = pattern[0] if pattern[0] in "<>" else ""
        pattern = pattern[len(sign) :].lstrip()
        rows.append((kind, tuple(hints.split(", ")), _NAMED.format(pattern) if sign == ">" else pattern, sign))
    return tuple(rows)


ROWS = _read_rows()
_FORMS = by_hint([(hints, number) for number, (_, hints, _, sign) in enumerate(ROWS) if sign != ">"])
_NAMES = by_hint([(hints, number) for number, (_, hints, _, sign) in enumerate(ROWS) if sign == ">"])


def redact(text: str, *, known: Collection[str] = ()) -> str:
    """Every secret becomes a mark that names its kind, ``[redacted:kind]``. Redacting twice changes nothing.

    ``known``: secrets by value, such as those of ``.env`` files: they are replaced wherever they stand, also as JSON or
    a URL spells them, when they have at least KNOWN_CHARACTERS characters.
    """
    spellings = spellings_in(text, known)
    if len(text) < SHORTEST_WORD and not spellings and text.isascii() and text.translate(_IN_WORDS).isalnum():
        return text
    for _ in range(max(2, min(_PASSES, _MOST_READ // (len(text) + 1)))):
        redacted = _redact_once(text, spellings)
        if redacted == text:
            break
        text = redacted
    return text


def spellings_in(text: str, known: Collection[str]) -> list[str]:
    """Of the known secrets that the text holds, the longest first, so that none is left with the tail of another. As
    ``known`` for the parts of a text they spare looking for all the others in each."""
    if not known:
        return []
    import json
    from urllib.parse import quote

    values = {value for value in known if len(value) >= KNOWN_CHARACTERS}
    spelled = values | {json.dumps(v, ensure_ascii=False)[1:-1] for v in values} | {quote(v, safe="") for v in values}
    return sorted((each for each in spelled if each in text), key=lambda each: (-len(each), each))


def redact_all(value: Any, known: Collection[str] = ()) -> Any:
    if isinstance(value, Mapping):
        return {key: redact_all(item, known) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact_all(item, known) for item in value]
    return redact(value, known=known) if isinstance(value, str) else value


def _redact_once(text: str, spellings: list[str]) -> str:
    if spellings:
        mark = MARK.format(kind="known-secret")
        either = re.compile(f"({_MARKED})|" + "|".join(map(re.escape, spellings)))
        text = either.sub(lambda found: found.group(1) or mark, text)
    for find, views in _STAGES:
        for look in views:
            view = look(text) if look else None
            if view:
                text = _marked(text, ((*view.origin(start, end), kind) for start, end, kind in find(view.text)))
            elif look is None:
                text = _marked(text, find(text))
    if _BEGUN not in text:
        return text
    return _REST().sub(lambda found: found[1] if looks_drawn(found["rest"]) else found[0], text)


def find_known(text: str) -> Iterator[tuple[str, str]]:
    """(Kind, key) of those of a known form, looked for only where something begins like one: of a text that is too
    large for more in the time that there is."""
    for hint, numbers in _FORMS.items():
        for at in islice(places(text, hint), _MOST_PLACES):
            begin, end = max(0, at - len(hint) - _AROUND), at + _AROUND
            around = text[begin:end]
            for number in numbers:
                kind, _, pattern, _ = ROWS[number]
                found = compiled(pattern, re.ASCII).search(around)
                if found and not _EXAMPLE().search(found[0]):
                    yield kind, found[found.lastindex or 0]


def _find_keys(text: str) -> Iterator[Found]:
    for number in hinted(_FORMS, text):
        kind, _, pattern, sign = ROWS[number]
        for found in compiled(pattern, re.ASCII).finditer(text):
            before = text[found.start() - 1 : found.start()]
            is_fused = sign and before.isascii() and before.isalnum()
            if not (is_fused or _EXAMPLE().search(found[0])):
                yield *found.span(found.lastindex or 0), kind
    low = lowered(text) if longest_word(text) >= _SHORTEST_VALUE and _has_value(text) else ""
    for number in hinted(_NAMES, low):
        kind, names, pattern, _ = ROWS[number]
        for at in chain.from_iterable(places(low, name) for name in names):
            beside = compiled(pattern, re.ASCII).match(text, at)
            if beside and any(map(str.isdigit, beside[1])) and looks_drawn(beside[1]):
                yield *beside.span(1), kind


def _has_value(text: str) -> bool:
    for count, digit in enumerate(_DIGITS().finditer(text)):
        begin = max(0, digit.start() - _BEFORE_DIGIT)
        if count == _MOST_DIGITS or _VALUE().search(text, begin, digit.end() + _BEFORE_DIGIT):
            return True
    return False


def _marked(text: str, secrets: Iterable[Found]) -> str:
    """Where some overlap, one mark of the kind that was found first."""
    found = sorted([(start, end, rank, kind) for rank, (start, end, kind) in enumerate(secrets)])
    if not found:
        return text
    merged: list[tuple[int, int, int, str]] = []
    for start, end, rank, kind in found:
        if merged and start < merged[-1][1]:
            first, last, best, known = merged.pop()
            start, end, (rank, kind) = first, max(last, end), min((best, known), (rank, kind))
        merged.append((start, end, rank, kind))
    parts: list[str] = []
    at = 0
    for start, end, _, kind in merged:
        parts += text[at:start], MARK.format(kind=kind)
        at = end
    return "".join((*parts, text[at:]))


class View(Value):
    """A text made of another one: ``starts`` says where each of its pieces begins, ``origins`` where the piece begins
    and ends in the other text."""

    text: str
    starts: tuple[int, ...]
    origins: tuple[tuple[int, int], ...]

    def origin(self, start: int, end: int) -> tuple[int, int]:
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
    """Without letters that nobody sees either, None where there is nothing to decode."""
    if text.isascii():
        if "\\" not in text and "%" not in text and "\x1b" not in text:
            return None
        pattern = _ESCAPE()
    else:
        pattern = _ESCAPE_OR_UNSEEN()
    return _rewritten(text, [(*found.span(), _decode(found)) for found in pattern.finditer(text)])


def joined(text: str) -> View | None:
    """Escapes are decoded, and the lines joined between which a key may be parted."""
    plain = decoded(text)
    said = plain.text if plain else text
    if "\n" not in said and '"' not in said and "'" not in said:
        return None
    view = _rewritten(said, [found for found in map(_parted, _BREAK().finditer(said)) if found])
    if view is None or plain is None:
        return view
    return view.replace(origins=tuple(plain.origin(*each) for each in view.origins))


def undone(text: str) -> View | None:
    """What the text holds in base64 that is text itself, a line each, None where it holds none."""
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


def unwrapped(text: str) -> View | None:
    """As ``undone``, and the escapes in that decoded, such as those of JSON."""
    outer = undone(text)
    inner = decoded(outer.text) if outer else None
    return inner.replace(origins=tuple(outer.origin(*each) for each in inner.origins)) if outer and inner else outer


def _rewritten(text: str, changes: list[tuple[int, int, str]]) -> View | None:
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
    start = found.start()
    before = _BEFORE().search(found.string[max(0, start - _LONGEST_BEFORE) : start])
    return (start - len(before[1]), found.end(), "") if before else None


def _decode(found: re.Match[str]) -> str:
    code = found["wide"] or found["narrow"] or found["percent"]
    letter = chr(int(code, 16)) if code else _SIGNS.get(found["sign"], found["sign"] or "")
    return "" if letter and is_unseen(letter) else letter


def _undo(run: str) -> str:
    run = _NOT_BASE64().sub("", run).translate(_URL_SAFE)
    try:
        said = a2b_base64(run + "=" * (-len(run) % 4)).replace(b"\0", b"").decode()
    except (Error, UnicodeDecodeError):
        return ""
    return said if "".join(said.split()).isprintable() else ""


# What is looked for, and in which views; None is the text itself. A key goes with the escapes in it.
_STAGES: tuple[tuple[Callable[[str], Iterable[Found]], tuple[Callable[[str], View | None] | None, ...]], ...] = (
    (_find_keys, (decoded, None, joined, undone, unwrapped)),
    (find_assigned, (None, decoded, unwrapped)),
    (find_random, (None, undone)),
)
