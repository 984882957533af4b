"""Hints: pieces of text without which a pattern cannot match, searched for first because that is far cheaper."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    _Row = TypeVar("_Row")


def by_hint(rows: Iterable[tuple[tuple[str, ...], _Row]]) -> dict[str, list[_Row]]:
    """Return the rows that each hint may lead to, so that a hint of many rows is looked for once."""
    table: dict[str, list[_Row]] = {}
    for hints, row in rows:
        for hint in hints:
            table.setdefault(hint, []).append(row)
    return table


def hinted(table: dict[str, list[int]], text: str) -> list[int]:
    """Return the numbers of the rows that may match in the text, in order."""
    return sorted({number for hint, numbers in table.items() if hint in text for number in numbers})
