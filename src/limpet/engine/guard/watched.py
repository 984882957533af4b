"""Where a conversation's snapshot lies while it is open, and what was found. Separate, because every prompt asks."""

from __future__ import annotations

import os

from limpet.ground.digest import safe_name
from limpet.ground.storage.files import remove_file, write_if_possible

# In the state folder of a worktree the folder of all its conversations; in that of one the snapshot that is open, and
# what the agent has yet to be told.
FOLDER, WATCH, NOTE = "effects", "watch", "note"
# Beside the snapshot a mark for each agent that was at work since.
AGENT = "agent-"
# And its folder of texts.
TEXTS = "texts"
# There while a push that the guard let through is on its way, and for how many seconds that is believed.
PASS, LASTING = "push-passes", 600


def effects_folder(state: str, session: str = "") -> str:
    """``state``: a worktree's folder of that name (``Workspace``). Without a session the folder of all."""
    folder = os.path.join(state, FOLDER)
    return os.path.join(folder, safe_name(session)) if session else folder


def agent_mark(folder: str, agent: str) -> str:
    return os.path.join(folder, AGENT + safe_name(agent))


def leave_pass(state: str) -> None:
    """Note that the guard let a push through, so that git's hook does not judge it again."""
    write_if_possible(os.path.join(effects_folder(state), PASS), "")


def take_pass(state: str, now: float) -> bool:
    """Whether the guard let a push through just now; it counts once."""
    path = os.path.join(effects_folder(state), PASS)
    try:
        left = os.stat(path).st_mtime
    except OSError:
        return False
    remove_file(path)
    return abs(now - left) < LASTING
