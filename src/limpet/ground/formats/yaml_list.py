"""Inserts and removes items of a list in YAML text with every other byte kept.

Separate from ``yaml_edit``, which sets the values of keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import yaml

from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import line_break_of
from limpet.ground.formats.yaml_edit import insert_lines, set_value, with_value
from limpet.ground.formats.yaml_text import find_pair, load_yaml, node_end, reads_as


def insert_item(text: str, path: Sequence[str], index: int, item: str, where: str) -> str:
    """Return the text with ``item``, YAML on one line, before the item ``index`` of the list ``path``, or behind the
    last one.

    A list that is missing or null is begun. Raise LimpetError, naming ``where``, for unreadable YAML, for what is
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
    """Return the text without one item, as by ``remove_items``; raise LimpetError too where there is no such item."""
    if not 0 <= index < len(items_at(text, path, where)):
        raise LimpetError(f"{'.'.join(path)} has no item {index}", where)
    return remove_items(text, path, (index,), where)


def remove_items(text: str, path: Sequence[str], places: Iterable[int], where: str) -> str:
    """Return the text without the items at these places, from 0, of the list ``path``; comments before them stay. Raise
    LimpetError as ``insert_item`` does."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    known = items_at(body, path, where)
    gone = set(places).intersection(range(len(known)))
    if not gone:
        return text
    key, node = _sequence(body, path, where)
    spans = _spans_of_flow(node.value, gone) if node.flow_style else _spans_of_lines(body, node, gone)
    edited, at = "", 0
    for start, end in spans:
        edited, at = edited + body[at:start], end
    edited += body[at:]
    if not node.flow_style and len(gone) == len(known):
        colon = body.index(":", key.end_mark.index) + 1
        edited = f"{edited[:colon]} []{edited[colon:]}"
    return mark + _checked(edited, body, path, [item for place, item in enumerate(known) if place not in gone], where)


def items_at(text: str, path: Sequence[str], where: str) -> list[object]:
    """Return the items of the list ``path``, none where it is missing or null. Raise LimpetError for what is no
    list."""
    data = load_yaml(text, where)
    for name in path:
        data = data.get(name) if isinstance(data, dict) else None
    if data is not None and not isinstance(data, list):
        raise LimpetError(f"{'.'.join(path)} is not a list", where, "Fix the file by hand.")
    return data or []


def _checked(edited: str, text: str, path: Sequence[str], wanted: list[object], where: str) -> str:
    """Return the edited text. Raise LimpetError unless it reads as the old one with only this list changed."""
    if reads_as(edited, with_value(load_yaml(text, where), path, wanted, where), where):
        return edited
    what = f"Cannot change the list {'.'.join(path)} without changing the text around it"
    raise LimpetError(what, where, "Edit the file by hand.")


def _sequence(text: str, path: Sequence[str], where: str) -> tuple[yaml.Node, yaml.SequenceNode]:
    found = find_pair(text, path, where)
    assert found is not None and isinstance(found[1], yaml.SequenceNode)
    return found[0], found[1]


def _insert(text: str, path: Sequence[str], index: int, item: str, where: str) -> str:
    key, node = _sequence(text, path, where)
    if not node.value:  # the first item, on a line of its own, takes the place of ``[]``
        before, indent = text[: node.start_mark.index].rstrip(" "), " " * (key.start_mark.column + 2)
        return f"{before}{line_break_of(text)}{indent}- {item}{text[node.end_mark.index :]}"
    if not node.flow_style:
        place = _line_start(text, node.start_mark.index) if index == 0 else node_end(node.value[index - 1])
        return insert_lines(text, place, f"{' ' * node.start_mark.column}- {item}{line_break_of(text)}")
    if index == len(node.value):
        place = node_end(node.value[-1])
        return f"{text[:place]}, {item}{text[place:]}"
    place = node.value[index].start_mark.index
    return f"{text[:place]}{item}, {text[place:]}"


def _spans_of_flow(items: Sequence[yaml.Node], gone: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the places of the items with the comma before each, or behind it where all before it go too."""
    for index in sorted(gone):
        if not gone.issuperset(range(index)):
            yield node_end(items[index - 1]), node_end(items[index])
        else:
            following = items[index + 1 : index + 2]
            yield items[index].start_mark.index, following[0].start_mark.index if following else node_end(items[index])


def _spans_of_lines(text: str, node: yaml.SequenceNode, gone: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the places of the items' lines, from the line with the dash on."""
    items = node.value
    for index in sorted(gone):
        begin, end = items[index].start_mark.index, node_end(items[index])
        dash = node.start_mark.index if index == 0 else text.rfind("-", node_end(items[index - 1]), begin)
        ended = end and text[end - 1] == "\n"
        yield _line_start(text, dash), end if ended else text.find("\n", end) + 1 or len(text)


def _line_start(text: str, place: int) -> int:
    return text.rfind("\n", 0, place) + 1
