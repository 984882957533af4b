"""Sets values in YAML text with every other byte kept, comments and quoting included."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import line_break_of
from limpet.ground.formats.yaml_text import compose_yaml, is_alias, load_yaml, node_end, pair_end, reads_as
from limpet.ground.late import LateModule

if TYPE_CHECKING:
    import yaml

    Pair = tuple[yaml.Node, yaml.Node]
else:
    yaml = LateModule("yaml")

Path = Sequence[str | int]

_SAFE_PLAIN = re.compile(r"[^\W\d_][\w./@+-]*(?: [\w./@+-]+)*")
_MEANS_ELSE = re.compile(r"(?:y|n|yes|no|on|off|true|false|null)", re.IGNORECASE)
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class Day(str):
    """A day such as ``2026-02-20``, written without quotes: a date to other readers of YAML."""


def set_yaml_value(text: str, path: Path, value: object, where: str) -> str:
    """The value is null, bool, number, text, or lists and mappings of them. A path has keys and, in lists, places from
    0; the place after the last one appends. Missing parents are made, after the last key of their mapping. Raise
    LimpetError, naming ``where``, for unreadable YAML, for a parent of another kind, and where the change cannot be
    made without touching more."""
    return set_values(text, ((path, value),), where)


def set_values(text: str, changes: Sequence[tuple[Path, object]], where: str) -> str:
    """One after another, as by ``set_yaml_value``: all of them or none."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    wanted = load_yaml(body, where)
    for path, value in changes:
        wanted = with_value(wanted, path, value, where)
        body = _edit(body, compose_yaml(body, where), path, value, where)
    if changes and not reads_as(body, wanted, where):
        _refuse(changes[0][0], where)
    return mark + body


def remove_value(text: str, path: Sequence[str], where: str) -> str:
    """The mappings around it that hold nothing else go too. Raise LimpetError as ``set_yaml_value`` does."""
    pairs: list[tuple[yaml.MappingNode, Pair]] = []
    node, wanted = compose_yaml(text, where), load_yaml(text, where)
    for name in path:
        pair = _find(node, name) if isinstance(node, yaml.MappingNode) else None
        if pair is None or not isinstance(node, yaml.MappingNode):
            return text
        pairs.append((node, pair))
        node = pair[1]
    depth = max((place for place, (mapping, _) in enumerate(pairs) if len(mapping.value) > 1), default=0)
    mapping, pair = pairs[depth]
    start, end, place = pair[0].start_mark.index, pair_end(*pair), mapping.value.index(pair)
    if not mapping.flow_style:
        last = len(text[:end].rstrip())
        start, end = text.rfind("\n", 0, start) + 1, text.find("\n", last) + 1 or len(text)
    elif place + 1 < len(mapping.value):
        end = mapping.value[place + 1][0].start_mark.index
    elif place:
        start = pair_end(*mapping.value[place - 1])
    left = text[:start] + text[end:]
    if not reads_as(left, _without(wanted, path[: depth + 1]) or load_yaml("", where), where):
        _refuse(path, where)
    return left


def with_value(data: object, path: Path, value: object, where: str) -> object:
    """``data`` stays as it was."""
    head, rest = path[0], path[1:]
    if isinstance(head, int):
        return _changed_list(data, head, rest, value, where)
    if data is not None and not isinstance(data, dict):
        what = f"Cannot set {head}: {data!r} is not a mapping"
        raise LimpetError(what, where, "Edit the file by hand.")
    known = data or {}
    return {**known, head: with_value(known.get(head), rest, value, where) if rest else value}


