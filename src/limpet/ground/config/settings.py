"""Merges the settings: defaults, the user's file, the project's, the local one, each checked against one schema."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from limpet.ground.config.defaults import ALL_LAYERS, DEFAULTS, STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import (
    DROPPED,
    KeyPath,
    Schema,
    child_schema,
    explain_fault,
    known_keys,
    load_schema,
    nearest,
    shown,
    sift,
)
from limpet.ground.formats.yaml_edit import set_yaml_value
from limpet.ground.formats.yaml_text import key_lines, load_yaml
from limpet.ground.storage.files import is_larger, read_text
from limpet.ground.storage.text_file import COMMANDS_PATIENCE, fair_lock, read_strictly, replace_text, sole_writer
from limpet.ground.storage.user_folders import CONFIG, settings_files
from limpet.ground.trust.consent import find_consent
from limpet.ground.trust.giving import is_acting
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace

FALLING: tuple[tuple[KeyPath, KeyPath], ...] = (
    (("context", "brackets", "FRESH"), ("context", "brackets", "MODERATE")),
    (("context", "brackets", "MODERATE"), ("context", "brackets", "DEPLETED")),
    (("context", "brackets", "DEPLETED"), ("context", "handoff_below")),
    (("context", "characters"), ("context", "short_form_characters")),
)
"""Pairs of keys of which the first must stay above the second."""


class SettingProblem(Value):
    """What does not count: ``file:line: what``, line 0 for the whole file. What ``waits`` for consent is no mistake."""

    file: str
    line: int
    what: str
    waits: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}" if self.line else f"{self.file}: {self.what}"


class Layer(Value):
    """``name``: the file, as shown to people.
    ``values``: those that are valid, and agreed to where they act.
    ``withheld``: those that act and that the user has not agreed to.
    """

    name: str
    values: dict[str, Any]
    problems: tuple[SettingProblem, ...] = ()
    withheld: dict[KeyPath, Any] = {}


def load_settings(workspace: Workspace | None) -> tuple[dict[str, Any], list[str]]:
    """With a line for every value or key that does not count. Raise nothing."""
    layers = read_layers(workspace)
    return merge_layers(layers), [str(problem) for problem in _problems(layers)]


def config_mistakes(workspace: Workspace | None) -> list[str]:
    return [str(problem) for problem in _problems(read_layers(workspace)) if not problem.waits]


def read_layers(
    workspace: Workspace | None, drafts: Mapping[str, str | None] | None = None, agreed: Mapping[str, Any] | None = None
) -> list[Layer]:
    """The defaults first.

    ``drafts``: a file's path -> a text to read in its place, None for no file.
    ``agreed``: the values of acting settings that count, by dotted key, in the place of those that the user agreed to.
    """
    schema = config_schema()
    layers = [Layer("default", DEFAULTS)]
    for path in settings_files(workspace):
        text = drafts[path] if drafts and path in drafts else read_text(path, STATE_BYTES)
        if text is None and is_larger(path, STATE_BYTES):
            name = _name(path, workspace)
            layers.append(Layer(name, {}, (SettingProblem(name, 0, f"Ignored: larger than {STATE_BYTES // 1024} KB"),)))
        if text is not None:
            below = merge_layers(layers)
            layer = _read_layer(text, _name(path, workspace), schema, below)
            if workspace and path == workspace.path(CONFIG):
                consent = find_consent(workspace) if agreed is None else None
                layer = _withhold(layer, text, below, agreed or (consent.agreed if consent else {}))
            layers.append(layer)
    return layers


def offered_settings(workspace: Workspace | None, drafts: Mapping[str, str | None] | None = None) -> dict[str, Any]:
    """What the project's own files would give to acting settings, by dotted key."""
    offered: dict[KeyPath, Any] = {}
    for layer in read_layers(workspace, drafts, agreed={}):
        offered |= layer.withheld
    return {".".join(path): value for path, value in offered.items()}


def merge_layers(layers: Sequence[Layer]) -> dict[str, Any]:
    """Later values replace earlier ones, mappings are merged, empty ones ignored."""
    merged: dict[str, Any] = {}
    for layer in layers:
        merged = _merge(merged, layer.values)
    return merged


def origins(layers: Sequence[Layer]) -> dict[KeyPath, str]:
    found: dict[KeyPath, str] = {}
    for layer in layers:
        found |= {path: layer.name for path, _ in leaves(layer.values)}
    return found


def value_at(settings: Mapping[str, Any], path: KeyPath) -> Any:
    found: Any = settings
    for key in path:
        if not isinstance(found, dict) or key not in found:
            return DROPPED
        found = found[key]
    return found


