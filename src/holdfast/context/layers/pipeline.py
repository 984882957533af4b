"""L3: the state of the work, what a compaction cut short, the specs, and the rules of the active workflow."""

from __future__ import annotations

from holdfast.context.values import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.context.request import Request

WHERE = {
    "continuation": ".holdfast/continuation/latest.md",
    "spec": "holdfast spec status",
}

# Why the layer is silent where the request has nothing in this field.
SILENT = ("workflow", "no workflow is active")


def pieces(request: Request) -> Iterator[Piece]:
    """Yield pipeline, what to continue, the specs, the domains that a workflow triggers."""
    repeat = request.settings["repeat_after"]
    yield from _lines(request, "continuation", request.continuation, rank=2)
    if request.pipeline or request.workflow:
        yield Piece(
            layer="L3",
            tag="pipeline",
            name="pipeline",
            attributes=(("workflow", request.workflow),) if request.workflow else (),
            lines=tuple(("", line) for line in request.pipeline.splitlines()),
            rank=4,
            again=repeat,
            where="holdfast status",
        )
    yield from _lines(request, "spec", request.spec, rank=6)
    for rules in request.workflow_rules:
        yield Piece(
            layer="L3",
            tag="rules",
            name=rules.name,
            attributes=(("domain", rules.name),),
            lines=tuple(("", f"- {rule}") for rule in rules.rules),
            rank=4,
            again=repeat,
            where=f"holdfast rules show {rules.name}",
        )


def _lines(request: Request, tag: str, lines: tuple[str, ...], rank: int) -> Iterator[Piece]:
    if lines:
        yield Piece(
            layer="L3",
            tag=tag,
            name=tag,
            lines=tuple(("", line) for line in lines),
            rank=rank,
            where=WHERE[tag],
        )
