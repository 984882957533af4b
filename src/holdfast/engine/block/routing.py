"""The line that says whose work a prompt is: only where somebody asked for that, by the orchestrator or the lock."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext

ROUTER = "orchestrator"
# How sure the router must be of an agent to name it.
SURE = 0.8


def find_route(context: EventContext, starting: bool) -> str:
    """Return the command that the prompt calls for, "" for none.

    None where nobody routes, the prompt is a command itself, or the router is not sure.

    Elsewhere nothing of the router is loaded (decision 47).
    """
    prompt, found = context.event.prompt, context.in_force
    asked = found.agent == ROUTER or context.mirror.work.get("lock")
    if starting or not prompt or not asked or context.typed or context.workspace.stranger:
        return ""
    from holdfast.agents.routing.route import NONE, command, route

    said = route(prompt, at_work=bool(found.workflow or found.task))
    if said.ceremony == NONE and (said.agent in ("", found.agent) or said.confidence < SURE):
        return ""
    return command(said)
