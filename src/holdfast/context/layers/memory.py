"""Memory: what is remembered, quoted as data at the bracket's level of detail."""

from __future__ import annotations

from holdfast.context.values import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.context.values import Request


def pieces(request: Request) -> Iterator[Piece]:
    """One ``<memory>`` element, a line an entry."""
    if request.memory:
        yield Piece(
            layer="memory",
            tag="memory",
            name="memory",
            attributes=(("bracket", request.bracket), ("level", request.memory.level)),
            lines=tuple(("", line) for line in request.memory.lines),
            rank=5,
            again=request.settings["repeat_after"],
            where="holdfast status",
        )
