"""Secrets out of text before it is written or sent. Cold: on the prompt path text is redacted where it enters
plan, mirror and index."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import cache

from holdfast.ground.assigned_secrets import redact_assigned
from holdfast.ground.random_tokens import looks_drawn, redact_random
from holdfast.ground.secret_patterns import ROWS

MARK = "[redacted:{kind}]"
# A known value that is shorter, or that is a word anybody writes, would take the sense out of a text.
KNOWN_CHARACTERS = 8
# A mark may lay bare the beginning of another secret; what needs more passes than this is made up to need them.
_PASSES = 8
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
    """The text with every secret replaced by a mark that names its kind, ``[redacted:kind]``; the rest as it was.

    ``known`` are secrets by value, such as those of ``.env`` files: they are replaced wherever they stand, also as
    JSON or a URL spells them, when they have at least KNOWN_CHARACTERS characters. Redacting twice changes nothing.
    """
    spellings = _spellings(known, text)
    for _ in range(_PASSES):
        redacted = _redact_once(text, spellings)
        if redacted == text:
            break
        text = redacted
    return text


def _redact_once(text: str, spellings: list[str]) -> str:
    text = _redact_known(text, spellings)
    lowered = text.lower()
    for kind, hints, pattern in ROWS:
        if any(hint in lowered for hint in hints):
            text = _compiled(pattern).sub(_marker(kind), text)
    return _REST.sub(_without_rest, redact_random(redact_assigned(text, MARK), MARK))


def _without_rest(found: re.Match[str]) -> str:
    return found.group(1) if looks_drawn(found["rest"]) else found.group()


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


def _spellings(known: Collection[str], text: str) -> list[str]:
    """Those in the text, the longest first, so that none is left with the tail of another."""
    if not known:
        return []
    import json
    from urllib.parse import quote

    values = {value for value in known if len(value) >= KNOWN_CHARACTERS}
    spelled = values | {json.dumps(v, ensure_ascii=False)[1:-1] for v in values} | {quote(v, safe="") for v in values}
    return sorted((each for each in spelled if each in text), key=lambda each: (-len(each), each))
