"""L3: where the work stands, and the rules of the active workflow."""

from __future__ import annotations

from holdfast.context.values import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.context.values import Request


def pieces(request: Request) -> Iterator[Piece]:
    """The pipeline line, then each domain that the workflow triggers."""
    repeat = request.settings["repeat_after"]
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
