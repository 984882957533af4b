"""Redirections: what a command reads and which files it writes."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.guard.shell.command import UNKNOWN, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.guard.shell.state import State, Tree
    from limpet.guard.shell.walk import Walk

_WRITES = frozenset((">", ">>", ">|", "&>", "&>>", "<>"))
_HERE = frozenset(("<<", "<<-"))


class Streams(Value):
    """What one command is fed with (None where that is not known) and the paths that it reads and writes."""

    fed: str | None = ""
    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    append: bool = False

    def catch(self, state: State, printed: str | None) -> str | None:
        """Keep what is printed in the files that catch it, and return what is left of it."""
        for path in self.writes:
            state.write(path, printed, self.append)
        return "" if self.writes else printed


def streams_of(walk: Walk, redirections: list[Tree], fed: str | None) -> Streams:
    """Return the streams of a statement; the commands in the words of its redirections are walked."""
    writes: list[str] = []
    reads: list[str] = []
    append = False
    for each in redirections:
        operator = each["Op"]
        if operator in _HERE:
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


def _document(walk: Walk, redirection: Tree) -> str | None:
    """Return a here-document: as it stands where its end is quoted, else with what the shell fills in."""
    parts = redirection.get("Hdoc", {}).get("Parts", [])
    if any(part["Type"] != "Lit" or "\\" in part["Value"] for part in redirection["Word"].get("Parts", ())):
        text = "".join(part.get("Value", "") for part in parts)
    else:
        text = _one(walk, {"Parts": [{"Type": "DblQuoted", "Parts": parts}]}) or ""
    is_indented = redirection["Op"] == "<<-"
    return "\n".join(line.lstrip("\t") for line in text.split("\n")) if is_indented else text


def _one(walk: Walk, word: Tree) -> str | None:
    texts = walk.expansion.texts(word)
    return texts[0] if texts else None
