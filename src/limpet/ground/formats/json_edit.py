"""Edits of a JSON text that keep every byte they do not change, which ``json`` cannot do."""

from __future__ import annotations

import json
import re

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value

Path = tuple[str | int, ...]

SPACE = re.compile(r"[ \t\r\n]*")
BOM = "\ufeff"
DECODER = json.JSONDecoder()
DEFAULT_UNIT = "  "
HINT = "Fix the file in an editor; nothing was written."


def parse_json_text(text: str, where: str = "") -> object:
    """Return the value of a JSON text; a text of nothing but white space is an empty object.

    Raises LimpetError with ``where:line:column`` when the text is no JSON.
    """
    bare = text.removeprefix(BOM)
    try:
        return json.loads(bare) if bare.strip() else {}
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        raise LimpetError(f"Invalid JSON: {error.msg}", place, HINT) from error
    except RecursionError as error:
        raise LimpetError("JSON is nested too deeply", where, HINT) from error


def set_json_value(text: str, path: Path, value: object, where: str = "") -> str:
    """Return the text with the value at ``path`` replaced or inserted as the last member; missing objects are made.

    Raises LimpetError for a broken text, a missing array item, or a path through something that is no container.
    """
    if not path:
        raise LimpetError("The path is empty", where)
    text, container, depth = _walk(text, path[:-1], where)
    key, part = path[depth], container.find(path[depth])
    if part is None:
        _require(isinstance(key, str) and container.is_object, text, container.start, where, path[: depth + 1])
        return _insert(text, container, key, _nest(path[depth + 1 :], value))
    gap = _newline(text) + _line_indent(text, part.start) if _is_pretty(text) else ""
    return text[: part.value_start] + _dump(text, value, gap) + text[part.end :]


def append_item(text: str, path: Path, value: object, where: str = "") -> str:
    """Return the text with an item more in the array at ``path``; a missing array is made.

    Raises LimpetError as ``set_value`` does.
    """
    text, container, depth = _walk(text, path, where)
    if depth < len(path):
        return set_json_value(text, path, [value], where)
    _require(not container.is_object, text, container.start, where, path)
    return _insert(text, container, len(container.parts), value)


def remove_value(text: str, path: Path, where: str = "") -> str:
    """Return the text without the member or array item at ``path``, its comma and its own line.

    Raises LimpetError when there is none.
    """
    text, container, depth = _walk(text, path[:-1], where)
    keys = [part.key for part in container.parts]
    _require(path[depth:] in [(key,) for key in keys], text, container.start, where, path[: depth + 1])
    for index in reversed([index for index, key in enumerate(keys) if key == path[-1]]):
        text = _cut(text, container, index)
        container = _scan(text, container.start)
    return text


class Part(Value):
    """A member of an object or an item of an array.

    ``key``: the member's name or the item's index.
    ``start``, ``value_start``, ``end``: offsets of its first character, of its value, and past its end.
    """

    key: str | int
    start: int
    value_start: int
    end: int


class Container(Value):
    """An object or array.

    ``start``, ``end``: offsets of its opening bracket and past the closing one.
    ``parts``: its members or items, in order.
    """

    start: int
    end: int
    is_object: bool
    parts: tuple[Part, ...]

    def find(self, key: str | int) -> Part | None:
        """Return the part of that key, the last where the key is there twice, as JSON readers do."""
        return next((part for part in reversed(self.parts) if part.key == key), None)


def _walk(text: str, path: Path, where: str) -> tuple[str, Container, int]:
    """Return (the text, an object if it was empty; the innermost container on the way; how many keys led to it)."""
    parse_json_text(text, where)
    if not text.removeprefix(BOM).strip():
        text += "{}\n"
    container = _container(text, _skip(text, text.startswith(BOM)), where, ())
    for depth, key in enumerate(path):
        part = container.find(key)
        if part is None:
            return text, container, depth
        container = _container(text, part.value_start, where, path[: depth + 1])
    return text, container, len(path)


