"""Inserts and removes one item of a list in YAML text with every other byte kept.

Separate from ``yaml_edit``, which sets the values of keys.
"""

from __future__ import annotations

from collections.abc import Sequence

import yaml

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.markdown import line_break_of
from holdfast.ground.formats.yaml_edit import set_value
from holdfast.ground.formats.yaml_text import find_pair, load_yaml, node_end, reads_as


def insert_item(text: str, path: Sequence[str], index: int, item: str, where: str) -> str:
    """Return the text with ``item``, YAML on one line, before the item ``index`` of the list ``path``, or behind the
    last one.

    A list that is missing or null is begun. Raise HoldfastError, naming ``where``, for unreadable YAML, for what is
    no list, and where the change cannot be made without touching more.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    known = items_at(body, path, where)
    place = min(index, len(known))
    wanted = [*known[:place], load_yaml(item, where), *known[place:]]
    found = find_pair(body, path, where)
    listed = body if found and isinstance(found[1], yaml.SequenceNode) else set_value(body, path, [], where)
    edited = _insert(listed, path, place, item, where)
    return mark + _checked(edited, body, path, wanted, where)


def remove_item(text: str, path: Sequence[str], index: int, where: str) -> str:
    """Return the text without the item ``index`` of the list ``path``; comments before it stay. Raise HoldfastError
    as ``insert_item`` does, and where there is no such item."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    known = items_at(body, path, where)
    if not 0 <= index < len(known):
        raise HoldfastError(f"{'.'.join(path)} has no item {index}", where)
    edited = _remove(body, path, index, where)
    return mark + _checked(edited, body, path, [*known[:index], *known[index + 1 :]], where)


def items_at(text: str, path: Sequence[str], where: str) -> list[object]:
    """Return the items of the list ``path``, none where it is missing or null. Raise HoldfastError for what is no
    list."""
    data = load_yaml(text, where)
    for name in path:
        data = data.get(name) if isinstance(data, dict) else None
    if data is not None and not isinstance(data, list):
        raise HoldfastError(f"{'.'.join(path)} is not a list", where, "Fix the file by hand.")
    return data or []


def _checked(edited: str, text: str, path: Sequence[str], wanted: list[object], where: str) -> str:
    """Return the edited text. Raise HoldfastError unless it reads as the old one with only this list changed."""
    if reads_as(edited, _put(load_yaml(text, where), path, wanted), where):
        return edited
    what = f"Cannot change the list {'.'.join(path)} without changing the text around it"
    raise HoldfastError(what, where, "Edit the file by hand.")


def _put(data: object, path: Sequence[str], wanted: list[object]) -> object:
    known = data if isinstance(data, dict) else {}
    head, rest = path[0], path[1:]
    return {**known, head: _put(known.get(head), rest, wanted) if rest else wanted}


def _sequence(text: str, path: Sequence[str], where: str) -> tuple[yaml.Node, yaml.SequenceNode]:
    found = find_pair(text, path, where)
    assert found is not None and isinstance(found[1], yaml.SequenceNode)
    return found[0], found[1]


def _insert(text: str, path: Sequence[str], index: int, item: str, where: str) -> str:
    key, node = _sequence(text, path, where)
    if not node.value:
        return _begin(text, key, node, item)
    if node.flow_style:
        place = node_end(node.value[-1]) if index == len(node.value) else node.value[index].start_mark.index
        before, after = text[:place], text[place:]
        return f"{before}, {item}{after}" if index == len(node.value) else f"{before}{item}, {after}"
    line = f"{' ' * node.start_mark.column}- {item}{line_break_of(text)}"
    place = (
        _line_start(text, node.start_mark.index) if index == 0 else _next_line(text, node_end(node.value[index - 1]))
    )
    before = text[:place]
    return before + ("" if not before or before.endswith("\n") else line_break_of(text)) + line + text[place:]


def _begin(text: str, key: yaml.Node, node: yaml.Node, item: str) -> str:
    """Return the first item, on a line of its own, in the place of ``[]``."""
    indent = " " * (key.start_mark.column + 2)
    before = text[: node.start_mark.index].rstrip(" ")
    return f"{before}{line_break_of(text)}{indent}- {item}{text[node.end_mark.index :]}"


def _remove(text: str, path: Sequence[str], index: int, where: str) -> str:
    key, node = _sequence(text, path, where)
    items = node.value
    if node.flow_style:
        start = items[0].start_mark.index if index == 0 else node_end(items[index - 1])
        end = items[1].start_mark.index if index == 0 and len(items) > 1 else node_end(items[index])
        return text[:start] + text[end:]
    begin = items[index].start_mark.index
    dash = node.start_mark.index if index == 0 else text.rfind("-", node_end(items[index - 1]), begin)
    start = _line_start(text, dash)
    after = _next_line(text, node_end(items[index]))
    if len(items) > 1:
        return text[:start] + text[after:]
    colon = text.index(":", key.end_mark.index) + 1
    return text[:colon] + " []" + text[colon:start] + text[after:]


def _line_start(text: str, place: int) -> int:
    return text.rfind("\n", 0, place) + 1


def _next_line(text: str, place: int) -> int:
    if place and text[place - 1] == "\n":
        return place
    return text.find("\n", place) + 1 or len(text)
