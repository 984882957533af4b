"""L5: the rules of the active squad, and of other squads where the prompt's words call them."""

from __future__ import annotations

from limpet.context.values import piece_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.context.values import Piece, Request

# Why it is silent where there is nothing to make a piece of.
SILENT = "no squad's rules apply"


def pieces(request: Request) -> Iterator[Piece]:
    """Yield each squad domain that applies, under its squad's name."""
    for rules in request.rules.squads:
        yield piece_of(rules, "L5", rank=5, again=request.settings["repeat_after"])
