"""Validation against the part of JSON Schema that our schemas use: valid parts are kept, every fault is named."""

from __future__ import annotations

import functools
import json
import math
import os
from collections.abc import Iterable, Mapping
from typing import Any

import limpet
from limpet.ground.text.lookup import nearest_name
from limpet.ground.values import Value

Schema = dict[str, Any]
KeyPath = tuple[str, ...]

DROPPED = object()
NO_WORDS: Mapping[str, Iterable[str]] = {}
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": (int, float),
    "number": (int, float),
}
_NOUNS = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
}


class Fault(Value):
    """``what``: such as ``must be an integer (got 'x')``."""

    path: KeyPath
    what: str


def load_schema(name: str, words: Mapping[str, Iterable[str]] = NO_WORDS) -> Schema:
    """The shipped schema, its ``$ref``s to its own ``$defs`` written out; nobody changes it.

    ``words``: what code already lists, by name. A part of the schema whose ``$comment`` is ``one of NAME`` takes these
    as its ``enum``, so that they stand in one place.
    """
    return _load(name, tuple((f"one of {name}", tuple(listed)) for name, listed in words.items()))


def sift(value: object, schema: Schema, path: KeyPath = ()) -> tuple[Any, list[Fault]]:
    """(The value less its bad parts, ``DROPPED`` if nothing is left; the faults, none for a valid value). A bad item
    costs its list, a bad value its key only. Whole floats become integers where the schema says integer."""
    demand = _demand(value, schema)
    if demand:
        return DROPPED, [Fault(path, f"must be {demand} (got {shown(value)})")]
    if isinstance(value, dict):
        return _sift_mapping(value, schema, path)
    if isinstance(value, list):
        return _sift_list(value, schema, path)
    return (int(value) if isinstance(value, float) and schema.get("type") == "integer" else value), []


def child_schema(schema: Schema, key: str) -> Schema | None:
    """``{}`` where anything goes, None where the key is not allowed."""
    if key in schema.get("properties", {}):
        child: Schema = schema["properties"][key]
        return child
    other = schema.get("additionalProperties", True)
    if isinstance(other, dict):
        return other
    return {} if other else None


def leaf_paths(schema: Schema, path: KeyPath = ()) -> Iterable[tuple[KeyPath, Schema]]:
    """Every key path that is no closed section; an open mapping counts as one."""
    if schema.get("additionalProperties", True) is not False:
        yield path, schema
        return
    for key, child in schema["properties"].items():
        yield from leaf_paths(child, (*path, key))


def nearest(name: str, known: Iterable[str]) -> str:
    names = list(known)
    close = nearest_name(name, names) or next((one for one in names if one.split(".")[-1] == name), "")
    return f" (did you mean {close}?)" if close else ""


def shown(value: object) -> str:
    """As messages quote it: on one line of at most 60 characters."""
    text = repr(value) if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def explain_fault(fault: Fault, schema: Schema) -> str:
    name = ".".join(fault.path)
    if fault.what == "is unknown":
        return f"Unknown key: {name}{nearest(name, known_keys(schema))}"
    return f"{name or 'The file'} {fault.what}"


def known_keys(schema: Schema) -> list[str]:
    names: dict[str, None] = {}
    for path, _ in leaf_paths(schema):
        names |= {".".join(path[:depth]): None for depth in range(1, len(path) + 1)}
    return list(names)


@functools.cache
def _load(name: str, words: tuple[tuple[str, tuple[str, ...]], ...]) -> Schema:
    folder = os.path.join(os.path.dirname(limpet.__file__), "framework", "schemas")
    with open(os.path.join(folder, f"{name}.schema.json"), encoding="utf-8") as file:
        text = file.read()
    schema: Schema = json.loads(text)
    definitions = schema.pop("$defs", {})
    return _expand(schema, definitions, dict(words)) if words or definitions else schema


def _expand(node: Schema, definitions: Mapping[str, Schema], words: Mapping[str, tuple[str, ...]]) -> Schema:
    if "$ref" in node:
        node = {**definitions[node["$ref"].removeprefix("#/$defs/")], **node}
        del node["$ref"]
    listed = words.get(node.get("$comment", ""))
    if listed:
        node = {"enum": list(listed), **node}
        del node["$comment"], node["type"]
    expanded = {}
    for key, value in node.items():
        expanded[key] = _expand(value, definitions, words) if isinstance(value, dict) else value
    return expanded


def _sift_mapping(value: dict[Any, Any], schema: Schema, path: KeyPath) -> tuple[Any, list[Fault]]:
    kept, faults = {}, []
    for key, item in value.items():
        here = (*path, str(key))
        child = child_schema(schema, key)
        if child is None:
            faults.append(Fault(here, "is unknown"))
            continue
        good, more = sift(item, child, here)
        faults += more
        if good is not DROPPED:
            kept[key] = good
    return kept, faults


def _sift_list(value: list[Any], schema: Schema, path: KeyPath) -> tuple[Any, list[Fault]]:
    kept, faults = [], list[Fault]()
    for item in value:
        good, more = sift(item, schema.get("items", {}), path)
        kept.append(good)
        faults += more
    return (DROPPED if faults else kept), faults


def _demand(value: object, schema: Schema) -> str:
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not _is_of_one(value, types):
        return " or ".join(_NOUNS[name] for name in types if name != "null")
    if "enum" in schema and not any(value == one and type(value) is type(one) for one in schema["enum"]):
        return "one of " + ", ".join(str(one) for one in schema["enum"] if one is not None)
    if types and isinstance(value, (int, float)) and not isinstance(value, bool):
        return _demand_range(value, schema)
    return ""


def _demand_range(value: float, schema: Schema) -> str:
    if not math.isfinite(value):
        return "a finite number"
    if value < schema.get("minimum", value):
        return f"at least {schema['minimum']}"
    if value > schema.get("maximum", value):
        return f"at most {schema['maximum']}"
    return ""


def _is_of_one(value: object, types: list[str]) -> bool:
    if isinstance(value, bool):
        return "boolean" in types
    for name in types:
        if name == "integer" and isinstance(value, float):
            if value.is_integer():
                return True
        elif isinstance(value, _TYPES[name]):
            return True
    return False
