"""Keeps which candidates the conversation was asked for, so that it is asked once an epoch, and nobody for ever."""

from __future__ import annotations

from limpet.engine.block.candidates import ASKED
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext

# Ids that a conversation knows.
KEPT = 200


def note_asked(context: EventContext) -> EventContext:
    """Keep those that stand in the block: of the first prompt what other conversations left, and its own come later."""
    request, result = context.request, context.result
    if request is None or result is None or not request.candidates:
        return context
    shown = next((len(one.lines) for one in result.choices if one.piece.tag == "candidates"), 0)
    ids = tuple(key for key, _ in request.candidates[:shown])
    return note_ids(context, ids, own=context.session["prompt_count"] > 1) if ids else context


def note_ids(context: EventContext, ids: tuple[str, ...], own: bool) -> EventContext:
    """Keep that the conversation was asked for these; where they were its ``own``, that the epoch was."""
    session = context.session
    asked = session.get("asked") or []
    epoch = session[EPOCH]
    if own:
        epoch = {**epoch, "sent": {**epoch.get("sent", {}), ASKED: ["", session["prompt_count"]]}}
    return context.with_session(asked=list(dict.fromkeys((*asked, *ids)))[-KEPT:], **{EPOCH: epoch})
