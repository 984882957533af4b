"""The block as the hook would make it, made by the hook's own steps and kept nowhere: for people who ask why."""

from __future__ import annotations

from limpet.context.pipeline import build_block
from limpet.context.values import Request, Result
from limpet.engine.block.choose import choose
from limpet.engine.block.request import make_request
from limpet.engine.event_context import Chosen, EventContext
from limpet.engine.explain.draft import draft_event
from limpet.engine.steps.block import request_block
from limpet.engine.steps.commands import answer, reread_task
from limpet.ground.clock import Clock
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace


class Preview(Value):
    """A block that nobody was sent.

    ``context``: the event's, after its commands.
    ``chosen``: the rules chosen for the block.
    ``request``, ``result``: what the block is made of, and the block.
    """

    context: EventContext
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
    """Return the block for a prompt, or for a session's start; the arguments are those of ``draft_event``.

    Raises LimpetError for an unknown agent or session.
    """
    context = draft_event(
        workspace, prompt, bracket=bracket, agent=agent, session=session, starting=starting, clock=clock
    )
    if starting:
        chosen = choose(context)
        request = make_request(context, chosen, starting=True)
        context = context.replace(chosen=chosen, request=request)
    else:
        context = request_block(answer(reread_task(context)))
    assert context.chosen is not None and context.request is not None
    result = build_block(context.request, clock)
    return Preview(context=context, chosen=context.chosen, request=context.request, result=result)
