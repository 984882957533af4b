"""Reads the words, phrases and patterns that are data: ``framework/words``, an entry a line, in sections."""

from __future__ import annotations

import os

import holdfast


def read_words(name: str) -> dict[str, tuple[str, ...]]:
    """Return section -> its entries, in order. A section opens with ``[name]``; a line that begins with ``# `` says
    something about the others."""
    sections: dict[str, list[str]] = {}
    with open(os.path.join(os.path.dirname(holdfast.__file__), "framework", "words", name), encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line[:1] == "[" and line[-1:] == "]":
                entries = sections.setdefault(line[1:-1], [])
            elif line and line != "#" and not line.startswith("# "):
                entries.append(line)
    return {section: tuple(entries) for section, entries in sections.items()}
