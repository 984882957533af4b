"""Commands typed into the prompt act, before the block is made, so that it shows the state that they leave."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext


def reread_task(context: EventContext) -> EventContext:
    """Bring the conversation's own task up to date with its story."""
    if not isinstance(context.session.get("task"), dict):
        return context
    from limpet.engine.commands.work import with_fresh_task

    return with_fresh_task(context)


def answer(context: EventContext) -> EventContext:
    """Let ``/limpet``, a wish to leave, and star-commands act; without a sign of one nothing is imported."""
    prompt = context.event.prompt
    if prompt.lstrip()[:1] in ("/", "$") or context.mirror.work.get("lock"):
        from limpet.engine.commands.session import answer_user

        context = answer_user(context)
    if "*" in prompt:
        from limpet.engine.commands.star import act

        context = act(context)
    return context
