"""A subagent starts, or something happens in one: it is the agent that its type names, and the main conversation stays
what it is."""

from __future__ import annotations

from limpet.context.pipeline import build_block
from limpet.context.usage import NAMES, WindowUsage
from limpet.engine.block import choose
from limpet.engine.block.recall import ids_shown
from limpet.engine.block.request import make_request
from limpet.engine.commands.agent import find_named
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.event_context import EventContext

# A subagent begins with an empty window.
FRESH = NAMES[0]
LAYERS = ["L0", "L1", "L2"]


def enter_subagent(context: EventContext) -> EventContext:
    """Return the context with the agent that the subagent's type names by id, alias or declaration; it is nobody where
    the type names none."""
    if not context.event.agent_id:
        return context
    known = context if context.plan else context.replace(plan=choose.open_called_rules(context))
    return context.replace(subagent=find_named(known, context.event.agent_type))


def compose_for_subagent(context: EventContext) -> EventContext:
    """Make the block: constitution, mode and the rules that always hold; for an agent of ours also its layer and
    memories. Nothing of it is kept in the conversation's state."""
    settings = context.mirror.settings
    if not settings["context"]["subagents"]["told"]:
        return context
    agent = context.subagent or ""
    begun = context.replace(
        mirror=context.mirror.replace(settings=_narrowed(settings)),
        session={**context.session, EPOCH: {}},
        subagent=agent,
        usage=WindowUsage(used=0, window=settings["context"]["window"], remaining=100.0, source="start"),
    )
    chosen = choose.choose(begun)
    request = make_request(begun, chosen, starting=True, executor="agent" if agent else "worker")
    # What concerns the conversation with the user, and remarks on its state, are not a subagent's business.
    notes = context.notes if context.workspace.stranger else ()
    request = request.replace(
        manner=request.manner.replace(lock="", record=False),
        work=request.work.replace(following=None),
        rules=request.rules.replace(squads=()),
        notes=notes,
    )
    # Small, and of no use where the last line of a long agent or rule takes their place.
    if request.wishes:
        request = request.replace(wishes=request.wishes.replace(first=True))
    if request.memory:
        request = request.replace(memory=request.memory.replace(first=True))
    result = build_block(request, context.clock)
    return context.replace(
        subagent=agent, usage=begun.usage, chosen=chosen, request=request, result=result, recalled=ids_shown(result)
    )


def _narrowed(settings: dict[str, Any]) -> dict[str, Any]:
    context, memory = settings["context"], settings["memory"]
    contents, few = memory["contents"], memory["tokens"]["chunks"]
    return {
        **settings,
        "context": {
            **context,
            "layers": {**context["layers"], FRESH: LAYERS},
            "budgets": {**context["budgets"], FRESH: context["subagents"]["tokens"]},
        },
        "memory": {
            **memory,
            "wishes": {**memory["wishes"], FRESH: few},
            "contents": {**contents, "tokens": {**contents["tokens"], "first": few}},
        },
    }
