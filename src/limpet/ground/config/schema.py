"""The schema of the configuration, with the names of the layers as the defaults list them."""

from __future__ import annotations

from limpet.ground.config.defaults import ALL_LAYERS
from limpet.ground.formats.schema import Schema, load_schema


def config_schema() -> Schema:
    """Return the schema of ``config.yaml``."""
    return load_schema("config", {"layers": ALL_LAYERS})
