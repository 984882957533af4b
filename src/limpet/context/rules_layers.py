"""The layers of rules: the constitution in short, never dropped (L0), manner and standing rules (L1), the agent (L2),
squads (L5), the domains that a prompt calls (L6), and typed commands (L7)."""

from __future__ import annotations

from limpet.context.fitting import SPARE, render_open, shorten
from limpet.context.usage import active_layers
from limpet.context.values import Piece, piece_of
from limpet.ground.text.escaping import clip
from limpet.ground.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.context.values import AgentView, Request

# Short enough to be whole within its ceiling.
HANDOFF = "Under {floor}%: start no new task; limpet work handoff --write"
LONGEST_NAME = 32
# Tokens of the active agent's line where its layer is off: a mission is whole.
MISSION = 90
# What a mode and a permission ask of the agent (Article XI).
MODES = {
    "planning": "write only documents and .limpet/",
    "build": "change code, not infrastructure or CI",
    "deploy": "change infrastructure and CI too",
}
# What a step asks that finds out whether what was built is right.
REPORT_ONLY = "change nothing but your report"
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
RECORD = 'What the user says is kept by itself. What you found out: limpet memory write "gotcha: ..."'
SHOWN_KEYWORDS = 3
MOST_WORDS = 5
LEAST_WORDS = 2


def constitution(request: Request) -> Iterator[Piece]:
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


def mode(request: Request) -> Iterator[Piece]:
    ceilings, manner, bracket = request.settings["ceilings"], request.manner, request.window.bracket
    if manner.mode or manner.permission or manner.user_level:
        asks = "; ".join(filter(None, (manner.asks or MODES.get(manner.mode), PERMISSIONS.get(manner.permission))))
        attributes = (("permission", manner.permission), ("asks", asks), ("user", USERS.get(manner.user_level, "")))
        yield _fact("mode", manner.mode or "no mode", ceilings["mode_agent"] * 3 // 5, attributes)
    if request.agent and "L2" not in active_layers(bracket, request.executor, request.settings):
        yield _agent_in_short(request.agent)
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


def agent(request: Request) -> Iterator[Piece]:
    """Lines fall from the end: its rules before its checks and steps, those before what it may not do."""
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
        where=f"limpet work agent show {agent.name}",
    )
    frame = estimate_tokens(f"{render_open(piece)}</agent>", request.settings["reserve"])
    yield piece.replace(most=max(1, request.settings["ceilings"]["agent"] - frame))


def squad(request: Request) -> Iterator[Piece]:
    for rules in request.rules.squads:
        yield piece_of(rules, "L5", rank=5, again=request.settings["repeat_after"])


def domains(request: Request) -> Iterator[Piece]:
    for rules in request.rules.domains:
        matched = (("matched", ", ".join(rules.matched[:SHOWN_KEYWORDS])),)
        yield piece_of(rules, "L6", rank=4, more=matched, again=request.settings["repeat_after"])
    has_directory = "L6" in active_layers(request.window.bracket, request.executor, request.settings)
    if not has_directory or request.settings["directory"]["tokens"] <= 0:
        return
    for name, when in request.rules.fetched:
        yield _to_open(name, when)
    if _listed(request) and request.epoch.get("stable") is None:
        yield _directory(request)


def commands(request: Request) -> Iterator[Piece]:
    """In the order of typing; each gets what the budget has left after the fixed facts."""
    for typed in request.typed:
        yield Piece(
            layer="L7",
            tag="command",
            name=f"*{typed.name}",
            attributes=(("name", typed.name),),
            lines=tuple(("", f"- {line}") for line in typed.lines),
            rank=1,
            again=1,
            where=typed.where,
        )


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


def _agent_in_short(agent: AgentView) -> Piece:
    return Piece(
        layer="L1",
        tag="agent",
        name=f"agent {agent.name}",
        attributes=(("name", clip(agent.name, LONGEST_NAME)),),
        lines=(("", agent.mission),),
        rank=0,
        ceiling=MISSION,
        stable=True,
        where=f"limpet work agent show {agent.name}",
    )


def _listed(request: Request) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return request.rules.directory if request.rules.listed >= request.settings["directory"]["domains"] else ()


def _directory(request: Request) -> Piece:
    """As many words of each domain as let all be named; where the fewest are too many, only the first domains fit."""
    for width in range(MOST_WORDS, LEAST_WORDS, -1):
        piece = _with_words(request, width)
        if len(shorten(piece, request.settings["reserve"]).lines) == len(piece.lines):
            return piece
    return _with_words(request, LEAST_WORDS)


def _to_open(name: str, when: str) -> Piece:
    return Piece(
        layer="L1",
        tag="directory",
        name=f"to open {name}",
        lines=(("", f"Before you {when}, read: limpet rules show {name}"),),
        rank=4,
        where=f"limpet rules show {name}",
    )


def _with_words(request: Request, width: int) -> Piece:
    return Piece(
        layer="L1",
        tag="directory",
        name="directory",
        attributes=(("of", str(request.rules.listed)), ("open", "limpet rules show NAME")),
        lines=tuple(("", f"{name}: {' '.join(words[:width])}") for name, words in _listed(request)),
        rank=SPARE,
        most=request.settings["directory"]["tokens"],
        stable=True,
        where="limpet rules list",
    )
