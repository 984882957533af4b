"""The schema of the configuration, completed with the names of layers that ``defaults`` defines."""

from __future__ import annotations

from typing import Any

from holdfast.ground.config.defaults import ALL_LAYERS
from holdfast.ground.formats.schema import Schema, load_schema

# In ``config.schema.json`` this comment marks the name of a layer.
LAYER = "a layer of ground.config.defaults.ALL_LAYERS"


def config_schema() -> Schema:
    """Return the schema of ``config.yaml``."""
    schema: Schema = _fill(load_schema("config"))
    return schema


def _fill(node: Any) -> Any:
    if isinstance(node, list):
        return [_fill(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {"enum": list(ALL_LAYERS)} if node.get("$comment") == LAYER else {key: _fill(node[key]) for key in node}
