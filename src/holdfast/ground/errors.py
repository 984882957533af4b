"""The base of all errors for people, in a module of its own so that raising it costs no import."""


class HoldfastError(Exception):
    """An error for people: what is wrong, where (``file:line`` or a key path), and what to do about it."""

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        super().__init__(what, where, hint)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.what}{advice}"


class Unwritten(HoldfastError):
    """What could not be written for now, because the disk refused or another process was at work: worth another try."""
