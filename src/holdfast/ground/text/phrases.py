"""Words and patterns that are shipped as text: under a heading ``## name: what it is`` one entry a line.

An indented line goes on with the one before; ``# `` begins a remark.
"""

from __future__ import annotations

import os
from functools import cache

import holdfast


@cache
def read_phrases(name: str) -> dict[str, tuple[str, ...]]:
    """Return section -> its entries, of the file ``name`` below ``framework/``."""
    sections: dict[str, list[str]] = {}
    entries: list[str] = []
    with open(os.path.join(os.path.dirname(holdfast.__file__), "framework", name), encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("## "):
                entries = sections.setdefault(line[3:].partition(":")[0], [])
            elif line.startswith("  "):
                entries[-1] += line[2:]
            elif line and not line.startswith("# "):
                entries.append(line)
    return {section: tuple(found) for section, found in sections.items()}
