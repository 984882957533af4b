"""Memory: what was learned before, quoted as data at the level of detail that the bracket allows."""

from __future__ import annotations

from holdfast.context.values import AS_DATA, Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.context.values import Request

MARK = "memory "

# Why it is silent where there is nothing to make a piece of.
SILENT = "no memories"


def pieces(request: Request) -> Iterator[Piece]:
    """Yield one ``<memory>`` element, a line for each entry that the conversation does not hold yet."""
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