def _container(text: str, start: int, where: str, path: Path) -> Container:
    _require(text[start] in "{[", text, start, where, path)
    return _scan(text, start)


def _scan(text: str, start: int) -> Container:
    is_object = text[start] == "{"
    parts: list[Part] = []
    at = _skip(text, start + 1)
    while text[at] not in "]}":
        parts.append(_part(text, at, None if is_object else len(parts)))
        at = _skip(text, parts[-1].end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Container(start, at + 1, is_object, tuple(parts))


def _part(text: str, start: int, index: int | None) -> Part:
    if index is not None:
        return Part(index, start, start, DECODER.raw_decode(text, start)[1])
    key, end = DECODER.raw_decode(text, start)
    value_start = _skip(text, _skip(text, end) + 1)
    return Part(key, start, value_start, DECODER.raw_decode(text, value_start)[1])


def _insert(text: str, container: Container, key: str | int, value: object) -> str:
    if container.parts:
        last = container.parts[-1]
        gap = _gap_before(text, last)
        return text[: last.end] + "," + gap + _member(text, key, value, gap) + text[last.end :]
    inside = text[container.start + 1 : container.end - 1]
    if not (_is_pretty(text) or "\n" in inside):
        return text[: container.end - 1] + _member(text, key, value, "") + text[container.end - 1 :]
    outer = _newline(text) + _line_indent(text, container.start)
    gap = outer + _unit(text)
    return text[: container.end - 1] + gap + _member(text, key, value, gap) + outer + text[container.end - 1 :]


def _cut(text: str, container: Container, index: int) -> str:
    part = container.parts[index]
    if index > 0:
        return text[: container.parts[index - 1].end] + text[part.end :]
    if len(container.parts) > 1:
        return text[: part.start] + text[container.parts[1].start :]
    gap = text[container.start + 1 : part.start]
    kept = gap[: gap.rindex("\n")].removesuffix("\r") if "\n" in gap else gap
    return text[: container.start + 1] + kept + text[container.end - 1 :]


def _member(text: str, key: str | int, value: object, gap: str) -> str:
    body = _dump(text, value, gap)
    return body if isinstance(key, int) else json.dumps(key, ensure_ascii=False) + _colon(text) + body


def _dump(text: str, value: object, gap: str) -> str:
    if "\n" not in gap:
        return json.dumps(value, ensure_ascii=False, separators=("," if _colon(text) == ":" else ", ", _colon(text)))
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return gap.join([lines[0], *lines[1:]])


def _nest(keys: Path, value: object) -> object:
    for key in reversed(keys):
        value = {key: value}
    return value


def _gap_before(text: str, part: Part) -> str:
    """Return the white space before a part, from its last line break on; one blank when it follows its bracket
    directly."""
    before = text[: part.start]
    gap = before[len(before.rstrip(" \t\r\n")) :]
    if "\n" in gap:
        start = gap.rindex("\n")
        return gap[start - (gap[start - 1 : start] == "\r") :]
    return gap or ("" if _colon(text) == ":" else " ")


def _is_pretty(text: str) -> bool:
    root = _root(text)
    return not root.parts or "\n" in text[root.start : root.parts[0].start]


def _colon(text: str) -> str:
    root = _root(text)
    minified = root.is_object and root.parts and text[root.parts[0].value_start - 1] == ":"
    return ":" if minified else ": "


def _unit(text: str) -> str:
    root = _root(text)
    return (_line_indent(text, root.parts[0].start) if root.parts else "") or DEFAULT_UNIT


def _root(text: str) -> Container:
    return _scan(text, _skip(text, text.startswith(BOM)))


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _skip(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    assert found is not None
    return found.end()


def _require(condition: bool, text: str, at: int, where: str, path: Path) -> None:
    if condition:
        return
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    name = ".".join(map(str, path)) or "the top level"
    raise LimpetError(f"Unexpected type at {name}", f"{where}:{line}:{column}", HINT)
