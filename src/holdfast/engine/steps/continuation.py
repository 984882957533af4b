"""The continuation file is written on entering CRITICAL, and when task or handoff change there (decision 6)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.context.request import Request
    from holdfast.engine.event_context import EventContext

# Characters of the prompt that choose the memories in the file.
SEARCHED_CHARACTERS = 2000


def write_when_critical(context: EventContext) -> EventContext:
    """Have the file written by a second process, where there is an occasion that was not one at the last prompt."""
    assert context.request is not None
    occasion = _occasion(context.request)
    if context.is_kept and occasion and context.session.get("continued") != occasion:
        from holdfast.engine.steps.capture import orders_of
        from holdfast.engine.worker import start_job

        text = context.event.prompt[:SEARCHED_CHARACTERS]
        start_job(context.workspace, "continuation", orders_of(context) | {"text": text})
    return context.with_session(continued=occasion)


def _occasion(request: Request) -> str:
    """Return what the file is written for, "" where none is needed: CRITICAL, with this task and handoff."""
    if request.bracket != "CRITICAL":
        return ""
    return f"{request.task.title if request.task else ''} {request.handoff.source if request.handoff else ''}."
