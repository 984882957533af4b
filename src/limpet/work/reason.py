"""A reason against a story or a handoff, as every door shows it."""

from __future__ import annotations

from limpet.ground.values import Value


class Reason(Value):
    """A fault of a story or handoff.

    ``what``: what is wrong.
    ``where``: ``file:line``, or "".
    ``hint``: what to do.
    ``grave``: enough to refuse.
    """

    what: str
    where: str = ""
    hint: str = ""
    grave: bool = True

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what}" + (f" ({self.hint})" if self.hint else "")
