"""The guard's data: ``framework/guard.json``, and what the settings put in its place."""

from __future__ import annotations

import os

import holdfast
from holdfast.ground.formats.json_text import loads
from holdfast.ground.storage.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILE = os.path.join(os.path.dirname(os.path.abspath(holdfast.__file__)), "framework", "guard.json")

_read: dict[str, Any] = {}


def read_table() -> dict[str, Any]:
    """Return the data as ``framework/schemas/guard.schema.json`` describes it; read once a process."""
    if not _read:
        table: Any = loads(read_text(FILE) or "{}")
        _read.update(table)
    return _read


def owners_of(kind: str, table: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the agents that may do acts of a kind, the one to hand it to first; empty where everybody may."""
    known = table["authority"].get(kind)
    return tuple(settings.get("authority", {}).get(kind) or known["agents"]) if known else ()
