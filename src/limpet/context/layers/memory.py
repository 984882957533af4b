"""Memory: what the person wants always, in plain lines; and what was learned before, quoted as data: statements at the
level of detail that the bracket allows, and titles to open."""

from __future__ import annotations

from limpet.context.values import AS_DATA, Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.context.values import Request

# Marks of lines: a memory's statement, a standing wish, the end of either, a title.
MARK = "memory "
WISHED = "wish "
GONE = "gone "
LISTED = "contents "

# Why it is silent where there is nothing to make a piece of.
SILENT = "no memories"
OPEN = "those that bear on the request: limpet memory show ID [ID ...]"


def told_whole(sent: Iterable[str]) -> frozenset[str]:
    """Return the ids of the memories whose words stand in the conversation, by the marks of what it was sent."""
    return frozenset(mark.partition(" ")[2] for mark in sent if mark.startswith((MARK, WISHED)))


def pieces(request: Request) -> Iterator[Piece]:
    """Yield one ``<standing-wishes>``, one ``<memory>`` with statements and one ``<contents>`` with titles, a line for
    each entry that the conversation does not hold yet."""
    memory, wishes = request.memory, request.wishes
    if wishes:
        yield Piece(
            layer="memory",
            tag="standing-wishes",
            name="wishes",
            lines=tuple(("", line) for _, line in wishes.entries),
            marks=tuple(mark for mark, _ in wishes.entries),
            worth=wishes.worth,
            rank=1 if wishes.first else 3,
            most=wishes.tokens,
            where="limpet memory list --type user_correction",
        )
    if memory and memory.entries:
        yield Piece(
            layer="memory",
            tag="memory",
            name="memory",
            attributes=(("note", AS_DATA),),
            lines=tuple(("", line) for _, line in memory.entries),
            marks=tuple(MARK + name for name, _ in memory.entries),
            rank=1 if memory.first else 3 if memory.opening else 5,
            most=memory.tokens,
            where="limpet memory search",
        )
    if request.contents:
        yield Piece(
            layer="memory",
            tag="contents",
            name="contents",
            attributes=(("note", f"titles of memories, {AS_DATA}"), ("open", OPEN)),
            lines=tuple(("", line) for _, line in request.contents),
            marks=tuple(LISTED + name for name, _ in request.contents),
            rank=7,
            where="limpet memory search",
        )
