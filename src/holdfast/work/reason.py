"""One thing that is wrong with a story or a handoff, as every door shows it."""

from __future__ import annotations

from holdfast.ground.values import Value


class Reason(Value):
    """What is wrong, where (``file:line`` or nothing) and what to do. ``grave``: enough to refuse."""

    what: str
    where: str = ""
    hint: str = ""
    grave: bool = True

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what}" + (f" ({self.hint})" if self.hint else "")
