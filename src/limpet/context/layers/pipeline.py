"""L3: the state of the work, what a compaction cut short, the specs, and the rules of the active workflow."""

from __future__ import annotations

from limpet.context.values import Piece, piece_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.context.values import Request

WHERE = {
    "continuation": ".limpet/continuation/latest.md",
    "spec": "limpet spec status",
}

# Why it is silent where there is nothing to make a piece of.
SILENT = "no workflow is active"


def pieces(request: Request) -> Iterator[Piece]:
    """Yield pipeline, what to continue, the specs, the domains that a workflow triggers."""
    repeat, work = request.settings["repeat_after"], request.work
    yield from _lines("continuation", work.continuation, rank=2)
    if work.pipeline or work.workflow:
        yield Piece(
            layer="L3",
            tag="pipeline",
            name="pipeline",
            attributes=(("workflow", work.workflow),) if work.workflow else (),
            lines=tuple(("", line) for line in work.pipeline.splitlines()),
            rank=4,
            again=repeat,
            where="limpet status",
        )
    yield from _lines("spec", work.spec, rank=6)
    for rules in request.rules.workflow:
        yield piece_of(rules, "L3", rank=4, again=repeat)


def _lines(tag: str, lines: tuple[str, ...], rank: int) -> Iterator[Piece]:
    if lines:
        yield Piece(
            layer="L3",
            tag=tag,
            name=tag,
            lines=tuple(("", line) for line in lines),
            rank=rank,
            where=WHERE[tag],
        )
