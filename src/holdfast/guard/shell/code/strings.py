"""Strings of programming languages: where one ends, and what it holds."""

from __future__ import annotations

from holdfast.guard.shell.command import UNKNOWN
from holdfast.guard.shell.escapes import ansi

_QUOTES = ("'''", '"""', "'", '"', "`")
# Letters that a string may begin with, in one language or another.
STARTS = frozenset("'\"`rRbBfFuUq%")
_CLOSERS = {"(": ")", "[": "]", "{": "}", "<": ">"}
# Prefixes of strings in Python: with ``f`` a part in braces is not known, with ``r`` a backslash stands for itself.
_PREFIXES = frozenset("rRbBfFuU")


def read_string(text: str, at: int, language: str) -> tuple[str, str, int] | None:
    """Return the quote, the value and the end of the string that starts here, None where none does.

    A part that the language fills in later stands as ``UNKNOWN``.
    """
    start = at
    while language == "python" and start < at + 2 and text[start : start + 1] in _PREFIXES and _is_start(text, at):
        start += 1
    prefix = text[at:start].lower()
    quote = next((each for each in _QUOTES if text.startswith(each, start)), "")
    if quote and (len(quote) == 1 or language == "python"):
        return _quoted(text, start, quote, prefix, language)
    if quote:
        return _quoted(text, start, quote[0], prefix, language)
    return _delimited(text, at, language) if language in ("perl", "ruby") and _is_start(text, at) else None


def _is_start(text: str, at: int) -> bool:
    return not at or not (text[at - 1].isalnum() or text[at - 1] == "_")


def _quoted(text: str, start: int, quote: str, prefix: str, language: str) -> tuple[str, str, int] | None:
    begin = start + len(quote)
    end = begin
    while end < len(text) and not text.startswith(quote, end):
        end += 2 if text[end] == "\\" else 1
    value = text[begin:end]
    if quote == "'" and language in ("perl", "ruby", "php"):
        value = value.replace("\\\\", "\0").replace("\\'", "'").replace("\0", "\\")
    elif "r" not in prefix:
        value = ansi(value)
    return quote, _filled(value, quote, prefix, language), end + len(quote)


def _filled(value: str, quote: str, prefix: str, language: str) -> str:
    """Return a string with the parts that are filled in later as ``UNKNOWN``."""
    if language == "python":
        return _without(value, "{", "}") if "f" in prefix else value
    if language == "javascript":
        return _without(value, "${", "}") if quote == "`" else value
    if language == "ruby":
        return _without(value, "#{", "}") if quote != "'" else value
    if language in ("perl", "php", "groovy", "tcl") and quote != "'":
        return _without_variables(value)
    return value


def _without(value: str, opener: str, closer: str) -> str:
    first, *rest = value.split(opener)
    return first + "".join(UNKNOWN + part.partition(closer)[2] for part in rest)


def _without_variables(value: str) -> str:
    found, at = "", 0
    while at < len(value):
        if value[at] == "$" and at + 1 < len(value) and (value[at + 1].isalpha() or value[at + 1] in "{_"):
            found, at = found + UNKNOWN, at + 1
            while at < len(value) and (value[at].isalnum() or value[at] in "_{}"):
                at += 1
        else:
            found, at = found + value[at], at + 1
    return found


def _delimited(text: str, at: int, language: str) -> tuple[str, str, int] | None:
    """Return a string of the forms ``qx{...}``, ``q(...)`` and ``%x(...)``."""
    for opener, quote in (("qx", "`"), ("%x", "`"), ("qq", '"'), ("qw", '"'), ("q", "'"), ("%q", "'"), ("%w", '"')):
        mark = text[at + len(opener) : at + len(opener) + 1]
        if text.startswith(opener, at) and mark and not mark.isalnum() and not mark.isspace() and mark not in "_=,;)":
            begin = at + len(opener) + 1
            end = text.find(_CLOSERS.get(mark, mark), begin)
            end = len(text) if end < 0 else end
            return quote, _filled(text[begin:end], quote, "", language), end + 1
    return None
