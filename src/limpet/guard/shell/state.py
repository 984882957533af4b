"""What a shell knows at one point of a text: variables, functions, aliases, its folder, what was written to files."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.guard.shell.command import UNKNOWN, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from limpet.guard.shell.walk import ShellWalk

    Tree = dict[str, Any]
    Item = str | tuple[str, ...]

# A variable has so many possible values at most; with more it is not known.
MOST_VALUES = 16
# What every shell sets; the user's home stands as itself.
_GIVEN: dict[str, tuple[Item, ...]] = {
    "IFS": (" \t\n",),
    "HOME": ("~",),
    "SHELL": ("bash",),
    "BASH": ("bash",),
    "0": ("bash",),
}
_WRITES = frozenset((">", ">>", ">|", "&>", "&>>", "<>"))


class ShellState:
    """The one value that changes while a text is read. ``start``: the folder, absolute, in which it is run; ``top``:
    of the working tree; "" where they are not known."""

    def __init__(self, start: str = "", top: str = "") -> None:
        self.start, self.top = start, top
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
        return dict(self.variables), self.folder, list(self.folders)

    def join(self, kept: tuple[dict[str, tuple[Item, ...]], str, list[str]]) -> None:
        self.variables, self.folder, self.folders = kept

    def values(self, name: str) -> tuple[Item, ...]:
        """``(UNKNOWN,)`` where the text does not set the variable."""
        if name in ("@", "*"):
            return ((UNKNOWN,) if self.positional is None else self.positional,)
        if name.isdigit() and name != "0":
            given = self.positional
            if given is None:
                return (UNKNOWN,)
            return (given[int(name) - 1],) if int(name) <= len(given) else ("",)
        if name in FOLDERS and name not in self.variables:
            return (FOLDERS[name](self),)
        return self.variables.get(name, (UNKNOWN,))

    def here(self) -> str:
        return join(self.start, self.folder) or "."

    def set(self, name: str, values: tuple[Item, ...], append: bool = False) -> None:
        """Within a condition the values from before stay possible."""
        if append:
            longer: list[Item] = []
            for old in self.variables.get(name, ("",)):
                longer += [_added(old, new) for new in values]
            values = tuple(longer)
        if self.maybe and name in self.variables:
            values = self.variables[name] + values
        unique = tuple(dict.fromkeys(values))
        self.variables[name] = unique if len(unique) <= MOST_VALUES else (UNKNOWN,)

    def enter(self, path: str | None, remember: bool = False) -> None:
        """``path`` is None or "-" for the folder before."""
        before = self.folder
        if remember:
            self.folders.append(before)
        self.folder = self.previous if path in (None, "-") else join(before, path or "")
        self.previous = before

    def leave(self) -> None:
        self.previous, self.folder = self.folder, self.folders.pop() if self.folders else UNKNOWN

    def write(self, path: str, text: str | None, append: bool = False) -> None:
        place = join(self.folder, path)
        if append:
            before = self.contents.get(place, "")
            text = None if before is None or text is None else before + text
        self.contents[place] = text


FOLDERS: dict[str, Callable[[ShellState], str]] = {
    "PWD": ShellState.here,
    "OLDPWD": lambda state: join(state.start, state.previous),
    "CLAUDE_PROJECT_DIR": lambda state: state.top or UNKNOWN,
}
"""The variables that tell one, where the text does not set them."""


class Streams(Value):
    """``fed`` is None where it is not known."""

    fed: str | None = ""
    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    append: bool = False

    def catch(self, state: ShellState, printed: str | None) -> str | None:
        for path in self.writes:
            state.write(path, printed, self.append)
        return "" if self.writes else printed


def streams_of(walk: ShellWalk, redirections: list[Tree], fed: str | None) -> Streams:
    writes: list[str] = []
    reads: list[str] = []
    append = False
    for each in redirections:
        operator = each["Op"]
        if operator in ("<<", "<<-"):
            fed = _document(walk, each)
            continue
        path = _one(walk, each["Word"])
        if operator == "<<<":
            fed = None if path is None else path + "\n"
        elif operator in _WRITES or (operator == ">&" and not (path or "1").strip("-").isdecimal() and path != "-"):
            writes.append(path or UNKNOWN)
            append = append or operator in (">>", "&>>")
        elif operator == "<":
            reads.append(path or UNKNOWN)
            fed = walk.state.contents.get(join(walk.state.folder, reads[-1]))
    return Streams(fed, tuple(writes), tuple(reads), append)


def _added(old: Item, new: Item) -> Item:
    if isinstance(old, str) and isinstance(new, str):
        return old + new
    return (*((old,) if isinstance(old, str) else old), *((new,) if isinstance(new, str) else new))


def _document(walk: ShellWalk, redirection: Tree) -> str | None:
    parts = redirection.get("Hdoc", {}).get("Parts", [])
    if any(part["Type"] != "Lit" or "\\" in part["Value"] for part in redirection["Word"].get("Parts", ())):
        text = "".join(part.get("Value", "") for part in parts)
    else:
        text = _one(walk, {"Parts": [{"Type": "DblQuoted", "Parts": parts}]}) or ""
    is_indented = redirection["Op"] == "<<-"
    return "\n".join(line.lstrip("\t") for line in text.split("\n")) if is_indented else text


def _one(walk: ShellWalk, word: Tree) -> str | None:
    texts = walk.expansion.texts(word)
    return texts[0] if texts else None
