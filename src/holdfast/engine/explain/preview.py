"""The block as the hook would make it, made by the hook's own code and kept nowhere: for people who ask why."""

from __future__ import annotations

from holdfast.context.brackets import NAMES
from holdfast.context.pipeline import build_block
from holdfast.context.usage import Usage, measure
from holdfast.context.values import Request, Result
from holdfast.engine.block.choose import Chosen, choose, open_rules
from holdfast.engine.block.figures import gather_figures, read_transcript
from holdfast.engine.block.gather import make_request
from holdfast.engine.event_context import PREVIEW, Turn
from holdfast.engine.steps.prompt import prepare
from holdfast.ground.clock import Clock
from holdfast.ground.config.mirror import read_mirror
from holdfast.ground.errors import HoldfastError
from holdfast.ground.event import Event
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.conversations import read_conversation
from holdfast.work.in_force import resolve_agent
from holdfast.work.session import new_session

GUESSES = ("start", "estimate")


class Preview(Value):
    """A block that nobody was sent: the turn it belongs to, the rules chosen for it, the request and the result."""

    turn: Turn
    chosen: Chosen
    request: Request
    result: Result


def preview(
    workspace: Workspace,
    prompt: str,
    *,
    bracket: str = "",
    agent: str = "",
    session: str = "",
    starting: bool = False,
    clock: Clock,
) -> Preview:
    """The block for a prompt, or for a session's start, in a new conversation or as the next one of ``session``.

    ``bracket`` puts the window's remainder into the middle of it; ``agent`` is an id or alias.
    Raises HoldfastError for an unknown agent or session.
    """
    turn = _turn(workspace, "" if starting else prompt, session, starting, clock)
    if agent:
        turn = turn.replace(session={**turn.session, "active_agent": _known_agent(turn, agent)})
    usage = _usage(turn, bracket)
    if starting:
        chosen = choose(turn, open_rules(turn))
        request = make_request(turn, chosen, usage, (), starting=True)
    else:
        turn, chosen, request = prepare(turn, usage)
    return Preview(turn=turn, chosen=chosen, request=request, result=build_block(request, turn.clock))


def _turn(workspace: Workspace, prompt: str, session: str, starting: bool, clock: Clock) -> Turn:
    fresh = new_session("", PREVIEW, workspace.root, clock.now())
    state = read_conversation(workspace, session) if session else fresh
    kind = "session_start" if starting else "prompt"
    return Turn(
        event=Event(kind=kind, host=PREVIEW, session=session, cwd=workspace.root, prompt=prompt),
        workspace=workspace,
        clock=clock,
        mirror=read_mirror(workspace),
        session={**state, "prompt_count": state["prompt_count"] + (not starting)},
        fresh=not session,
    )


def _known_agent(turn: Turn, name: str) -> str:
    found = resolve_agent(name, turn.in_force.workflow)
    if found is None:
        raise HoldfastError(f"there is no agent {name}", "", "see `holdfast agent list`")
    return found


def _usage(turn: Turn, bracket: str) -> Usage:
    """The forced bracket's middle; else what is measured now; where that is a guess, what the last event measured."""
    settings = turn.mirror.settings["context"]
    measured = measure(gather_figures(turn, read_transcript(turn)), settings)
    last = turn.session["usage"]
    if bracket:
        bounds = [100.0, *(settings["brackets"][name] for name in NAMES[:3]), 0.0]
        place = NAMES.index(bracket)
        remaining = (bounds[place] + bounds[place + 1]) / 2
        used = round(measured.window * (100 - remaining) / 100)
        return Usage(used=used, window=measured.window, remaining=remaining, source="assumed")
    known = Usage(**last) if last else measured
    if measured.source in GUESSES and known.source not in GUESSES:
        return known
    return measured
