"""Edits the state's YAML so that other tools can read it: days stay dates without quotes, yes and no stay words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import yaml

from holdfast.ground.formats.yaml_edit import Path, render_value, set_values
from holdfast.ground.formats.yaml_text import compose_yaml

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def set_fields(text: str, changes: Sequence[tuple[Path, object]], where: str) -> str:
    """Return the text with all changes made, as ``set_values`` does, but days as dates. Raise HoldfastError."""
    if not changes:
        return text
    edited = set_values(text, changes, where)
    days = [path for path, value in changes for path in _day_paths(path, value)]
    return _unquote(edited, days, where) if days else edited


def render_item(item: Mapping[str, object] | str) -> str:
    """Return an item of a list as YAML on one line."""
    if isinstance(item, str):
        return render_value(item)
    return "{" + ", ".join(f"{key}: {_render(value)}" for key, value in item.items()) + "}"


def _render(value: object) -> str:
    return value if isinstance(value, str) and _DAY.fullmatch(value) else render_value(value)


def _day_paths(path: Path, value: object) -> list[Path]:
    if isinstance(value, Mapping):
        return [found for key, item in value.items() for found in _day_paths((*path, key), item)]
    return [path] if isinstance(value, str) and _DAY.fullmatch(value) else []


def _unquote(text: str, paths: Sequence[Path], where: str) -> str:
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    root = compose_yaml(body, where)
    nodes = [node for path in paths if (node := _node_at(root, path))]
    for node in sorted(nodes, key=lambda one: one.start_mark.index, reverse=True):
        body = f"{body[: node.start_mark.index]}{node.value}{body[node.end_mark.index :]}"
    return mark + body


def _node_at(node: yaml.Node | None, path: Path) -> yaml.Node | None:
    for part in path:
        if isinstance(part, int):
            node = node.value[part] if isinstance(node, yaml.SequenceNode) else None
        else:
            pairs = node.value if isinstance(node, yaml.MappingNode) else []
            node = next((value for key, value in pairs if key.value == part), None)
    return node
