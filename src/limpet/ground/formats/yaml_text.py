"""Loads YAML text as plain data by the core rules of YAML 1.2: the one module that knows the YAML library's loaders.
The library is imported by the first text, since most commands meet none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from limpet.ground.errors import LimpetError
from limpet.ground.late import LateModule

if TYPE_CHECKING:
    import yaml
else:
    yaml = LateModule("yaml")

LARGEST = 100_000
"""Values one document may hold with its aliases written out: a few lines of aliases can stand for billions."""

DEEPEST = 100
"""Collections inside collections: at some ten thousand the C loader overruns its stack and ends the process."""

_RESOLVERS = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    (
        "float",
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        list("-+0123456789."),
    ),
)
# One of these stands for every collection that begins: a list in brackets, a mapping in braces, an item, a key.
_OPENERS = "[{-:?"


# What the library says -> what is wrong, for somebody who edits settings.
_IN_PLAIN_WORDS = (
    ("mapping values are not allowed", "a second colon in the line; put the text in quotes"),
    ("could not find expected ':'", "a key without its colon, or a quote that is not closed"),
    ("expected <block end>", "the indentation does not fit the lines above"),
    ("expected ',' or", "a bracket is not closed, or a comma is missing"),
)


def load_yaml(text: str, where: str) -> object:
    """None for an empty document; ``where`` names the file in errors. Raises LimpetError with ``file:line`` for broken
    syntax, a key given twice, an unsafe tag or too much data."""
    data = _parse(yaml.load, text, where)
    if not _is_bounded(data):
        raise LimpetError(f"More than {LARGEST} values once YAML aliases are expanded", where)
    return data


def compose_yaml(text: str, where: str) -> yaml.Node | None:
    """The node tree with character positions, for edits. Raise LimpetError with ``file:line``."""
    node: yaml.Node | None = _parse(yaml.compose, text, where)
    return node


def node_end(node: yaml.Node) -> int:
    """A block collection's own mark is behind the comments that follow it."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    if isinstance(node, yaml.MappingNode):
        return pair_end(*node.value[-1])
    last = node.value[-1]
    return node_end(last) if last.start_mark.index >= node.start_mark.index else int(node.end_mark.index)


def pair_end(key: yaml.Node, value: yaml.Node) -> int:
    """Behind the key itself where an alias stands for the value."""
    return int(key.end_mark.index) if is_alias(key, value) else node_end(value)


def is_alias(key: yaml.Node, value: yaml.Node) -> bool:
    return bool(value.start_mark.index < key.end_mark.index)


def find_pair(text: str, path: Sequence[str], where: str) -> tuple[yaml.Node, yaml.Node] | None:
    node, pair = compose_yaml(text, where), None
    for name in path:
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        pair = next(((key, value) for key, value in pairs if key.value == name), None)
        node = pair[1] if pair else None
    return pair


def reads_as(text: str, wanted: object, where: str) -> bool:
    """Compared as written, where NaN equals itself and 1 is not true."""
    try:
        return repr(load_yaml(text, where)) == repr(wanted)
    except LimpetError:
        return False


def key_lines(text: str, where: str) -> dict[tuple[str, ...], int]:
    """Key path -> line, from 1. Raise LimpetError for a text that ``load_yaml`` refuses."""
    lines: dict[tuple[str, ...], int] = {}
    waiting: list[tuple[tuple[str, ...], yaml.Node | None]] = [((), compose_yaml(text, where))]
    while waiting:
        path, node = waiting.pop()
        for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
            here = (*path, str(key.value))
            lines[here] = key.start_mark.line + 1
            waiting.append((here, value))
    return lines


@cache
def _core_loader() -> Any:
    """Reads ``yes``, ``1:30`` and dates as text, ``012`` as twelve, and refuses a key given twice."""
    plain: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class CoreLoader(plain):  # type: ignore[misc]
        yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
            mapping: dict[Any, Any] = super().construct_mapping(node, deep=deep)
            if len(mapping) < len(node.value):
                _refuse_twin(self, node)
            return mapping

        def construct_integer(self, node: yaml.ScalarNode) -> int:
            digits = str(self.construct_scalar(node))
            return int(digits, {"0o": 8, "0x": 16}.get(digits[:2], 10))

    for name, pattern, first in _RESOLVERS:
        CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{name}", re.compile(rf"(?:{pattern})\Z"), first)
    CoreLoader.add_constructor("tag:yaml.org,2002:int", CoreLoader.construct_integer)
    return CoreLoader


def _refuse_twin(loader: Any, node: yaml.MappingNode) -> None:
    seen = set()
    for key, _ in node.value:
        name = loader.construct_object(key, deep=True)
        if name in seen:
            what = f"duplicate key {name!r}"
            raise yaml.constructor.ConstructorError(None, None, what, key.start_mark)
        seen.add(name)


def _parse(parse: Any, text: str, where: str) -> Any:
    body = text.removeprefix("\ufeff")
    try:
        _refuse_depth(body, where)
        return parse(body, Loader=_core_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = mark.line if mark else 0
        what = f"Invalid YAML: {_explain(error, body.splitlines()[at : at + 1])}"
        raise LimpetError(what, f"{where}:{at + 1}" if mark else where) from None
    except yaml.reader.ReaderError as error:
        line = body.count("\n", 0, error.position) + 1
        raise LimpetError(f"Invalid YAML: forbidden character ({error.reason})", f"{where}:{line}") from None
    except (ValueError, OverflowError) as error:
        raise LimpetError(f"Invalid YAML ({type(error).__name__}: {error})", where) from None


def _explain(error: yaml.MarkedYAMLError, lines: list[str]) -> str:
    """``lines``: the one that it is about, if any. What has no plain words keeps the library's."""
    problem = str(error.problem or "")
    if "cannot start any token" in problem:
        has_tab = any(re.match(r" *\t", line) for line in lines)
        return "a tab in the indentation; use spaces" if has_tab else "a value begins with a sign; put it in quotes"
    for mark, words in _IN_PLAIN_WORDS:
        if mark in problem:
            return words
    return ", ".join(part for part in (error.context, error.problem) if part)


def _refuse_depth(text: str, where: str) -> None:
    if sum(map(text.count, _OPENERS)) <= DEEPEST:
        return
    depth = 0
    for event in yaml.parse(text, Loader=_core_loader()):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            raise LimpetError(f"Invalid YAML: nested deeper than {DEEPEST} levels", where)


def _is_bounded(data: object) -> bool:
    waiting, count = [data], 0
    while waiting and count <= LARGEST:
        value = waiting.pop()
        count += 1
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple, set)):
            waiting += value
    return count <= LARGEST
