"""Reads the words, phrases and patterns that are data: under a heading ``## name: what it is`` one entry a line. An
indented line goes on with the one before; ``# `` begins a remark."""

from __future__ import annotations

import os

import limpet

_known: dict[str, dict[str, tuple[str, ...]]] = {}


def read_words(name: str) -> dict[str, tuple[str, ...]]:
    """Section -> its entries, in order; read once a process."""
    if name not in _known:
        with open(os.path.join(os.path.dirname(limpet.__file__), "framework", name), encoding="utf-8") as file:
            _known[name] = split_words_file(file.read())
    return _known[name]


def split_words_file(text: str) -> dict[str, tuple[str, ...]]:
    sections: dict[str, list[str]] = {}
    entries: list[str] = []
    for line in text.splitlines():
        if line.startswith("## "):
            entries = sections.setdefault(line[3:].partition(":")[0], [])
        elif line.startswith("  "):
            entries[-1] += line[2:]
        elif line and line != "#" and not line.startswith("# "):
            entries.append(line)
    return {section: tuple(found) for section, found in sections.items()}
