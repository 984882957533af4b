"""The router's weights: ``framework/routing.json``, made by ``bench/routing_train.py`` of labelled requests."""

from __future__ import annotations

import os
from itertools import zip_longest

import holdfast
from holdfast.ground.formats.json_text import loads
from holdfast.ground.storage.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

FILE = os.path.join(os.path.dirname(os.path.abspath(holdfast.__file__)), "framework", "routing.json")

# A gain is a letter: as many places after the middle one as units are gained, before it as are lost. None of them has
# to be escaped in JSON.
_MIDDLE, LEVELS = ord("?"), 28

_read: dict[str, Any] = {}


def read_weights() -> dict[str, Any]:
    """Return ``threshold``, for ``ceremony`` and ``agent`` the ``names``, the ``bias`` of each and the ``unit`` of
    gains, and ``weights``: feature -> a letter for each name, ceremonies first, but those at the end that gain nothing.
    Read once a process.
    """
    if not _read:
        table: Any = loads(read_text(FILE) or "{}")
        _read.update(table)
    return _read


def letter(units: int) -> str:
    """Return the letter for a number of units."""
    return chr(_MIDDLE + units)


def totals_of(rows: Collection[str], count: int) -> list[int]:
    """Return the units that rows of letters gain together, place by place, for so many places."""
    columns = zip_longest(*map(str.encode, (*rows, letter(0) * count)), fillvalue=_MIDDLE)
    return [sum(column) - _MIDDLE * len(column) for column in columns]


def units_at(letters: str, place: int) -> int:
    """Return the units that a row of letters gains at a place."""
    return ord(letters[place]) - _MIDDLE if place < len(letters) else 0
