"""Redacts secrets in text before it is written or sent.

Not on the prompt path: text is redacted where it enters plan, mirror and index.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from holdfast.ground.safety.assigned_secrets import redact_assigned
from holdfast.ground.safety.hints import by_hint, hinted
from holdfast.ground.safety.random_tokens import looks_drawn, redact_random
from holdfast.ground.text.word_lists import read_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

MARK = "[redacted:{kind}]"
# A known value that is shorter, or that is a word anybody writes, would take the sense out of a text.
KNOWN_CHARACTERS = 8
# A mark may lay bare the beginning of another secret; what needs more passes than this is made up to need them.
_PASSES = 8


def _row(line: str) -> tuple[str, tuple[str, ...], str]:
    """Return (kind, hints, pattern) of a line of the data; one with a name finds what is assigned to it."""
    kind, hints, pattern, *name = line.split(" | ")
    if name:
        pattern = (
            rf"(?i:{name[0]})[\w .-]{{0,30}}\\?[\"']?[ \t]{{0,8}}(?::=|=>|[:=])[ \t]{{0,8}}"
            rf"\\?[\"']?({pattern})(?![\w+/-])"
        )
    return kind, tuple(hints.split(", ")), pattern


ROWS = tuple(_row(line) for lines in read_words("words/secrets").values() for line in lines)
_HINTED = by_hint((hints, number) for number, (_, hints, _) in enumerate(ROWS))
_MARKED = r"\[redacted:[a-z0-9-]{1,40}\]"
# What directly follows a mark, or begins the line after it, is the rest of the secret where nobody writes such a word:
# a terminal wraps a long one.
_REST = re.compile(
    rf"({_MARKED})(?:(?:[ \t]{{0,4}}\n[ \t>|#+]{{0,20}})?)"
    r"(?P<rest>(?=[^\s]{0,400}[A-Z])(?=[^\s]{0,400}[a-z])(?=[^\s]{0,400}[0-9])[A-Za-z0-9._~+/-]{8,400}+={0,2})"
    r"(?=[\s\"',;)\]]|$)"
)
# A key begins where no letter or digit stands before it, but for what ends an escape: "\n" in JSON, "%3D", a colour.
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\[\dm)|(?<=\[\d\dm))"


def redact(text: str, *, known: Collection[str] = ()) -> str:
    """Return the text with every secret replaced by a mark that names its kind, ``[redacted:kind]``; the rest as it
    was.

    ``known`` are secrets by value, such as those of ``.env`` files: they are replaced wherever they stand, also as
    JSON or a URL spells them, when they have at least KNOWN_CHARACTERS characters. Redacting twice changes nothing.
    """
    spellings = spellings_in(text, known)
    for _ in range(_PASSES):
        redacted = _redact_once(text, spellings)
        if redacted == text:
            break
        text = redacted
    return text


def spellings_in(text: str, known: Collection[str]) -> list[str]:
    """Return the spellings of the known secrets that the text holds, the longest first, so that none is left with the
    tail of another. As ``known`` for the parts of a text they spare looking for all the others in each."""
    if not known:
        return []
    import json
    from urllib.parse import quote

    values = {value for value in known if len(value) >= KNOWN_CHARACTERS}
    spelled = values | {json.dumps(v, ensure_ascii=False)[1:-1] for v in values} | {quote(v, safe="") for v in values}
    return sorted((each for each in spelled if each in text), key=lambda each: (-len(each), each))


def redact_all(value: Any, known: Collection[str] = ()) -> Any:
    """Return the value, of mappings, lists and plain data, with secrets taken out of every text in it."""
    if isinstance(value, Mapping):
        return {key: redact_all(item, known) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact_all(item, known) for item in value]
    return redact(value, known=known) if isinstance(value, str) else value


def _redact_once(text: str, spellings: list[str]) -> str:
    text = _redact_known(text, spellings)
    for number in hinted(_HINTED, text.lower()):
        kind, _, pattern = ROWS[number]
        text = _compiled(pattern).sub(_marker(kind), text)
    text = redact_random(redact_assigned(text, MARK), MARK)
    return _REST.sub(lambda found: found[1] if looks_drawn(found["rest"]) else found[0], text)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(f"{_START}(?:{pattern})", re.ASCII)


@cache
def _marker(kind: str) -> Callable[[re.Match[str]], str]:
    mark = MARK.format(kind=kind)

    def replace(found: re.Match[str]) -> str:
        whole, group = found.group(), found.lastindex
        if group is None:
            return mark
        start, end = (place - found.start() for place in found.span(group))
        return whole[:start] + mark + whole[end:]

    return replace


def _redact_known(text: str, spellings: list[str]) -> str:
    if not spellings:
        return text
    mark = MARK.format(kind="known-secret")
    either = re.compile(f"({_MARKED})|" + "|".join(map(re.escape, spellings)))
    return either.sub(lambda found: found.group(1) or mark, text)
