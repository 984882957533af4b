"""Where a conversation's snapshot lies while it is open, and what was found. Separate, because every prompt asks."""

from __future__ import annotations

import os

from holdfast.ground.storage.names import safe_name
from holdfast.ground.storage.user_folders import project_state

# In the state folder of a project the folder of all its conversations; in that of one the snapshot that is open, and
# what the agent has yet to be told.
FOLDER, WATCH, NOTE = "effects", "watch", "note"


def effects_folder(home: str, session: str = "") -> str:
    """Return the folder of a conversation of the project whose ``.holdfast`` is ``home``; without one that of all."""
    folder = os.path.join(project_state(home), FOLDER)
    return os.path.join(folder, safe_name(session)) if session else folder
