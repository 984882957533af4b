"""The one base error, in a module of its own so that raising it costs no import."""


class HoldfastError(Exception):
    """An error for people: what is wrong, where (``file:line`` or a key path), and what to do about it."""

    def __init__(self, what: str, where: str = "", mend: str = "") -> None:
        super().__init__(what, where, mend)
        self.what = what
        self.where = where
        self.mend = mend

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f" ({self.mend})" if self.mend else ""
        return f"{place}{self.what}{advice}"