def leaves(values: Mapping[str, Any], path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def set_setting(
    workspace: Workspace | None, file: str, lock: str, key: str, written: str, agree: Callable[[Any], None]
) -> Any:
    """``written``: the value in YAML.
    ``agree``: called with the value before it is written; what it raises leaves the file as it is.

    Raises LimpetError, with nothing written, for an unknown key, a value the schema refuses, one that breaks the order
    of two keys, or a file that cannot be edited safely.
    """
    schema = config_schema()
    path, leaf = find_key(key, schema)
    value, faults = sift(load_yaml(written, key), leaf, path)
    if faults:
        raise LimpetError(explain_fault(faults[0], schema), "", "Nothing was changed.")
    agree(value)
    with sole_writer(lock, file, COMMANDS_PATIENCE, fair_lock):
        text = read_strictly(file, file)
        edited = set_yaml_value(text, path, value, file)
        before = _wordings(workspace, {})  # not their lines, which an edit moves
        for name, what in _wordings(workspace, {file: edited}):
            if (name, what) not in before:
                raise LimpetError(what.partition("; using ")[0], name, "Nothing was changed.")
        replace_text(file, edited, file, mode=0o644)
    return value


def find_key(key: str, schema: Schema) -> tuple[KeyPath, Schema]:
    """Below an open mapping the rest of ``key`` is one name, dots and all. Raises LimpetError for an unknown key and
    for a section."""
    path: KeyPath = ()
    rest = key
    while rest and "properties" in schema:
        name, _, rest = rest.partition(".")
        path = (*path, name)
        schema = _child(schema, name, key)
    if rest:
        return (*path, rest), _child(schema, rest, key)
    if "properties" in schema or "object" in schema.get("type", ()):
        inside = ", ".join(f"{key}.{name}" for name in schema.get("properties", ["<name>"])) or "none yet"
        raise LimpetError(f"{key} is a section, not a setting", "", f"Its settings: {inside}")
    return path, schema


def config_schema() -> Schema:
    return load_schema("config", {"layers": ALL_LAYERS})


def _read_layer(text: str, name: str, schema: Schema, below: dict[str, Any]) -> Layer:
    try:
        data = load_yaml(text, name)
    except LimpetError as error:
        line = error.where.removeprefix(f"{name}:")
        number = int(line) if line.isdecimal() else 0
        return Layer(name, {}, (SettingProblem(name, number, f"{error.what}; the file is ignored"),))
    good, faults = sift(data, schema)
    values = good if isinstance(good, dict) else {}
    notes = [(fault.path, _with_fallback(explain_fault(fault, schema), fault.path, below)) for fault in faults]
    notes += _drop_misordered(values, below)
    lines = key_lines(text, name) if notes else {}
    return Layer(name, values, tuple(SettingProblem(name, _line(path, lines), what) for path, what in notes))


def _withhold(layer: Layer, text: str, below: dict[str, Any], agreed: Mapping[str, Any]) -> Layer:
    acting = [(path, value) for path, value in leaves(layer.values) if is_acting(path, value)]
    withheld = {
        path: value
        for path, value in acting
        if value != value_at(below, path) and (".".join(path) not in agreed or agreed[".".join(path)] != value)
    }
    if not withheld:
        return layer
    kept = copy.deepcopy(layer.values)
    for path in withheld:
        value_at(kept, path[:-1]).pop(path[-1])
    lines = key_lines(text, layer.name)
    notes = []
    for path, value in withheld.items():
        what = f"{'.'.join(path)} is {shown(value)}, which needs your approval (`limpet trust`)"
        notes.append(SettingProblem(layer.name, _line(path, lines), _with_fallback(what, path, below), waits=True))
    return layer.replace(values=kept, problems=(*layer.problems, *notes), withheld=withheld)


def _with_fallback(what: str, path: KeyPath, below: dict[str, Any]) -> str:
    value = value_at(below, path)
    return what if value is DROPPED else f"{what}; using {shown(value)}"


def _drop_misordered(values: dict[str, Any], below: dict[str, Any]) -> list[tuple[KeyPath, str]]:
    notes = []
    while broken := next((pair for pair in FALLING if _is_broken(pair, _merge(below, values))), None):
        given = [path for path in broken if value_at(values, path) is not DROPPED]
        pair = [value_at(_merge(below, values), path) for path in broken]
        for path in given:
            value_at(values, path[:-1]).pop(path[-1])
        upper, lower = (".".join(path) for path in broken)
        kept = " and ".join(str(value_at(below, path)) for path in broken)
        notes.append((given[0], f"{upper} must be above {lower} (got {pair[0]} and {pair[1]}); using {kept}"))
    return notes


def _is_broken(pair: tuple[KeyPath, KeyPath], settings: dict[str, Any]) -> bool:
    upper, lower = (value_at(settings, path) for path in pair)
    return bool(upper <= lower)


def _line(path: KeyPath, lines: dict[KeyPath, int]) -> int:
    return lines.get(path) or (_line(path[:-1], lines) if path else 1)


def _merge(below: Any, above: Any) -> Any:
    if not isinstance(below, dict):
        return above
    if not isinstance(above, dict):
        return below if above is None else above
    return {**below, **{key: _merge(below.get(key), value) for key, value in above.items()}}


def _name(path: str, workspace: Workspace | None) -> str:
    starts = [("", workspace.root), ("", workspace.data)] if workspace else []
    for mark, folder in [*starts, ("~/", os.path.expanduser("~"))]:
        if path.startswith(folder + os.sep):
            return mark + path[len(folder) + 1 :].replace(os.sep, "/")
    return path


def _child(schema: Schema, name: str, key: str) -> Schema:
    child = child_schema(schema, name) if "object" in schema.get("type", ()) else None
    if child is None:
        what = f"Unknown setting: {key}{nearest(key, known_keys(config_schema()))}"
        raise LimpetError(what, hint="" if "?" in what else "Run: limpet config get")
    return child


def _wordings(workspace: Workspace | None, drafts: dict[str, str]) -> list[tuple[str, str]]:
    layers = read_layers(workspace, drafts, agreed=offered_settings(workspace, drafts))
    return [(problem.file, problem.what) for problem in _problems(layers)]


def _problems(layers: Iterable[Layer]) -> Iterator[SettingProblem]:
    for layer in layers:
        yield from layer.problems
