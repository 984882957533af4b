"""L2: the active agent's mission, what goes in and comes out, its limits, commands, steps and rules: how it works, not
what counts, which its step says."""

from __future__ import annotations

from limpet.context.block import render_open
from limpet.context.values import Piece
from limpet.ground.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.context.values import Request

# Why it is silent where there is nothing to make a piece of.
SILENT = "no agent is active"


def pieces(request: Request) -> Iterator[Piece]:
    """Yield one ``<agent>`` element. Lines fall from the end: its rules before its checks and steps, those before what
    it may not do."""
    agent = request.agent
    if agent is None:
        return
    facts = (("inputs", agent.inputs), ("outputs", agent.outputs), ("criteria", agent.criteria))
    piece = Piece(
        layer="L2",
        tag="agent",
        name=f"agent {agent.name}",
        attributes=(("name", agent.name), ("mission", agent.mission)),
        lines=(
            *((tag, text) for tag, text in facts if text),
            *(("commands", text) for text in filter(None, ("; ".join(agent.commands),))),
            *(("authority", rule) for rule in agent.authority),
            *(("", f"{number}. {text}") for number, text in enumerate(agent.steps, 1)),
            *(("check", text) for text in agent.checklist),
            *(("", f"- {rule}") for rule in agent.rules),
        ),
        rank=2,
        stable=True,
        where=f"limpet agent show {agent.name}",
    )
    frame = estimate_tokens(f"{render_open(piece)}</agent>", request.settings["reserve"])
    yield piece.replace(most=max(1, request.settings["ceilings"]["agent"] - frame))
