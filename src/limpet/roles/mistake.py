"""A mistake in an agent's file, as a value: it costs what it is in, and keeps nobody from working."""

from __future__ import annotations

from limpet.ground.values import Value


class Mistake(Value):
    """What is wrong in an agent's file.

    ``where``: the file, with the line where one is known (``file:line``).
    ``hint``: what to do, "" where that is plain.
    ``instead``: what holds where nothing of the file can be used, "" where the rest of it is.
    """

    where: str
    what: str
    hint: str = ""
    instead: str = ""

    @property
    def text(self) -> str:
        """What is wrong and what it leads to."""
        return f"{self.what}, so {self.instead}" if self.instead else self.what

    @property
    def note(self) -> str:
        """The same in as few words as a block has room for."""
        return f"{self.where} cannot be read, so {self.instead}" if self.instead else f"{self.where}: {self.what}"

    def __str__(self) -> str:
        return f"{self.where}: {self.text}{f' ({self.hint})' if self.hint else ''}"
