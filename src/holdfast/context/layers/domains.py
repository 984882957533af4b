"""L6: the domains that the prompt's words called."""

from __future__ import annotations

from holdfast.context.values import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.context.request import Request

SHOWN_KEYWORDS = 3

# Why the layer is silent where the request has nothing in this field.
SILENT = ("domains", "no keyword called a domain")


def pieces(request: Request) -> Iterator[Piece]:
    """Yield each matched domain with the keywords that called it."""
    for rules in request.domains:
        yield Piece(
            layer="L6",
            tag="rules",
            name=rules.name,
            attributes=(("domain", rules.name), ("matched", ", ".join(rules.matched[:SHOWN_KEYWORDS]))),
            lines=tuple(("", f"- {rule}") for rule in rules.rules),
            rank=4,
            again=request.settings["repeat_after"],
            where=f"holdfast rules show {rules.name}",
        )
