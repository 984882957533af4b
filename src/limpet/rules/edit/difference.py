"""The difference that an edit makes to a file, as numbered lines and as a unified diff."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from limpet.ground.values import Value

ADDED, REMOVED = "+", "-"


class RuleFileChange(Value):
    """``before``, ``after``: None for no such file.
    ``source``: the path that it had before, "" where that is the same.
    ``mark``: a byte order mark that the texts leave out.
    ``base``: the text whose place a new file takes, "" for none: lines that are in it are no news.
    """

    path: str
    before: str | None
    after: str | None
    source: str = ""
    mark: str = ""
    base: str = ""


class ChangedLine(Value):
    """``line``: from 1, afterwards for an added line, before for a removed one."""

    file: str
    line: int
    sign: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.sign} {self.text}".rstrip()


def changed_lines(change: RuleFileChange) -> Iterator[ChangedLine]:
    before, after = (change.before or change.base).splitlines(), (change.after or "").splitlines()
    for what, start, stop, new_start, new_stop in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        if what == "equal":
            continue
        for place in range(start, stop):
            yield ChangedLine(change.path, place + 1, REMOVED, before[place])
        for place in range(new_start, new_stop):
            yield ChangedLine(change.path, place + 1, ADDED, after[place])


def unified(change: RuleFileChange) -> Iterator[str]:
    before, after = (change.before or "").splitlines(), (change.after or "").splitlines()
    old = "/dev/null" if change.before is None else change.source or change.path
    new = "/dev/null" if change.after is None else change.path
    return difflib.unified_diff(before, after, old, new, lineterm="", n=1)
