"""Leaves the session from the command line, the work too: lifts the lock and captures the conversation. Separate from
``operations.work`` because the capture runs in a second process, which ``engine.worker`` starts."""

from __future__ import annotations

from limpet.engine.worker import run_job
from limpet.ground.clock import Patience
from limpet.operations.approval import Obtain
from limpet.operations.memory.conversations.conversation import Conversation
from limpet.operations.project import Project
from limpet.operations.work.lock import Capture, LockAnswer, leave
from limpet.operations.work.start import Stopped, end_work


def leave_session(project: Project, obtain: Obtain | None = None) -> LockAnswer:
    """Wait ``hosts.capture_deadline_ms`` for the capture, which goes on by itself then. Raise LimpetError."""
    return leave(project, _capture(project), obtain)


def stop_work(project: Project, obtain: Obtain) -> Stopped:
    """Where that lifts the lock, the conversation is captured in the same way."""
    return end_work(project, obtain, _capture(project))


def _capture(project: Project) -> Capture:
    patience = Patience(project.settings["hosts"]["capture_deadline_ms"] / 1000)

    def capture(conversation: Conversation) -> bool:
        return run_job(project.workspace, "capture", dict(conversation.__dict__), patience) is not None

    return capture
