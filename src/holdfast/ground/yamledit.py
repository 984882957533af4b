"""Setting one value in YAML text while every other byte stays, comments and quoting included."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NoReturn

import yaml

from holdfast.ground.errors import HoldfastError
from holdfast.ground.yamltext import compose_yaml, load_yaml

Pair = tuple[yaml.Node, yaml.Node]

_SAFE_PLAIN = re.compile(r"[^\W\d_][\w./@+-]*(?: [\w./@+-]+)*")
_MEANS_ELSE = re.compile(r"(?:y|n|yes|no|on|off|true|false|null)", re.IGNORECASE)
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def set_value(text: str, path: Sequence[str], value: object, where: str) -> str:
    """The text with the key ``path`` set to ``value`` (null, bool, number, text, or lists and mappings of them).

    Missing parents are made, after the last key of their mapping. Raises HoldfastError, naming ``where``, for
    unreadable YAML, for a parent that is no mapping, and where the change cannot be made without touching more.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    wanted = _changed(load_yaml(body, where), path, value, where)
    edited = _edit(body, compose_yaml(body, where), path, value, where)
    if not _holds(edited, wanted, where):
        _refuse(path, where)
    return mark + edited


def render_value(value: object) -> str:
    """``value`` as YAML on one line, fit for flow collections and for YAML 1.1 readers too. Raises HoldfastError."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{render_value(key)}: {render_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(render_value(item) for item in value) + "]"
    if isinstance(value, str):
        return _render_text(value)
    if value is None or isinstance(value, (bool, int, float)):
        return {"Infinity": ".inf", "-Infinity": "-.inf", "NaN": ".nan"}.get(word := json.dumps(value), word)
    raise HoldfastError(f"a {type(value).__name__} cannot be written as YAML")


def _render_text(text: str) -> str:
    if _SAFE_PLAIN.fullmatch(text) and not _MEANS_ELSE.fullmatch(text):
        return text
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def _changed(data: object, path: Sequence[str], value: object, where: str) -> dict[object, object]:
    if data is not None and not isinstance(data, dict):
        what = f"cannot set {path[0]} inside {data!r}, which is no mapping"
        raise HoldfastError(what, where, "edit the file by hand")
    known = data or {}
    head, rest = path[0], path[1:]
    return {**known, head: _changed(known.get(head), rest, value, where) if rest else value}


def _holds(text: str, wanted: object, where: str) -> bool:
    """Whether the text reads as ``wanted``: compared as written, where NaN equals itself and 1 is not true."""
    try:
        return repr(load_yaml(text, where)) == repr(wanted)
    except HoldfastError:
        return False


def _refuse(path: Sequence[str], where: str) -> NoReturn:
    what = f"cannot set {'.'.join(path)} without touching what stands around it"
    raise HoldfastError(what, where, "edit the file by hand")


def _edit(text: str, root: yaml.Node | None, path: Sequence[str], value: object, where: str) -> str:
    if root is None or _is_empty(root):
        return _insert_lines(text, len(text), _block(path, value, 0, _line_break(text)))
    mapping = root
    for depth, name in enumerate(path):
        if not isinstance(mapping, yaml.MappingNode):
            _refuse(path, where)
        pair = _find(mapping, name)
        rest = path[depth + 1 :]
        if pair is None:
            return _insert(text, mapping, path[depth:], value)
        if _is_alias(pair):
            _refuse(path, where)
        if not rest or _is_null(pair[1]):
            return _fill(text, mapping, pair, rest, value)
        mapping = pair[1]
    return text


def _find(mapping: yaml.MappingNode, name: str) -> Pair | None:
    for key, value in mapping.value:
        if key.tag == "tag:yaml.org,2002:str" and key.value == name:
            return key, value
    return None


def _fill(text: str, mapping: yaml.MappingNode, pair: Pair, rest: Sequence[str], value: object) -> str:
    """Give a key its value, or a key that has none yet the nested keys ``rest``."""
    key, old = pair
    if rest and _is_empty(old) and not mapping.flow_style:
        indent = key.start_mark.column + 2
        return _insert_lines(text, key.end_mark.index, _block(rest, value, indent, _line_break(text)))
    for name in reversed(rest):
        value = {name: value}
    return _replace(text, pair, render_value(value))


def _replace(text: str, pair: Pair, written: str) -> str:
    """Put the value on the key's line; comments between key and old value stay where they are."""
    opened, start = pair[0].end_mark.index, pair[1].start_mark.index
    end = start + len(text[start : _end(pair)].rstrip())
    before, colon, gap = text[opened:start].partition(":")
    if "\n" in gap:
        return f"{text[:opened]}{before}{colon} {written}{gap.rstrip()}{text[end:]}"
    return f"{text[:opened]}{before}{colon}{gap or ' '}{written}{text[end:]}"


def _insert(text: str, mapping: yaml.MappingNode, path: Sequence[str], value: object) -> str:
    """Add a key after the last one of its mapping."""
    if mapping.flow_style:
        return _insert_in_flow(text, mapping, path, value)
    lines = _block(path, value, mapping.value[0][0].start_mark.column, _line_break(text))
    return _insert_lines(text, _end(mapping.value[-1]), lines)


def _insert_in_flow(text: str, mapping: yaml.MappingNode, path: Sequence[str], value: object) -> str:
    for name in reversed(path):
        value = {name: value}
    written = render_value(value)[1:-1]
    if not mapping.value:
        place = text.index("{", mapping.start_mark.index) + 1
        return text[:place] + written + text[place:]
    place = _end(mapping.value[-1])
    return f"{text[:place]}, {written}{text[place:]}"


def _insert_lines(text: str, place: int, lines: str) -> str:
    """Insert whole lines after the line on which ``place`` falls."""
    if place and text[place - 1] != "\n":
        place = text.find("\n", place) + 1 or len(text)
    before, after = text[:place], text[place:]
    return before + ("" if not before or before.endswith("\n") else _line_break(text)) + lines + after


def _block(path: Sequence[str], value: object, indent: int, line_break: str) -> str:
    steps = [" " * (indent + 2 * depth) + render_value(name) + ":" for depth, name in enumerate(path)]
    return line_break.join(steps) + f" {render_value(value)}{line_break}"


def _end(pair: Pair) -> int:
    """Where a key's value ends: a block collection's own mark lies behind the comments that follow it."""
    key, node = pair
    if _is_alias(pair):
        return int(key.end_mark.index)
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last if isinstance(node, yaml.MappingNode) else (key, last))
    return int(node.end_mark.index)


def _is_alias(pair: Pair) -> bool:
    """Whether the value stands elsewhere in the text, before its key."""
    return bool(pair[1].start_mark.index < pair[0].end_mark.index)


def _is_empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and bool(node.start_mark.index == node.end_mark.index)


def _is_null(node: yaml.Node) -> bool:
    return bool(node.tag == "tag:yaml.org,2002:null")


def _line_break(text: str) -> str:
    return "\r\n" if text.find("\r\n") == text.find("\n") - 1 >= 0 else "\n"
