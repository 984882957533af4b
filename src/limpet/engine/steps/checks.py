"""A command that runs tests failed: the next block brings the rules that come with a failed check."""

from __future__ import annotations

from limpet.work.session import EPOCH, FAILED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext


def note_failed(context: EventContext) -> EventContext:
    """Keep in the epoch that a check failed; what fails in a subagent is its own affair."""
    event, epoch = context.event, context.session[EPOCH]
    command = (event.tool_input or {}).get("command")
    if event.agent_id or epoch.get(FAILED) or not isinstance(command, str):
        return context
    from limpet.engine.block.deeds import runs_tests
    from limpet.engine.steps.guard import understand_call
    from limpet.guard.call import ToolCall

    call = ToolCall(kind="shell", command=command, folder=event.cwd)
    understood = understand_call(call, context.workspace.root, context.clock)
    is_check = understood is not None and runs_tests(understood)
    return context.with_session(**{EPOCH: {**epoch, FAILED: True}}) if is_check else context
