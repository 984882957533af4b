"""The guard's data: ``framework/guard.json``, and what the settings put in its place."""

from __future__ import annotations

from limpet.ground.formats.json_text import read_shipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def read_table() -> dict[str, Any]:
    """Return the data as ``framework/schemas/guard.schema.json`` describes it."""
    return read_shipped("guard")


def owners_of(kind: str, table: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the agents that may do acts of a kind, the one to hand it to first; empty where everybody may."""
    known = table["authority"].get(kind)
    return tuple(settings.get("authority", {}).get(kind) or known["agents"]) if known else ()
