"""Reads the questions that a detail file's own checklist brings along, and tells which of them cannot count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from holdfast.work.documents.rubrics import Item

HEAVIEST = 9
"""The greatest weight of a question: a slip of the pen must not outweigh all others."""


def read_questions(rows: Iterable[Any]) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    """Return (the questions that can count, a line on each that cannot) of a checklist's rows."""
    asked = [row for row in rows if isinstance(row, dict) and row.get("question")]
    found: list[Item] = []
    problems: list[str] = []
    for row in asked:
        faults = list(_faults(row, found))
        problems += [f"question {row.get('id') or row['question']}: {what}" for what in faults]
        if not faults:
            found.append(Item(str(row["id"]), " ".join(str(row["question"]).split()), int(row["weight"])))
    return tuple(found), tuple(problems)


def _faults(row: dict[str, Any], known: Sequence[Item]) -> Iterator[str]:
    weight = row.get("weight")
    if not row.get("id"):
        yield "needs an id"
    elif any(item.id == str(row["id"]) for item in known):
        yield "another question has this id"
    if isinstance(weight, bool) or not isinstance(weight, int) or not 0 < abs(weight) <= HEAVIEST:
        yield f"weight {weight!r} must be a whole number from 1 to {HEAVIEST}, or below 0 for a penalty"
