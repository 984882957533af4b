"""The base of all errors for people, in a module of its own so that raising it costs no import."""


class LimpetError(Exception):
    """An error for people, shown as ``What is wrong: where. What to do.``

    ``what``: what is wrong, in sentence case without a full stop.
    ``where``: a file, a key or a name; a position in a file (``file:line``) is shown first, as compilers do.
    ``hint``: what to do: ``Run: COMMAND``, or a sentence.
    """

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        super().__init__(what, where, hint)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        what, where = (" ".join(each.splitlines()) for each in (self.what, self.where))
        _, colon, line = where.rpartition(":")
        first, second = (where, what) if colon and line.isdecimal() else (what, where)
        message = f"{first}: {second}" if second else first
        if not self.hint:
            return message
        is_open = ": " in self.hint or self.hint.endswith((".", "?", ")", "`", "---"))
        return f"{message}. {self.hint[:1].upper()}{self.hint[1:]}{'' if is_open else '.'}"


class Unwritten(LimpetError):
    """What could not be written for now, because the disk refused or another process was at work: worth another try."""
