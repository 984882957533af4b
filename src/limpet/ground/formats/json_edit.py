"""JSON files of others, edited as data and written the way they were: with their indentation, line ends and mark."""

from __future__ import annotations

import json
import re
from typing import Any

from limpet.ground.errors import LimpetError

Path = tuple[str | int, ...]

BOM = "\ufeff"
HINT = "Fix the file in an editor; nothing was written."
_COMMENT = r"//[^\n]*|/\*[\s\S]*?\*/"
COMMENTS = re.compile(rf'"(?:[^"\\]|\\.)*"|{_COMMENT}')
"""What some clients pass over in their JSON, beside strings, in which nothing is passed over."""
COMMENTS_AND_COMMAS = re.compile(rf"{COMMENTS.pattern}|,(?=(?:\s|{_COMMENT})*[}}\]])")
# The white space before an object's first member, and the blank behind the colon.
_FIRST_MEMBER = re.compile(r'\s*\{(\s*)"(?:[^"\\]|\\.)*"\s*:( ?)')


def parse_json_text(text: str, where: str = "", skips: re.Pattern[str] | None = None) -> object:
    """A text of nothing but white space is an empty object. ``skips``: what the reading client passes over. Raises
    LimpetError with ``where:line:column``."""
    bare = text.removeprefix(BOM)
    bare = skips.sub(_blank, bare) if skips else bare
    try:
        return json.loads(bare) if bare.strip() else {}
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        is_comment = bare.startswith(("//", "/*"), error.pos)
        what = "A comment, which JSON cannot have" if is_comment else f"Invalid JSON: {error.msg}"
        raise LimpetError(what, place, HINT) from error
    except RecursionError as error:
        raise LimpetError("JSON is nested too deeply", where, HINT) from error


def parse_json_object(text: str, where: str = "", skips: re.Pattern[str] | None = None) -> dict[str, Any]:
    """Raises LimpetError as ``parse_json_text`` does, and for another value."""
    data = parse_json_text(text, where, skips)
    if not isinstance(data, dict):
        raise LimpetError("The settings are not a JSON object", where, HINT)
    return data


def has_skipped(text: str, skips: re.Pattern[str] | None) -> bool:
    return skips is not None and skips.sub(_blank, text) != text


def render_like(data: dict[str, Any], text: str) -> str:
    """As ``text``, the JSON of another object, is written; the text itself where it says the same."""
    if parse_json_text(text) == data:
        return text
    bare = text.removeprefix(BOM)
    mark, tail = text[: len(text) - len(bare)], bare[len(bare.rstrip()) :] if bare.strip() else "\n"
    first = _FIRST_MEMBER.match(bare)
    gap, blank = first.groups() if first else ("\n", " ")
    between, indent = (", " if blank else ","), None
    if "\n" in gap:
        between, indent = ",", gap.rpartition("\n")[2] or "  "
    are_escaped = text.isascii() and "\\u" in text
    body = json.dumps(data, ensure_ascii=are_escaped, indent=indent, separators=(between, f":{blank}"))
    if "\r\n" in text:
        body = body.replace("\n", "\r\n")
    return mark + body.encode("utf-8", "backslashreplace").decode() + tail  # half a surrogate pair has no bytes


def look_up(data: Any, path: Path) -> Any:
    try:
        for key in path:
            data = data[key]
    except (KeyError, IndexError, TypeError):
        return None
    return data


def reach(data: dict[str, Any], path: tuple[str, ...], where: str = "") -> dict[str, Any]:
    """Missing objects are made. Raises LimpetError for another value on the way."""
    for depth, key in enumerate(path):
        data = data.setdefault(key, {})
        if not isinstance(data, dict):
            raise LimpetError(f"{'.'.join(path[: depth + 1])} is not a JSON object", where, HINT)
    return data


def append_item(data: dict[str, Any], path: tuple[str, ...], item: object, where: str = "") -> None:
    """A missing list is made. Raises LimpetError for another value there."""
    items = reach(data, path[:-1], where).setdefault(path[-1], [])
    if not isinstance(items, list):
        raise LimpetError(f"{'.'.join(path)} is not a list", where, HINT)
    items.append(item)


def drop_empty(data: dict[str, Any], path: tuple[str, ...], original: object) -> None:
    """The object or list at a path, then what holds it; what ``original`` has stays."""
    for end in range(len(path), 0, -1):
        if look_up(data, path[:end]) in ([], {}) and look_up(original, path[:end]) is None:
            del look_up(data, path[: end - 1])[path[end - 1]]


def _blank(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else re.sub(r"\S", " ", found[0])
