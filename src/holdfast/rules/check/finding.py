"""What ``holdfast rules check`` says about one mistake; apart because every check makes it."""

from __future__ import annotations

from holdfast.ground.values import Value

ERROR, WARNING = "error", "warning"


class Finding(Value):
    """A mistake: ``severity`` error or warning, ``file`` from the project's root, ``line`` (0: the whole file), what is
    wrong, and a ``hint`` on what to do."""

    severity: str
    file: str
    line: int
    what: str
    hint: str

    @property
    def where(self) -> str:
        """``file:line``, or the file."""
        return f"{self.file}:{self.line}" if self.line else self.file

    def __str__(self) -> str:
        return f"{self.severity}: {self.where}: {self.what} ({self.hint})"
