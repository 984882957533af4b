"""The router's weights: ``framework/routing.json``, made by ``bench/routing_train.py`` of labelled requests."""

from __future__ import annotations

import os

import holdfast
from holdfast.ground.formats.json_text import loads
from holdfast.ground.storage.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FILE = os.path.join(os.path.dirname(os.path.abspath(holdfast.__file__)), "framework", "routing.json")

_read: dict[str, Any] = {}


def read_weights() -> dict[str, Any]:
    """Return ``threshold`` and, for ``ceremony`` and ``agent``, ``names`` and ``weights``; read once a process.

    Weights are feature -> the place of a name and the hundredths that it gains, in turn.
    """
    if not _read:
        table: Any = loads(read_text(FILE) or "{}")
        _read.update(table)
    return _read
