"""A mistake in an agent's file, as a value: it costs what it is in, and keeps nobody from working."""

from __future__ import annotations

from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value

CORRECT = "correct it there"
"""What to do about a mistake that has no hint of its own."""


class Mistake(Value):
    """What is wrong in an agent's file.

    ``where``: the file, with the line where one is known (``file:line``).
    ``hint``: what to do, "" where that is plain.
    ``is_whole``: whether nothing of the file can be used.
    """

    where: str
    what: str
    hint: str = ""
    is_whole: bool = False

    def __str__(self) -> str:
        return f"{self.where}: {self.what}{f' ({self.hint})' if self.hint else ''}"


def whole_mistake(error: HoldfastError, instead: str) -> Mistake:
    """Return the mistake of a file that cannot be read; ``instead`` says what is used in its place."""
    return Mistake(error.where, f"{error.what}; {instead}", error.hint.rstrip("."), is_whole=True)
