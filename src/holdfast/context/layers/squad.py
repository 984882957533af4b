"""L5: the rules of the active squad, and of other squads where the prompt's words call them."""

from __future__ import annotations

from holdfast.context.values import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.context.request import Request

# Why the layer is silent where the request has nothing in this field.
SILENT = ("squad_rules", "no squad's rules apply")


def pieces(request: Request) -> Iterator[Piece]:
    """Yield each squad domain that applies, under its squad's name."""
    for rules in request.squad_rules:
        yield Piece(
            layer="L5",
            tag="rules",
            name=rules.name,
            attributes=(("squad", rules.squad), ("domain", rules.name)),
            lines=tuple(("", f"- {rule}") for rule in rules.rules),
            rank=5,
            again=request.settings["repeat_after"],
            where=f"holdfast rules show {rules.name}",
        )
