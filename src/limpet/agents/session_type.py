"""Tells a new session from one that goes on and one that follows a workflow; the greeting is made for it (ADR-001
SYNAPSE C6, C8)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NEW, EXISTING, WORKFLOW = "new", "existing", "workflow"

# Seconds for which the project's state speaks for a conversation that has said nothing.
LIFE = 3600.0
# Commands of one kind that make a workflow.
ENOUGH = 2
# What moves the work, by the first word of a command or of an event.
WORK = frozenset({"work", "story", "handoff", "spec", "develop", "gate"})


def find_session_type(recent: Sequence[str], has_workflow: bool, idle: float | None) -> str:
    """Return ``NEW``, ``EXISTING`` or ``WORKFLOW``: by the conversation's own commands, else by the project's state
    while that is young.

    ``recent``: the commands and events of the conversation, such as ``work start`` or ``story.done``.
    ``has_workflow``: whether the project has one under way.
    ``idle``: seconds since the project was worked on, None where nobody knows.
    """
    if sum(_kind(one) in WORK for one in recent) >= ENOUGH:
        return WORKFLOW
    if recent:
        return EXISTING
    if idle is None or idle >= LIFE:
        return NEW
    return WORKFLOW if has_workflow else EXISTING


def _kind(command: str) -> str:
    return command.removeprefix("*").replace(".", " ").partition(" ")[0].lower()
