"""Leaves the session from the command line: lifts the lock and captures the conversation. Separate from
``operations.work.lock`` because the capture runs in a second process, which ``engine.worker`` starts."""

from __future__ import annotations

from holdfast.engine.worker import run_job
from holdfast.operations.memory.conversations.conversation import Conversation
from holdfast.operations.project import Project
from holdfast.operations.work.lock import Answer, leave


def leave_session(project: Project) -> Answer:
    """Lift the lock, and wait ``hosts.capture_deadline_ms`` for the capture; one that takes longer goes on by itself.

    Raises HoldfastError where ``session.yaml`` cannot be written.
    """
    patience = project.settings["hosts"]["capture_deadline_ms"] / 1000

    def capture(conversation: Conversation) -> bool:
        return run_job(project.workspace, "capture", dict(conversation.__dict__), patience) is not None

    return leave(project, capture)
