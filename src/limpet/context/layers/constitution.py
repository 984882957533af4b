"""L0: the constitution in short, never dropped, and the project's own articles in full."""

from __future__ import annotations

from limpet.context.values import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.context.values import Request


def pieces(request: Request) -> Iterator[Piece]:
    """Yield the summary with the project's articles by title, then those articles one by one."""
    own = [("", heading) for heading, _ in request.charter.articles]
    yield Piece(
        layer="L0",
        tag="constitution",
        name="CONSTITUTION",
        lines=(*(("", line) for line in request.charter.short), *own),
        rank=0,
        ceiling=request.settings["ceilings"]["constitution"],
        stable=True,
        where="limpet rules show CONSTITUTION",
    )
    for heading, duties in request.charter.articles:
        yield Piece(
            layer="L0",
            tag="article",
            name=heading,
            attributes=(("title", heading),),
            lines=tuple(("", duty) for duty in duties),
            rank=3,
            stable=True,
            where="limpet rules show CONSTITUTION",
        )
