"""Memory: what was learned before, quoted as data: statements at the level of detail that the bracket allows, and
titles to open."""

from __future__ import annotations

from holdfast.context.values import AS_DATA, Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.context.values import Request

MARK = "memory "
LISTED = "contents "

# Why it is silent where there is nothing to make a piece of.
SILENT = "no memories"
OPEN = "those that bear on the request: holdfast memory show ID [ID ...]"


def pieces(request: Request) -> Iterator[Piece]:
    """Yield one ``<memory>`` element with statements and one ``<contents>`` with titles, a line for each entry that the
    conversation does not hold yet."""
    memory = request.memory
    if memory and memory.entries:
        yield Piece(
            layer="memory",
            tag="memory",
            name="memory",
            attributes=(("bracket", request.window.bracket), ("level", memory.level), ("note", AS_DATA)),
            lines=tuple(("", line) for _, line in memory.entries),
            marks=tuple(MARK + name for name, _ in memory.entries),
            rank=1 if memory.first else 3 if memory.opening else 5,
            most=memory.tokens,
            where="holdfast memory search",
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
            where="holdfast memory search",
        )
