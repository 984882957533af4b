"""A new conversation is told where the last one of its project stood, where that one's window was nearly full at its
end or a fresh one was started from it (decisions 6, 8)."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import read_text
from limpet.work.private import has_mark
from limpet.work.recovery.criteria import is_spawned
from limpet.work.session import change_session, read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.work.session import Session

# A conversation that begins with an empty window.
NEW = ("startup", "clear")
TOKENS = 400
LEFT = "left by the previous conversation, as of {at}: continue from it if the user wants that work done"
ELSEWHERE = "another conversation already continues it: {join}"


def tell_what_was_left(context: EventContext) -> EventContext:
    """Return the context with what the last conversation left, to be told at this start; a spawned conversation has it
    in its first prompt, and a private one leaves nothing."""
    path = context.workspace.path("continuation", "latest.md")
    if context.event.source not in NEW or not context.is_real or is_spawned(os.environ) or not os.path.isfile(path):
        return context
    from limpet.work.recovery.continuation import parse, summary_lines

    found = parse(read_text(path, STATE_BYTES) or "")
    state = read_state(context.workspace, found.session)
    if found.session == context.event.session or has_mark(found.session) or not _is_due(state, found.at):
        return context
    spawned = state.get("spawned")
    join = str(spawned.get("join") or spawned.get("session") or "") if isinstance(spawned, dict) else ""
    lines = (
        LEFT.format(at=found.at),
        *((ELSEWHERE.format(join=join),) if join else ()),
        *summary_lines(found, TOKENS, f".limpet/continuation/{found.session}.md"),
    )
    return context.with_session(continuation=list(lines), taking_over=found.session)


def note_taken_over(context: EventContext) -> EventContext:
    """At its first prompt mark in the other conversation's state that this one took over, so that no third one is told
    the same."""
    parent = context.session.get("taking_over")
    if not isinstance(parent, str):
        return context
    from limpet.ground.clock import iso
    from limpet.ground.errors import LimpetError

    taken = {"by": context.event.session, "at": iso(context.clock.now())}
    try:
        change_session(context.workspace, parent, {"taken_over": taken})
    except (LimpetError, OSError):  # the next prompt tries again
        return context
    return context.replace(session={key: value for key, value in context.session.items() if key != "taking_over"})


def _is_due(state: Session, at: str) -> bool:
    """Return whether the conversation was left in CRITICAL or spawned from, and nobody went on since ``at``."""
    taken = state.get("taken_over")
    known = isinstance(taken, dict) and str(taken.get("at") or "") >= at
    return not known and (state.get("bracket") == "CRITICAL" or isinstance(state.get("spawned"), dict))
