"""Where a conversation's snapshot lies while it is open, and what was found in it told: to the person when the turn is
over, to the agent with the next prompt (decision 58). Separate from ``effects``, because every prompt asks."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import safe_name
from limpet.ground.storage.files import read_text, remove_file, write_if_possible
from limpet.ground.storage.user_folders import project_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext

# In the state folder of a project the folder of all its conversations; in that of one the snapshot that is open, and
# what the agent has yet to be told.
FOLDER, WATCH, NOTE = "effects", "watch", "note"
# Beside the snapshot a mark for each agent that was at work since.
AGENT = "agent-"
# And its folder of texts.
TEXTS = "texts"
# There while a push that the guard let through is on its way, and for how many seconds that is believed.
PASS, LASTING = "push-passes", 600


def effects_folder(home: str, session: str = "") -> str:
    """Return the folder of a conversation of the project whose ``.limpet`` is ``home``; without one that of all."""
    folder = os.path.join(project_state(home), FOLDER)
    return os.path.join(folder, safe_name(session)) if session else folder


def agent_mark(folder: str, agent: str) -> str:
    """Return the mark in a conversation's folder that this agent was at work since the snapshot."""
    return os.path.join(folder, AGENT + safe_name(agent))


def leave_pass(home: str) -> None:
    """Note that the guard let a push through, so that git's hook does not judge it again."""
    write_if_possible(os.path.join(effects_folder(home), PASS), "")


def take_pass(home: str, now: float) -> bool:
    """Return whether the guard let a push through just now; it counts once."""
    path = os.path.join(effects_folder(home), PASS)
    try:
        left = os.stat(path).st_mtime
    except OSError:
        return False
    remove_file(path)
    return abs(now - left) < LASTING


def settle_effects(context: EventContext) -> EventContext:
    """Tell the person what happened since the first call of the turn that may have done more than its words said."""
    if context.event.agent_id or not context.is_real or not os.path.exists(_watched_file(context, WATCH)):
        return context
    from limpet.engine.guard.effects import settle_turn

    try:
        message = settle_turn(context.with_mirror())
    except Exception:  # the other steps are worth more
        return context
    return context.replied(message) if message else context


def tell_effects(context: EventContext) -> EventContext:
    """Tell the agent what its last turn did that it may not."""
    if not (context.is_real and context.in_force.agent):
        return context
    path = _watched_file(context, NOTE)
    note = read_text(path, STATE_BYTES)
    if not note:
        return context
    remove_file(path)
    return context.noted(*note.splitlines())


def _watched_file(context: EventContext, name: str) -> str:
    return os.path.join(effects_folder(context.workspace.home, context.event.session), name)
