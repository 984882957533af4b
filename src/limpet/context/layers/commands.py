"""L7: what the user typed after a star; it is in every bracket and for every executor."""

from __future__ import annotations

from limpet.context.values import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.context.values import Request

# Why it is silent where there is nothing to make a piece of.
SILENT = "no star-command in the prompt"


def pieces(request: Request) -> Iterator[Piece]:
    """Yield each typed command in the order of typing; it gets what the budget has left after the fixed facts."""
    for typed in request.typed:
        yield Piece(
            layer="L7",
            tag="command",
            name=f"*{typed.name}",
            attributes=(("name", typed.name),),
            lines=tuple(("", f"- {line}") for line in typed.lines),
            rank=1,
            again=1,
            where=typed.where,
        )
