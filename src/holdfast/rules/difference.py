"""What an edit did to a file, as lines with their numbers, and as a unified diff."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from holdfast.ground.values import Value
from holdfast.rules.keyvalue import split_lines

ADDED, REMOVED = "+", "-"


class Change(Value):
    """A file before and after an edit, None for "no such file"; ``path`` counts from the project's root, ``mark`` is a
    byte order mark that the texts leave out."""

    path: str
    before: str | None
    after: str | None
    mark: str = ""


class ChangedLine(Value):
    """A line that came (``+``, its number afterwards) or went (``-``, its number before)."""

    file: str
    line: int
    sign: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.sign} {self.text}"


def changed_lines(change: Change) -> Iterator[ChangedLine]:
    """The lines that came and went, in their order."""
    before, after = _lines(change.before), _lines(change.after)
    for what, start, stop, new_start, new_stop in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        if what == "equal":
            continue
        for place in range(start, stop):
            yield ChangedLine(change.path, place + 1, REMOVED, before[place])
        for place in range(new_start, new_stop):
            yield ChangedLine(change.path, place + 1, ADDED, after[place])


def unified(change: Change) -> Iterator[str]:
    """The edit as a unified diff."""
    before, after = _lines(change.before), _lines(change.after)
    names = ["/dev/null" if text is None else change.path for text in (change.before, change.after)]
    return difflib.unified_diff(before, after, *names, lineterm="", n=1)


def _lines(text: str | None) -> list[str]:
    lines = split_lines(text or "")
    return lines if lines[-1] else lines[:-1]
