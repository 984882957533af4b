"""What a shell knows at one point of a text: variables, functions, aliases, its folder, what was written to files."""

from __future__ import annotations

from limpet.guard.shell.command import UNKNOWN, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Tree = dict[str, Any]
    # A text, or the items of an array.
    Item = str | tuple[str, ...]

# A variable has so many possible values at most; with more it is not known.
MOST_VALUES = 16
# What every shell sets; the folder and the user's home stand as themselves.
_GIVEN: dict[str, tuple[Item, ...]] = {
    "IFS": (" \t\n",),
    "PWD": (".",),
    "HOME": ("~",),
    "SHELL": ("bash",),
    "BASH": ("bash",),
    "0": ("bash",),
}


class State:
    """The one value that changes while a text is read."""

    def __init__(self) -> None:
        self.variables: dict[str, tuple[Item, ...]] = dict(_GIVEN)
        self.positional: tuple[str, ...] | None = None
        self.functions: dict[str, Tree] = {}
        self.aliases: dict[str, str] = {}
        self.git_aliases: dict[str, str] = {}
        # Path -> what was written there by this very text, None where that is not known.
        self.contents: dict[str, str | None] = {}
        self.folder = ""
        self.folders: list[str] = []
        self.previous = UNKNOWN
        # How many conditions or loops are open: what is set there may also keep the value from before.
        self.maybe = 0

    def fork(self) -> tuple[dict[str, tuple[Item, ...]], str, list[str]]:
        """Return what a subshell changes for itself only."""
        return dict(self.variables), self.folder, list(self.folders)

    def join(self, kept: tuple[dict[str, tuple[Item, ...]], str, list[str]]) -> None:
        """Take back what a subshell has changed."""
        self.variables, self.folder, self.folders = kept

    def values(self, name: str) -> tuple[Item, ...]:
        """Return the possible values of a variable, ``(UNKNOWN,)`` where the text does not set it."""
        if name in ("@", "*"):
            return ((UNKNOWN,) if self.positional is None else self.positional,)
        if name.isdigit() and name != "0":
            given = self.positional
            return (UNKNOWN,) if given is None else (given[int(name) - 1] if int(name) <= len(given) else "",)
        return self.variables.get(name, (UNKNOWN,))

    def set(self, name: str, values: tuple[Item, ...], append: bool = False) -> None:
        """Set a variable; within a condition its values from before stay possible."""
        if append:
            values = tuple(_added(old, new) for old in self.variables.get(name, ("",)) for new in values)
        if self.maybe and name in self.variables:
            values = self.variables[name] + values
        unique = tuple(dict.fromkeys(values))
        self.variables[name] = unique if len(unique) <= MOST_VALUES else (UNKNOWN,)

    def enter(self, path: str | None, remember: bool = False) -> None:
        """Change the folder; ``path`` is None or "-" for the one before."""
        before = self.folder
        if remember:
            self.folders.append(before)
        self.folder = self.previous if path in (None, "-") else join(before, path or "")
        self.previous = before

    def leave(self) -> None:
        """Change to the folder that was remembered last."""
        self.previous, self.folder = self.folder, self.folders.pop() if self.folders else UNKNOWN

    def write(self, path: str, text: str | None, append: bool = False) -> None:
        """Keep what a file holds from now on."""
        place = join(self.folder, path)
        if append:
            before = self.contents.get(place, "")
            text = None if before is None or text is None else before + text
        self.contents[place] = text


def _added(old: Item, new: Item) -> Item:
    if isinstance(old, str) and isinstance(new, str):
        return old + new
    return (*((old,) if isinstance(old, str) else old), *((new,) if isinstance(new, str) else new))
