"""A mistake in a memory's file, as ``verify`` and every reading command report it."""

from __future__ import annotations

from holdfast.ground.values import Value


class Problem(Value):
    """A mistake in one file.

    ``path`` is from ``memories/``.
    ``line`` counts from 1; 0 means the whole file.
    ``hint`` tells how to correct it.
    """

    path: str
    line: int
    what: str
    hint: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.what}. {self.hint}" if self.hint else f"{where}: {self.what}"
