"""An event that nobody sent, as the engine would meet it: what previews and checks start from."""

from __future__ import annotations

from limpet.context.brackets import NAMES
from limpet.context.usage import Usage, measure
from limpet.engine.block.choose import open_rules
from limpet.engine.commands.agent import find_named
from limpet.engine.event_context import PREVIEW, EventContext
from limpet.engine.steps.window import gather_figures, read_transcript
from limpet.ground.clock import Clock
from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.ground.event import Event
from limpet.ground.workspace import Workspace
from limpet.operations.conversations import read_conversation
from limpet.work.private import read_private
from limpet.work.session import new_session

# Sources of a figure that is a guess; what an earlier event measured is better.
GUESSES = ("start", "estimate")

PAUSED = "Limpet is paused for this conversation: none of this is sent"


def draft_event(
    workspace: Workspace,
    prompt: str,
    *,
    bracket: str = "",
    agent: str = "",
    session: str = "",
    starting: bool = False,
    clock: Clock,
) -> EventContext:
    """Return the context of a prompt, or of a session's start, in a new conversation or as the next of ``session``.

    ``bracket`` puts the window's remainder into the middle of it; ``agent`` is an id or alias.
    Raises LimpetError for an unknown agent or session.
    """
    state = read_conversation(workspace, session) if session else new_session("", PREVIEW, workspace.root, clock.now())
    kind, prompt = ("session_start", "") if starting else ("prompt", prompt)
    private = read_private(str(state["id"])) if session else None
    context = EventContext(
        event=Event(kind=kind, host=PREVIEW, session=str(state["id"]), cwd=workspace.root, prompt=prompt),
        workspace=workspace,
        clock=clock,
        mirror=read_mirror(workspace),
        session={**state, "prompt_count": state["prompt_count"] + (not starting)},
        fresh=not session,
        notes=(PAUSED,) if private and private.paused else (),
    )
    if agent:
        context = context.with_session(active_agent=_known_agent(context, agent))
    return context.replace(usage=_usage(context, bracket), plan=open_rules(context))


def _known_agent(context: EventContext, name: str) -> str:
    found = find_named(context.replace(plan=open_rules(context)), name)
    if not found:
        raise LimpetError(f"Unknown agent: {name}", "", "Run: limpet agent list")
    return found


def _usage(context: EventContext, bracket: str) -> Usage:
    """Return the forced bracket's middle; else what is measured now; where that is a guess, what the last event
    measured."""
    settings = context.mirror.settings["context"]
    measured = measure(gather_figures(context, read_transcript(context)), settings)
    last = context.session["usage"]
    if bracket:
        bounds = [100.0, *(settings["brackets"][name] for name in NAMES[:3]), 0.0]
        place = NAMES.index(bracket)
        remaining = (bounds[place] + bounds[place + 1]) / 2
        used = round(measured.window * (100 - remaining) / 100)
        return Usage(used=used, window=measured.window, remaining=remaining, source="assumed")
    known = Usage(**last) if last else measured
    return known if measured.source in GUESSES and known.source not in GUESSES else measured
