"""Removes items from a block list in YAML text with every other byte kept."""

from __future__ import annotations

from collections.abc import Sequence

import yaml

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.yaml_text import find_pair, load_yaml, node_end, reads_as


def cut_items(text: str, key: str, places: Sequence[int], where: str) -> str:
    """Return the YAML mapping without the items at these places, from 0, of the block list under ``key``; comments
    on lines of their own stay. Raise HoldfastError where that cannot be done."""
    found, gone = find_pair(text, (key,), where), set(places)
    items = found[1].value if found and isinstance(found[1], yaml.SequenceNode) else []
    spans = sorted(_lines(text, item) for place, item in enumerate(items) if place in gone)
    starts = [0, *(end for _, end in spans)]
    ends = [*(begin for begin, _ in spans), len(text)]
    edited = "".join(text[start:end] for start, end in zip(starts, ends, strict=True))
    if not _holds(text, edited, key, gone, where):
        raise HoldfastError(f"Cannot remove items from {key} in this notation", where, "Edit it by hand.")
    return edited


def _lines(text: str, item: yaml.Node) -> tuple[int, int]:
    """Return start and end of the item's lines, from its dash's line to the last line's break."""
    start, stop = int(item.start_mark.index), node_end(item)
    last = start + len(text[start:stop].rstrip())
    return text.rfind("\n", 0, start) + 1, text.find("\n", last) + 1 or len(text)


def _holds(text: str, edited: str, key: str, places: set[int], where: str) -> bool:
    """Return whether the items are gone and nothing else that a reader sees has changed."""
    data = load_yaml(text, where)
    if not isinstance(data, dict):
        return False
    kept = [item for place, item in enumerate(data[key]) if place not in places]
    return reads_as(edited, {**data, key: kept}, where)
