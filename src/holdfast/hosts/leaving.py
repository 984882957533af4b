"""Leaves the session from the command line: lifts the lock and captures the conversation. Separate from
``operations.work.lock`` because the capture runs in a second process, which ``engine.worker`` starts."""

from __future__ import annotations

from holdfast.engine.worker import run_job
from holdfast.ground.config.settings import load_settings
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.memory.conversations.conversation import Conversation
from holdfast.operations.work.lock import LockResult, leave


def leave_session(workspace: Workspace, caller: Caller) -> LockResult:
    """Lift the lock, and wait ``hosts.capture_deadline_ms`` for the capture; one that takes longer goes on by itself.

    Raises HoldfastError where ``session.yaml`` cannot be written.
    """
    patience = load_settings(workspace)[0]["hosts"]["capture_deadline_ms"] / 1000

    def capture(conversation: Conversation) -> bool:
        return run_job(workspace, "capture", dict(conversation.__dict__), patience) is not None

    return leave(workspace, caller, capture)
