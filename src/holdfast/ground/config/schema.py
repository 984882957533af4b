"""The schema of the configuration, with the names of the layers as the defaults list them."""

from __future__ import annotations

from holdfast.ground.config.defaults import ALL_LAYERS
from holdfast.ground.formats.schema import Schema, load_schema


def config_schema() -> Schema:
    """Return the schema of ``config.yaml``."""
    return load_schema("config", {"layers": ALL_LAYERS})
