"""L2: the active agent's mission, inputs, outputs, criteria, authority and rules."""

from __future__ import annotations

from holdfast.context.values import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.context.request import Request

# Why the layer is silent where the request has nothing in this field.
SILENT = ("agent", "no agent is active")


def pieces(request: Request) -> Iterator[Piece]:
    """Yield one ``<agent>`` element; what it may not do stands before its other rules."""
    agent = request.agent
    if agent is None:
        return
    facts = (("inputs", agent.inputs), ("outputs", agent.outputs), ("criteria", agent.criteria))
    yield Piece(
        layer="L2",
        tag="agent",
        name=f"agent {agent.name}",
        attributes=(("name", agent.name), ("mission", agent.mission)),
        lines=(
            *((tag, text) for tag, text in facts if text),
            *(("authority", rule) for rule in agent.authority),
            *(("", f"- {rule}") for rule in agent.rules),
        ),
        rank=2,
        stable=True,
        where=f"holdfast rules show AGENT_{agent.name.upper().replace('-', '_')}",
    )
