"""Reminds the agent, once an epoch, to record what the person said where nothing was recorded (decision 48)."""

from __future__ import annotations

from holdfast.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext

# What is typed and records.
TYPED = ("remember", "gotcha")


def remind(context: EventContext) -> EventContext:
    """Have the block remind it with the prompt after the first ``memory.recording.remind_after`` of the epoch.

    Whether the person steered is not looked for: its cues need regular expressions, for which a prompt would wait.
    ``recorded`` is the prompt at which something was last recorded; ``memory add`` notes it too.
    """
    count = context.session["prompt_count"]
    if any(one.name in TYPED for one in context.typed):
        context = context.with_session(recorded=count)
    epoch, after = context.session[EPOCH], context.mirror.settings["memory"]["recording"]["remind_after"]
    began = int(epoch.get("began", 0))
    if not after or epoch.get("asked") or count - began <= after or not context.is_sent or context.private:
        return context
    recorded = context.session.get("recorded")
    silent = not (isinstance(recorded, int) and recorded >= began)
    return context.replace(remind=silent).with_session(**{EPOCH: {**epoch, "asked": True}})
