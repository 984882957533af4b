"""Ticks one item of a YAML checklist in place, every other byte kept."""

from __future__ import annotations

import yaml

from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import DONE, OPEN, one_line
from limpet.ground.formats.yaml_edit import render_value
from limpet.ground.formats.yaml_text import compose_yaml, load_yaml, node_end
from limpet.work.stories.checklist import BOX, DONE_KEY, TEXT, read_check, read_checks


def tick_yaml(text: str, key: str, number: int, done: bool, where: str) -> str:
    """Return the YAML mapping with item ``number``, from 0, of the list ``key`` ticked or cleared, every other byte
    kept.

    Items without text do not count. Raise LimpetError where that cannot be done.
    """
    node = _item_node(text, key, number, where)
    start, end, written = _edit(text, node, done)
    edited = text[:start] + written + text[end:]
    if not _holds(text, edited, key, number, done, where):
        raise LimpetError(f"Cannot tick an item of {key} in this notation", where, "Edit it by hand.")
    return edited


def _item_node(text: str, key: str, number: int, where: str) -> yaml.Node:
    root = compose_yaml(text, where)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    nodes: list[yaml.Node] = next((value.value for name, value in pairs if name.value == key), [])
    data = load_yaml(text, where)
    items = data.get(key) if isinstance(data, dict) else None
    checks = [node for node, item in zip(nodes, items or (), strict=False) if read_check(item)[1]]
    if number >= len(checks):
        raise LimpetError(f"{key} has no item {number + 1}", where)
    return checks[number]


def _edit(text: str, node: yaml.Node, done: bool) -> tuple[int, int, str]:
    """Return start, end and replacement of the source to change."""
    mark = DONE if done else OPEN
    start, end = node.start_mark.index, node_end(node)
    if isinstance(node, yaml.MappingNode):
        return _edit_mapping(text, node, done, start, end)
    opening = text.find("[", start, end)
    if opening >= 0 and BOX.match(str(node.value)):
        return opening + 1, opening + 2, mark
    return start, end, render_value(f"[{mark}] {one_line(str(node.value))}")


def _edit_mapping(text: str, node: yaml.MappingNode, done: bool, start: int, end: int) -> tuple[int, int, str]:
    word = "true" if done else "false"
    known = {name.value: value for name, value in node.value}
    if DONE_KEY in known:
        return known[DONE_KEY].start_mark.index, known[DONE_KEY].end_mark.index, word
    if TEXT not in known:
        key, value = node.value[0]
        return start, end, render_value(f"[{DONE if done else OPEN}] {key.value}: {value.value}")
    if node.flow_style:
        return start + 1, start + 1, f"done: {word}, "
    line_break = "\r\n" if "\r\n" in text else "\n"
    return start, start, f"done: {word}{line_break}{' ' * node.start_mark.column}"


def _holds(text: str, edited: str, key: str, number: int, done: bool, where: str) -> bool:
    """Return whether the edit changed this item's state and nothing else that a reader sees."""
    try:
        old, new = load_yaml(text, where), load_yaml(edited, where)
    except LimpetError:
        return False
    if not isinstance(old, dict) or not isinstance(new, dict):
        return False
    wanted = [
        (done, words) if place == number else (ticked, words)
        for place, (ticked, words) in enumerate(read_checks(old[key]))
    ]
    others = ({name: value for name, value in data.items() if name != key} for data in (old, new))
    return list(read_checks(new.get(key))) == wanted and repr(next(others)) == repr(next(others))
