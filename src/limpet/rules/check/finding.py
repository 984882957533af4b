"""One finding of ``limpet rules check``.

Separate from the checks, because each of them yields findings.
"""

from __future__ import annotations

from limpet.ground.values import Value

ERROR, WARNING = "error", "warning"


class Finding(Value):
    """A mistake in a rule file.

    ``severity``: error or warning.
    ``file``: its path from the project's root.
    ``line``: counted from 1; 0 for the whole file.
    ``what``: what is wrong.
    ``hint``: how to fix it.
    """

    severity: str
    file: str
    line: int
    what: str
    hint: str

    @property
    def where(self) -> str:
        """``file:line``, or the file alone."""
        return f"{self.file}:{self.line}" if self.line else self.file

    def __str__(self) -> str:
        return f"{self.severity}: {self.where}: {self.what} ({self.hint})"
