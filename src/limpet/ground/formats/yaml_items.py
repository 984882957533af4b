"""YAML files that are a mapping with one long list, as the stores of knowledge. Separate from ``yaml_edit``, which
reads the whole document for every change: here a change costs what its item costs, a mistake costs its item only, and
what git leaves of two branches is read as both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import line_break_of
from limpet.ground.formats.schema import Schema, sift
from limpet.ground.formats.yaml_edit import Day, insert_lines, render_value, set_yaml_value, with_value
from limpet.ground.formats.yaml_text import compose_yaml, find_pair, key_lines, load_yaml, node_end, pair_end, reads_as
from limpet.ground.late import LateModule
from limpet.ground.values import Value

if TYPE_CHECKING:
    import yaml
else:
    yaml = LateModule("yaml")

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_DASH = re.compile(r"( *)-(?=\s|$)")
_KEY = re.compile(r"^ *([\w-]+):(?=\s)", re.MULTILINE)
_SILENT = re.compile(r"[ \t]*(?:#.*)?\r?\n?$")
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?")
_CONFLICT = re.compile(
    r"^<{7} [^\n]*\n(.*?)(?:^\|{7} [^\n]*\n.*?)?^={7}\r?\n(.*?)^>{7} [^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL
)
Data = dict[str, Any]


class ItemFile(Value):
    """``key``: the key whose value the list is.
    ``head``, ``tail``: the text before its items and behind them.
    ``items``: the lines of each, from its dash on.
    ``indent``: the blanks before the dashes.
    """

    key: str
    head: str
    items: tuple[str, ...] = ()
    tail: str = ""
    indent: str = "  "


def read_yaml_items(
    text: str, key: str, where: str, schema: Schema
) -> tuple[ItemFile, dict[str, Data | None], tuple[str, ...]]:
    """The file; the lines of each item with its data by the schema of one, None where it has mistakes; and a line for
    each mistake. Of a file with merge conflicts these are the items of both sides; what both have is there once. Raise
    LimpetError for a file that is no such list."""
    files = [split_items(side, key, where) for side in conflict_sides(text)]
    items, mistakes = dict[str, Data | None](), list[str]()
    for file in files:
        line = file.head.count("\n") + 1
        for each in file.items:
            for part in _united_by_git(each, where):
                if part not in items:  # lines are counted where the text is as it stands
                    items[part], found = _read_item(part, where, 0 if len(files) > 1 else line, schema)
                    mistakes += found
            line += each.count("\n")
    return files[0], items, tuple(mistakes)


def split_items(text: str, key: str, where: str) -> ItemFile:
    """Raise LimpetError where the key's value is no list of items behind dashes."""
    lines = _LINES.findall(text)
    named = re.compile(rf"\ufeff?{re.escape(key)}[ \t]*:[ \t]*(?:\[\]|null|~)?[ \t]*(?:#.*)?\r?\n?$")
    at = next((number for number, line in enumerate(lines) if named.match(line)), None)
    if at is None:
        data = load_yaml(text, where)
        if data is not None and (not isinstance(data, dict) or key in data):
            raise _no_list(key, where)
        head = text if not text or text.endswith("\n") else text + line_break_of(text)
        return ItemFile(key, f"{head}{key}:{line_break_of(text)}")
    first = next((number for number in range(at + 1, len(lines)) if not _SILENT.match(lines[number])), len(lines))
    dash = _DASH.match(lines[first]) if first < len(lines) else None
    if dash is None:
        file = ItemFile(key, "".join(lines[: at + 1]), (), "".join(lines[at + 1 :]))
    else:
        items, end = _split_lines(lines, first, dash[1])
        file = ItemFile(key, "".join(lines[:first]), items, "".join(lines[end:]), dash[1])
    rest = load_yaml(file.head + file.tail, where)
    if not isinstance(rest, dict) or rest.get(key):
        raise _no_list(key, where)
    return file


def join_items(file: ItemFile) -> str:
    head = file.head
    if file.items:
        head = re.sub(rf"^(\ufeff?{re.escape(file.key)}[ \t]*:)[ \t]*(?:\[\]|null|~)", r"\1", head, flags=re.MULTILINE)
    end = line_break_of(head)
    ended = (item if item.endswith("\n") else item + end for item in file.items)
    text = head + "".join(ended) + file.tail
    return text if text.endswith("\n") else text + end


def render_item(fields: dict[str, object], file: ItemFile) -> str:
    """On one line: what git keeps of two branches that each wrote one is both, and never a mixture of their lines."""
    return f"{file.indent}- {render_value(fields)}{line_break_of(file.head)}"


def edit_item(item: str, edit: Callable[[str], str]) -> str:
    """``edit`` is given the item's lines as a document of its own: the item's mapping."""
    place = item.index("-")
    edited = edit(_without_dash(item))
    return f"{edited[:place]}-{edited[place + 1 :]}"


def conflict_sides(text: str) -> tuple[str, ...]:
    return (_CONFLICT.sub(r"\1", text), _CONFLICT.sub(r"\2", text)) if _CONFLICT.search(text) else (text,)


def dated(text: str) -> str:
    """A date or time without quotes, as files hold it; any other text as it is."""
    return Day(text) if _TIME.fullmatch(text) else text


