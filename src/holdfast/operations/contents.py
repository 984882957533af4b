"""Counts what a ``.holdfast`` folder holds, for people who are about to delete it or have restored it."""

from __future__ import annotations

import os

from holdfast.memory.files.store import scan
from holdfast.work.stories.store import STORIES

RULES = "rules"


def count_contents(home: str) -> dict[str, int]:
    """Return how many ``memories``, ``rule files`` and ``stories`` lie in the folder ``home``, each that there is."""
    counts = {
        "memories": sum(1 for _ in scan(home)),
        "rule files": _count_entries(os.path.join(home, RULES)),
        "stories": _count_entries(os.path.join(home, STORIES)),
    }
    return {name: number for name, number in counts.items() if number}


def _count_entries(folder: str) -> int:
    try:
        return sum(not name.startswith(".") for name in os.listdir(folder))
    except OSError:
        return 0
