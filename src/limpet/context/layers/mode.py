"""L1: mode, lock, the agent's name where its layer is off, the handoff warning, and the rules that always hold."""

from __future__ import annotations

from limpet.context.brackets import active_layers
from limpet.context.values import Piece, piece_of
from limpet.ground.text.escaping import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.context.values import Agent, Request

# Short enough to be whole within its ceiling.
HANDOFF = "Under {floor}%: write the handoff, start no new task"
LONGEST_NAME = 32
# What a mode and a permission ask of the agent (Article XI).
MODES = {
    "planning": "write only documents and .limpet/",
    "build": "change code, not infrastructure or CI",
    "deploy": "change infrastructure and CI too",
}
PERMISSIONS = {
    "explore": "read only, change nothing",
    "ask": "ask before each change",
    "auto": "change files without asking",
}
# What the user's level asks of it (Article V.4).
USERS = {
    "vibecoder": "no programmer: explain in plain words, give whole commands",
    "power_user": "power user: be brief",
}
# Whole or not at all: half a command is none.
RECORD = 'Record decisions: limpet memory write "decision: ..."'


def pieces(request: Request) -> Iterator[Piece]:
    """Yield one-line facts first, rules after them."""
    ceilings, manner, bracket = request.settings["ceilings"], request.manner, request.window.bracket
    if manner.mode or manner.permission or manner.user_level:
        asks = "; ".join(filter(None, (MODES.get(manner.mode), PERMISSIONS.get(manner.permission))))
        attributes = (("permission", manner.permission), ("asks", asks), ("user", USERS.get(manner.user_level, "")))
        yield _fact("mode", manner.mode or "no mode", ceilings["mode_agent"] * 3 // 5, attributes)
    if request.agent and "L2" not in active_layers(bracket, request.executor, request.settings):
        yield _agent_line(request.agent, ceilings["mode_agent"] * 2 // 5)
    if manner.lock:
        yield _fact("lock", manner.lock, ceilings["lock"])
    floor = request.settings["handoff_below"]
    if request.window.remaining < floor:
        yield _fact("handoff-warning", HANDOFF.format(floor=floor), ceilings["handoff"]).replace(stable=False, again=1)
    if manner.record and bracket != "CRITICAL":  # which has no room for it; the epoch was told before
        yield Piece(
            layer="L1",
            tag="record",
            name="record",
            lines=(("", RECORD),),
            rank=0,
            stable=True,
            where="limpet memory write --help",
        )
    if request.rules.bracket:
        yield piece_of(request.rules.bracket, "L1", rank=2).replace(name=f"CONTEXT {bracket}")
    for rules in request.rules.standing:
        yield piece_of(rules, "L1", rank=2, stable=True)


def _fact(tag: str, text: str, ceiling: int, attributes: tuple[tuple[str, str], ...] = ()) -> Piece:
    given = tuple(pair for pair in attributes if pair[1])
    return Piece(
        layer="L1",
        tag=tag,
        name=tag,
        attributes=given,
        lines=(("", text),),
        rank=0,
        ceiling=ceiling,
        stable=True,
        where="limpet status",
    )


def _agent_line(agent: Agent, ceiling: int) -> Piece:
    return Piece(
        layer="L1",
        tag="agent",
        name=f"agent {agent.name}",
        attributes=(("name", clip(agent.name, LONGEST_NAME)),),
        lines=(("", agent.mission),),
        rank=0,
        ceiling=ceiling,
        stable=True,
        where="limpet agent list",
    )