def insert_item(text: str, path: Sequence[str], index: int, item: str, where: str) -> str:
    """``item``, YAML on one line, before the item ``index``, or behind the last one. A list that is missing or null is
    begun.

    Raise LimpetError, naming ``where``, for unreadable YAML, for what is no list, and where the change cannot be made
    without touching more.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    known = items_at(body, path, where)
    place = min(index, len(known))
    wanted = [*known[:place], load_yaml(item, where), *known[place:]]
    found = find_pair(body, path, where)
    listed = body if found and isinstance(found[1], yaml.SequenceNode) else set_yaml_value(body, path, [], where)
    edited = _insert(listed, path, place, item, where)
    return mark + _checked(edited, body, path, wanted, where)


def remove_item(text: str, path: Sequence[str], index: int, where: str) -> str:
    """Raise LimpetError as ``remove_items`` does, and where there is no such item."""
    if not 0 <= index < len(items_at(text, path, where)):
        raise LimpetError(f"{'.'.join(path)} has no item {index}", where)
    return remove_items(text, path, (index,), where)


def remove_items(text: str, path: Sequence[str], places: Iterable[int], where: str) -> str:
    """Those at these places, from 0; comments before them stay. Raise LimpetError as ``insert_item`` does."""
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
    """None where the list is missing or null. Raise LimpetError for what is no list."""
    data = load_yaml(text, where)
    for name in path:
        data = data.get(name) if isinstance(data, dict) else None
    if data is not None and not isinstance(data, list):
        raise LimpetError(f"{'.'.join(path)} is not a list", where, "Fix the file by hand.")
    return data or []


def _united_by_git(item: str, where: str) -> tuple[str, ...]:
    """An item of several lines in which git kept those of two branches for one key: one with the first of each key, and
    one with the last."""
    document = _without_dash(item)
    keys = _KEY.findall(document)
    if len(set(keys)) == len(keys):  # most items are spared the parser
        return (item,)
    try:
        root = compose_yaml(document, where)
    except LimpetError:
        return (item,)
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        return (item,)
    first, last = dict[str, str](), dict[str, str]()
    for key, value in root.value:
        if not isinstance(key, yaml.ScalarNode):
            return (item,)
        pair = document[key.start_mark.index : pair_end(key, value)].rstrip()
        first.setdefault(key.value, pair)
        last[key.value] = pair
    if first == last:
        return (item,)
    begin, end = item[: item.index("-")], line_break_of(item)
    return tuple(f"{begin}- {f'{end}{begin}  '.join(pairs.values())}{end}" for pairs in (first, last))


def _read_item(text: str, where: str, line: int, schema: Schema) -> tuple[Data | None, list[str]]:
    document, here = _without_dash(text), f"{where}:{line}" if line else where
    try:
        data = load_yaml(document, where)
    except LimpetError as error:
        return None, [f"{here}: {error.what}"]
    if not isinstance(data, dict):
        return None, [f"{here}: must be a mapping"]
    known = {name: value for name, value in data.items() if value is not None}
    good, faults = sift(known, schema)
    mistakes = [f"{here}: {key} is missing" for key in schema["required"] if known.get(key, "") == ""]
    if faults:
        lines = key_lines(document, where)
        places = (f"{where}:{line + lines[fault.path[:1]] - 1}" if line else where for fault in faults)
        mistakes += [f"{at}: {'.'.join(each.path)} {each.what}" for at, each in zip(places, faults, strict=True)]
    return (None if mistakes else good), mistakes


def _split_lines(lines: list[str], first: int, indent: str) -> tuple[tuple[str, ...], int]:
    starts, end = [first], len(lines)
    for number in range(first + 1, len(lines)):
        line = lines[number]
        dash = _DASH.match(line)
        if dash and dash[1] == indent:
            starts.append(number)
        elif not _SILENT.match(line) and len(line) - len(line.lstrip(" ")) <= len(indent):
            end = number
            break
    while _SILENT.match(lines[end - 1]) and not lines[end - 1].startswith(indent + " "):
        end -= 1
    return tuple("".join(lines[start:stop]) for start, stop in zip(starts, [*starts[1:], end], strict=True)), end


def _without_dash(item: str) -> str:
    place = item.index("-")
    return f"{item[:place]} {item[place + 1 :]}"


def _no_list(key: str, where: str) -> LimpetError:
    return LimpetError(f"{key} is not a list of entries, each behind a dash", where, "Fix the file by hand.")


def _checked(edited: str, text: str, path: Sequence[str], wanted: list[object], where: str) -> str:
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
    for index in sorted(gone):
        if not gone.issuperset(range(index)):
            yield node_end(items[index - 1]), node_end(items[index])
        else:
            following = items[index + 1 : index + 2]
            yield items[index].start_mark.index, following[0].start_mark.index if following else node_end(items[index])


def _spans_of_lines(text: str, node: yaml.SequenceNode, gone: set[int]) -> Iterator[tuple[int, int]]:
    items = node.value
    for index in sorted(gone):
        begin, end = items[index].start_mark.index, node_end(items[index])
        dash = node.start_mark.index if index == 0 else text.rfind("-", node_end(items[index - 1]), begin)
        ended = end and text[end - 1] == "\n"
        yield _line_start(text, dash), end if ended else text.find("\n", end) + 1 or len(text)


def _line_start(text: str, place: int) -> int:
    return text.rfind("\n", 0, place) + 1
