"""Commands typed into the prompt act, before the block is made, so that it shows the state that they leave; where none
recorded anything for long, the agent is reminded to (decision 48)."""

from __future__ import annotations

from holdfast.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext

# What is typed and records.
TYPED = ("remember", "gotcha")


def reread_task(context: EventContext) -> EventContext:
    """Bring the conversation's own task up to date with its story."""
    if not isinstance(context.session.get("task"), dict):
        return context
    from holdfast.engine.commands.work import with_fresh_task

    return with_fresh_task(context)


def answer(context: EventContext) -> EventContext:
    """Let ``/holdfast``, a wish to leave, and star-commands act; without a sign of one nothing is imported."""
    prompt = context.event.prompt
    if prompt.lstrip()[:1] == "/" or context.mirror.work.get("lock"):
        from holdfast.engine.commands.session import answer_user

        context = answer_user(context)
    if "*" in prompt:
        from holdfast.engine.commands.star import act

        context = act(context)
    return context


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
