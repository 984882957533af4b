"""The turn is over: what its agents did that they may not is told to the person, and to the agent with the next prompt
(decision 58). A turn that was broken off is over with the next prompt; one whose tasks go on is not over.

Separate from ``engine.guard.effects``, because every prompt asks whether there is a snapshot.
"""

from __future__ import annotations

import os

from limpet.engine.guard.watched import NOTE, WATCH, effects_folder
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import read_text, remove_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext


def settle_effects(context: EventContext) -> EventContext:
    is_over = context.is_real and not (context.event.agent_id or context.event.working)
    if not is_over or not os.path.exists(_watched_file(context, WATCH)):
        return context
    from limpet.engine.guard.effects import settle_turn

    try:
        message = settle_turn(context.with_mirror())
    except Exception:  # the other steps are worth more
        return context
    return context.replied(message) if message else context


def tell_effects(context: EventContext) -> EventContext:
    if not (context.is_real and context.in_force.agent):
        return context
    path = _watched_file(context, NOTE)
    note = read_text(path, STATE_BYTES)
    if not note:
        return context
    remove_file(path)
    return context.noted(*note.splitlines())


def _watched_file(context: EventContext, name: str) -> str:
    return os.path.join(effects_folder(context.workspace.state, context.event.session), name)
