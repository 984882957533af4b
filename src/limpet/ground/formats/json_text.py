"""JSON to values and back without ``json`` and ``re``, which the prompt hook must not import. The C scanner behind
``json`` is private, so it is believed only when it accepts: what it refuses, and everything on an interpreter without
it, goes to the public module."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Scan = Callable[[str, int], tuple[object, int]]
    Quote = Callable[[str], str]

WHITE_SPACE = " \t\n\r"

# With ``json`` instead a prompt takes 35 % longer (13 ms), one that finds memories 25 % (13 ms): bench/prompt_path.py.
scan: Scan
quote: Quote


def loads(text: str) -> object:
    """Of duplicate keys the last wins, NaN and Infinity are read. Raises ValueError: with the position for anything
    else, without it for nesting too deep for the stack."""
    start = len(text) - len(text.lstrip(WHITE_SPACE))
    try:
        value, end = scan(text, start)
        whole = not text[end:].strip(WHITE_SPACE)
    except Exception:  # the scanner is private: its ways of refusing differ between versions
        whole = False
    return value if whole else _loads_publicly(text)


def read_object(text: str | bytes | None) -> dict[str, Any]:
    if not text:
        return {}
    try:
        found = loads(text.decode("utf-8", "replace") if isinstance(text, bytes) else text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def dumps(value: object, indent: int | None = None) -> str:
    """ASCII only, in ``json.dumps``'s layout: one line, or ``indent`` spaces a level; NaN and the infinities become
    null. Raise TypeError for anything but dict with str keys, list, tuple, str, bool, None, int and float, and
    ValueError for a value nested too deeply or containing itself."""
    margin, step = ("", "") if indent is None else ("\n", " " * indent)
    try:
        return _write(value, margin, step)
    except RecursionError:
        raise ValueError("value is nested too deeply for JSON, or contains itself") from None


def spelled_out(text: str) -> str:
    """JSON with its letters beyond ASCII as they are: people read what a client logs. Half of a pair stays escaped."""
    return "\\\\".join(map(_spell, text.split("\\\\")))  # an escaped backslash escapes nothing behind it


class _Options:
    """The scanner's context, with the options of a plain ``json.loads``."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}.__getitem__


def _spell(part: str) -> str:
    made, *rest = part.split("\\u")
    high = 0
    for one in rest:
        code, tail = int(one[:4], 16), one[4:]
        if high and 0xDC00 <= code < 0xE000:
            made = made[:-6] + chr(0x10000 + (high - 0xD800) * 0x400 + code - 0xDC00) + tail
        else:
            made += f"{chr(code) if code >= 0xA0 and not 0xD800 <= code < 0xE000 else chr(92) + 'u' + one[:4]}{tail}"
        high = code if 0xD800 <= code < 0xDC00 and not tail else 0
    return made


def _loads_publicly(text: str) -> object:
    import json

    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("JSON is nested too deeply") from None


def _write(value: object, margin: str, step: str) -> str:
    kind = type(value)
    if kind is str:
        return quote(value)  # type: ignore[arg-type]
    if kind is int:
        return repr(value)
    if isinstance(value, dict):
        inner = margin + step
        items = []
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"JSON keys are strings, not {type(key).__name__}")
            items.append(f"{quote(key)}: {quote(item) if type(item) is str else _write(item, inner, step)}")
        return _enclose("{", items, "}", margin, step)
    if isinstance(value, (list, tuple)):
        return _enclose("[", [_write(item, margin + step, step) for item in value], "]", margin, step)
    return _write_atom(value)


def _write_atom(value: object) -> str:
    if isinstance(value, str):
        return quote(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value) if value - value == 0 else "null"
    raise TypeError(f"JSON has no form for {type(value).__name__}")


def _enclose(opening: str, items: list[str], closing: str, margin: str, step: str) -> str:
    if not items:
        return opening + closing
    separator = "," + margin + step if margin else ", "
    return f"{opening}{margin}{step}{separator.join(items)}{margin}{closing}"


def _refuse(text: str, start: int) -> tuple[object, int]:
    raise StopIteration(start)


def _quote_publicly(text: str) -> str:
    import json

    return json.dumps(text)


try:
    from _json import encode_basestring_ascii, make_scanner

    scan = make_scanner(_Options)  # type: ignore[arg-type]  # any object with these attributes will do
    quote = encode_basestring_ascii
except (ImportError, AttributeError, TypeError):
    scan, quote = _refuse, _quote_publicly
