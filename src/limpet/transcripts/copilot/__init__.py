"""The reader of Copilot CLI's log of a conversation, which has one JSON object a line."""

from __future__ import annotations

import os

LOG = "events.jsonl"


def copilot_home() -> str:
    """Return the folder in which Copilot CLI keeps the user's settings and the conversations."""
    return os.environ.get("COPILOT_HOME") or os.path.join(os.path.expanduser("~"), ".copilot")


def conversations() -> str:
    """Return the folder that has one for each conversation, named by its id."""
    return os.path.join(copilot_home(), "session-state")