def render_value(value: object) -> str:
    """On one line, fit for flow collections and YAML 1.1 readers too. Raises LimpetError for a value that YAML cannot
    hold."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{render_value(key)}: {render_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(render_value(item) for item in value) + "]"
    if isinstance(value, str):
        if isinstance(value, Day) or _SAFE_PLAIN.fullmatch(value) and not _MEANS_ELSE.fullmatch(value):
            return value
        return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
    if value is None or isinstance(value, (bool, int, float)):
        return {"Infinity": ".inf", "-Infinity": "-.inf", "NaN": ".nan"}.get(word := json.dumps(value), word)
    raise LimpetError(f"Cannot write a {type(value).__name__} as YAML")


def insert_lines(text: str, place: int, lines: str) -> str:
    if place and text[place - 1] != "\n":
        place = text.find("\n", place) + 1 or len(text)
    before, after = text[:place], text[place:]
    return before + ("" if not before or before.endswith("\n") else line_break_of(text)) + lines + after


def _without(data: Any, path: Sequence[str]) -> dict[str, Any]:
    head, rest = path[0], path[1:]
    return {key: _without(value, rest) if key == head else value for key, value in data.items() if rest or key != head}


def _changed_list(data: object, place: int, rest: Path, value: object, where: str) -> list[object]:
    known = [] if data is None else data
    if not isinstance(known, list) or not 0 <= place <= len(known):
        raise LimpetError(f"Cannot set an item {place} of {data!r}", where, "Edit the file by hand.")
    old = known[place] if place < len(known) else None
    return [*known[:place], with_value(old, rest, value, where) if rest else value, *known[place + 1 :]]


def _refuse(path: Path, where: str) -> NoReturn:
    what = f"Cannot set {'.'.join(map(str, path))} without changing the text around it"
    raise LimpetError(what, where, "Edit the file by hand.")


def _edit(text: str, root: yaml.Node | None, path: Path, value: object, where: str) -> str:
    if root is None or _is_empty(root):
        return insert_lines(text, len(text), _block(path, value, 0, line_break_of(text)))
    node = root
    for depth, part in enumerate(path):
        rest = path[depth + 1 :]
        if isinstance(part, int):
            item = _item(node, part, path, where)
            if item is None:
                return _append(text, node, _wrapped(rest, value))
            if not rest or _is_null(item):
                start = item.start_mark.index
                end = start + len(text[start : node_end(item)].rstrip())
                written = render_value(_wrapped(rest, value))
                return text[:start] + ("" if end > start else " ") + written + text[end:]
            node = item
            continue
        if not isinstance(node, yaml.MappingNode):
            _refuse(path, where)
        pair = _find(node, part)
        if pair is None:
            return _insert(text, node, path[depth:], value)
        if is_alias(*pair):
            _refuse(path, where)
        if not rest or _is_null(pair[1]):
            return _fill(text, node, pair, rest, value)
        node = pair[1]
    return text


def _item(node: yaml.Node, place: int, path: Path, where: str) -> yaml.Node | None:
    if not isinstance(node, yaml.SequenceNode):
        _refuse(path, where)
    if place == len(node.value):
        return None
    item: yaml.Node = node.value[place]
    if item.start_mark.index < node.start_mark.index:  # an alias: the value stands elsewhere
        _refuse(path, where)
    return item


def _find(mapping: yaml.MappingNode, name: str) -> Pair | None:
    for key, value in mapping.value:
        if key.tag == "tag:yaml.org,2002:str" and key.value == name:
            return key, value
    return None


def _fill(text: str, mapping: yaml.MappingNode, pair: Pair, rest: Path, value: object) -> str:
    key, old = pair
    if rest and _is_empty(old) and not mapping.flow_style:
        indent = key.start_mark.column + 2
        return insert_lines(text, key.end_mark.index, _block(rest, value, indent, line_break_of(text)))
    # The value comes on the key's line; comments between key and old value stay where they are.
    written = render_value(_wrapped(rest, value))
    opened, start = key.end_mark.index, old.start_mark.index
    end = start + len(text[start : pair_end(key, old)].rstrip())
    before, colon, gap = text[opened:start].partition(":")
    if "\n" in gap:
        return f"{text[:opened]}{before}{colon} {written}{gap.rstrip()}{text[end:]}"
    return f"{text[:opened]}{before}{colon}{gap or ' '}{written}{text[end:]}"


def _append(text: str, items: yaml.Node, value: object) -> str:
    written = render_value(value)
    if not items.value:
        place = text.index("[", items.start_mark.index) + 1
        return text[:place] + written + text[place:]
    if isinstance(items, yaml.CollectionNode) and items.flow_style:
        place = node_end(items.value[-1])
        return f"{text[:place]}, {written}{text[place:]}"
    return insert_lines(text, node_end(items), f"{' ' * items.start_mark.column}- {written}{line_break_of(text)}")


def _insert(text: str, mapping: yaml.MappingNode, path: Path, value: object) -> str:
    if not mapping.flow_style:
        lines = _block(path, value, mapping.value[0][0].start_mark.column, line_break_of(text))
        return insert_lines(text, pair_end(*mapping.value[-1]), lines)
    written = render_value(_wrapped(path, value))[1:-1]
    if not mapping.value:
        place = text.index("{", mapping.start_mark.index) + 1
        return text[:place] + written + text[place:]
    place = pair_end(*mapping.value[-1])
    return f"{text[:place]}, {written}{text[place:]}"


def _block(path: Path, value: object, indent: int, line_break: str) -> str:
    depth = next((place for place, part in enumerate(path) if isinstance(part, int)), len(path))
    lines = [" " * (indent + 2 * place) + render_value(name) + ":" for place, name in enumerate(path[:depth])]
    if depth == len(path):
        lines[-1] += f" {render_value(value)}"
    else:
        lines.append(" " * (indent + 2 * depth) + f"- {render_value(_wrapped(path[depth + 1 :], value))}")
    return line_break.join([*lines, ""])


def _wrapped(path: Path, value: object) -> object:
    for part in reversed(path):
        value = [value] if isinstance(part, int) else {part: value}
    return value


def _is_empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and bool(node.start_mark.index == node.end_mark.index)


def _is_null(node: yaml.Node) -> bool:
    return bool(node.tag == "tag:yaml.org,2002:null")
