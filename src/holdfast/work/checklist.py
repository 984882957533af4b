"""Checklists and file lists as YAML holds them, in any of the forms that people write, and ticking one item in place."""

from __future__ import annotations

import re
from collections.abc import Mapping

import yaml

from holdfast.ground.errors import HoldfastError
from holdfast.ground.words import fold
from holdfast.ground.yamledit import render_value
from holdfast.ground.yamltext import compose_yaml, load_yaml
from holdfast.work.markdown import DONE, OPEN, one_line

Check = tuple[bool, str]
File = tuple[str, str]

TEXTS = ("text", "title", "description", "criterion", "condition", "name", "item")
DONES = ("done", "checked", "met", "complete", "completed")
PATHS = ("path", "file", "arquivo")
CHANGES = ("change", "action", "type", "status")
KINDS = {
    **dict.fromkeys(("new", "create", "created", "add", "added", "novo", "nova", "criar"), "new"),
    **dict.fromkeys(("modify", "modified", "edit", "edited", "change", "changed", "update", "updated"), "modify"),
    **dict.fromkeys(("modificar", "modificado", "alterar", "alterado", "editar"), "modify"),
    **dict.fromkeys(("delete", "deleted", "remove", "removed", "excluir", "remover", "apagar"), "delete"),
}
"""What may happen to a file, by the words for it."""

_BOX = re.compile(r"\s*(?:[-*+]\s+)?\[([ xX])\](?:\s+|$)")
_FILE = re.compile(r"(.*\S)\s*\(([^()]*)\)", re.DOTALL)


def read_checks(found: object) -> tuple[Check, ...]:
    """The (done, text) of a list; what has no text is left out."""
    checks = [read_check(item) for item in found] if isinstance(found, list) else []
    return tuple(check for check in checks if check[1])


def read_check(item: object) -> Check:
    """``"[x] text"``, ``text``, ``{text: ..., done: true}`` or a text that YAML took apart at its colon."""
    if isinstance(item, Mapping):
        return _read_mapping(item)
    if isinstance(item, (list, type(None))):
        return False, ""
    text = str(item)
    box = _BOX.match(text)
    return (box[1].lower() == DONE, one_line(text[box.end() :])) if box else (False, one_line(text))


def read_files(found: object) -> tuple[File, ...]:
    """The (path, new|modify|delete or nothing) of a list; what has no path is left out."""
    files = [read_file(item) for item in found] if isinstance(found, list) else []
    return tuple(file for file in files if file[0])


def read_file(item: object) -> File:
    """``src/a.py (new)``, ``src/a.py``, ``{path: ..., change: new}`` or ``{src/a.py: new}``."""
    if isinstance(item, Mapping):
        path = _first(item, PATHS)
        if path is None and len(item) == 1:
            path, change = next(iter(item.items()))
            return _clean(str(path)), _kind(change)
        return _clean(str(path or "")), _kind(_first(item, CHANGES))
    text = one_line(str(item)) if isinstance(item, str) else ""
    found = _FILE.fullmatch(text)
    if found and _kind(found[2]):
        return _clean(found[1]), _kind(found[2])
    return _clean(text), ""


def tick_yaml(text: str, key: str, number: int, done: bool, where: str) -> str:
    """The YAML mapping with item ``number``, from 0, of the list ``key`` ticked or cleared, every other byte kept.

    Items without text do not count. Raises HoldfastError where that cannot be done.
    """
    node = _item_node(text, key, number, where)
    start, end, written = _edit(text, node, done)
    edited = text[:start] + written + text[end:]
    if not _holds(text, edited, key, number, done, where):
        raise HoldfastError(f"cannot tick an item of {key} written like this", where, "edit it by hand")
    return edited


def _read_mapping(item: Mapping[object, object]) -> Check:
    text = _first(item, TEXTS)
    if text is not None:
        done = _first(item, DONES)
        ticked, words = read_check(str(text))
        return (ticked if done is None else done is True or str(done).lower() in ("true", "yes", "x")), words
    key, value = next(iter(item.items())) if len(item) == 1 else (None, None)
    if key is None or isinstance(value, (dict, list)):
        return False, ""
    if isinstance(value, bool):
        return value, one_line(str(key))
    return read_check(f"{key}: {'' if value is None else value}")


def _first(item: Mapping[object, object], names: tuple[str, ...]) -> object:
    return next((item[name] for name in names if item.get(name) is not None), None)


def _clean(path: str) -> str:
    return path.strip().strip("`").strip()


def _kind(word: object) -> str:
    return KINDS.get(fold(str(word)).strip(), "") if word is not None else ""


def _item_node(text: str, key: str, number: int, where: str) -> yaml.Node:
    root = compose_yaml(text, where)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    nodes = next((value.value for name, value in pairs if name.value == key), [])
    data = load_yaml(text, where)
    items = data.get(key) if isinstance(data, dict) else None
    told = [node for node, item in zip(nodes, items or (), strict=False) if read_check(item)[1]]
    if number >= len(told):
        raise HoldfastError(f"{key} has no item {number + 1}", where)
    node: yaml.Node = told[number]
    return node


def _edit(text: str, node: yaml.Node, done: bool) -> tuple[int, int, str]:
    """Start, end and replacement of what must change in the source."""
    mark = DONE if done else OPEN
    start, end = node.start_mark.index, _end(node)
    if isinstance(node, yaml.MappingNode):
        return _edit_mapping(text, node, done, start, end)
    opening = text.find("[", start, end)
    if opening >= 0 and _BOX.match(str(node.value)):
        return opening + 1, opening + 2, mark
    return start, end, render_value(f"[{mark}] {one_line(str(node.value))}")


def _edit_mapping(text: str, node: yaml.MappingNode, done: bool, start: int, end: int) -> tuple[int, int, str]:
    word = "true" if done else "false"
    known = {name.value: value for name, value in node.value}
    for name in DONES:
        if name in known:
            value = known[name]
            return value.start_mark.index, value.end_mark.index, word
    if not any(name in known for name in TEXTS):
        return _edit_pair(*node.value[0], done, start, end)
    if node.flow_style:
        return start + 1, start + 1, f"done: {word}, "
    line_break = "\r\n" if "\r\n" in text else "\n"
    return start, start, f"done: {word}{line_break}{' ' * node.start_mark.column}"


def _edit_pair(key: yaml.Node, value: yaml.Node, done: bool, start: int, end: int) -> tuple[int, int, str]:
    if value.tag == "tag:yaml.org,2002:bool":
        return value.start_mark.index, value.end_mark.index, "true" if done else "false"
    return start, end, render_value(f"[{DONE if done else OPEN}] {key.value}: {value.value}")


def _end(node: yaml.Node) -> int:
    """Where a value ends: the mark of a block collection itself lies behind the comments that follow it."""
    while isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        node = node.value[-1][1]
    return int(node.end_mark.index)


def _holds(text: str, edited: str, key: str, number: int, done: bool, where: str) -> bool:
    """Whether the edit changed this item's state and nothing else that a reader sees."""
    try:
        old, new = load_yaml(text, where), load_yaml(edited, where)
    except HoldfastError:
        return False
    if not isinstance(old, dict) or not isinstance(new, dict):
        return False
    wanted = [
        (done, words) if place == number else (ticked, words)
        for place, (ticked, words) in enumerate(read_checks(old[key]))
    ]
    others = ({name: value for name, value in data.items() if name != key} for data in (old, new))
    return list(read_checks(new.get(key))) == wanted and repr(next(others)) == repr(next(others))
