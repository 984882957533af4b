"""Keeps in the conversation's state what the next event must know of this one."""

from __future__ import annotations

from limpet.context.brackets import bracket_of
from limpet.engine.block.recall import ids_shown, opened
from limpet.ground.clock import iso
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.context.usage import Usage
    from limpet.engine.event_context import EventContext
    from limpet.work.session import Session

# Ids of memories that a conversation knows it was shown.
KEPT = 500


def note_start(context: EventContext) -> EventContext:
    """Keep what a start tells, and forget what the end before it told."""
    request, result, usage = context.request, context.result, context.usage
    assert request is not None and result is not None and usage is not None
    kept = _without(context.session, "ended", "uncaptured", "continuation", "kept")
    return context.replace(session=kept).with_session(
        **{EPOCH: result.epoch or request.epoch},
        model=context.model or None,
        last_activity=iso(context.clock.now()),
        transcript=context.event.transcript,
        usage=_usage(usage),
        bracket=bracket_of(usage.remaining, request.settings),
    )


def note_prompt(context: EventContext) -> EventContext:
    """Keep usage, bracket, what was sent, and what was typed."""
    if "taking_over" in context.session:
        from limpet.engine.steps.takeover import note_taken_over

        context = note_taken_over(context)
    request, result, usage = context.request, context.result, context.usage
    assert request is not None and result is not None and usage is not None
    session, history = context.session, context.session["history"]
    opening = ["opening"] if session["prompt_count"] > 1 else []
    typed = [*history.get("star_commands", []), *(one.name for one in request.typed)]
    return context.replace(session=_without(session, "reload", "ended", "continuation", *opening)).with_session(
        last_activity=iso(context.clock.now()),
        transcript=context.event.transcript,
        usage=_usage(usage),
        model=context.model,
        bracket=request.window.bracket,
        **{EPOCH: result.epoch},
        last={"tokens": result.tokens, "layers": result.timings},
        history={
            **history,
            "star_commands": list(dict.fromkeys(typed)),
            "domains_last": [rules.name for rules in request.rules.domains],
        },
    )


def note_end(context: EventContext) -> EventContext:
    """Keep that and when the conversation ended."""
    return context.with_session(ended=iso(context.clock.now()))


def note_recalled(context: EventContext) -> EventContext:
    """Keep which memories this conversation was shown, and of those before its first prompt what the person is told."""
    assert context.result is not None
    known = context.session.get("recalled") or []
    new = tuple(key for key in ids_shown(context.result) if key not in known)
    epoch = opened(context.session[EPOCH], context.result)
    after = context.replace(recalled=new).with_session(**{EPOCH: epoch}, recalled=[*known, *new][-KEPT:])
    return after if context.session["prompt_count"] else after.with_session(opening=after.titles_recalled)


def note_shown(context: EventContext, ids: tuple[str, ...]) -> EventContext:
    """Return the context in which these memories count as shown, those of a subagent in its log alone."""
    if context.event.agent_id:
        return context.replace(recalled=ids)
    known = context.session.get("recalled") or []
    new = tuple(key for key in ids if key not in known)
    return context.replace(recalled=new).with_session(recalled=[*known, *new][-KEPT:])


def _usage(usage: Usage) -> dict[str, object]:
    return {name: getattr(usage, name) for name in ("used", "window", "remaining", "source")}


def _without(session: Session, *names: str) -> Session:
    return {name: value for name, value in session.items() if name not in names}
