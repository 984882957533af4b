"""Writes one setting into a configuration file, checked before a byte changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from limpet.ground.config.schema import config_schema
from limpet.ground.config.settings import explain, known_keys, offered_settings, read_layers
from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import KeyPath, Schema, child_schema, nearest, sift
from limpet.ground.formats.yaml_edit import set_value
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.storage.text_file import read_strictly, replace_text, sole_writer
from limpet.ground.workspace import Workspace


def set_setting(
    workspace: Workspace | None, file: str, lock: str, key: str, written: str, agree: Callable[[Any], None]
) -> Any:
    """Set the dotted ``key`` in ``file``, under the lock file ``lock``, to what ``written`` is in YAML, and return it.

    ``agree``: called with the value before it is written; what it raises leaves the file as it is.
    Raises LimpetError, with nothing written, for an unknown key, a value the schema refuses, one that breaks the
    order of two keys, or a file that cannot be edited safely.
    """
    schema = config_schema()
    path, leaf = find_key(key, schema)
    value, faults = sift(load_yaml(written, key), leaf, path)
    if faults:
        raise LimpetError(explain(faults[0], schema), "", "Nothing was changed.")
    agree(value)
    with sole_writer(lock, file):
        text = read_strictly(file, file)
        edited = set_value(text, path, value, file)
        _refuse_new_problems(workspace, file, edited)
        replace_text(file, edited, file, mode=0o644)
    return value


def find_key(key: str, schema: Schema) -> tuple[KeyPath, Schema]:
    """Return the path and schema of one setting; below an open mapping the rest of ``key`` is one name, dots and all.

    Raises LimpetError for an unknown key and for a section.
    """
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


def _child(schema: Schema, name: str, key: str) -> Schema:
    child = child_schema(schema, name) if "object" in schema.get("type", ()) else None
    if child is None:
        what = f"Unknown setting: {key}{nearest(key, known_keys(config_schema()))}"
        raise LimpetError(what, hint="" if "?" in what else "Run: limpet config list")
    return child


def _refuse_new_problems(workspace: Workspace | None, file: str, edited: str) -> None:
    """Raise LimpetError for a problem that the edit brings.

    Problems are compared by wording, because an edit moves the lines of old ones.
    """
    before = _wordings(workspace, {})
    for name, what in _wordings(workspace, {file: edited}):
        if (name, what) not in before:
            raise LimpetError(what.partition("; using ")[0], name, "Nothing was changed.")


def _wordings(workspace: Workspace | None, drafts: dict[str, str]) -> list[tuple[str, str]]:
    """Return the mistakes in the files; a value that needs the user's word is none."""
    layers = read_layers(workspace, drafts, agreed=offered_settings(workspace, drafts))
    return [(problem.file, problem.what) for layer in layers for problem in layer.problems]
