"""What an activation loads, each on its own: the agent, permission, branch, conversation, git's status, memories."""

from __future__ import annotations

import os

from holdfast.agents.loading import Loader
from holdfast.agents.project_status import ProjectStatus
from holdfast.ground.values import Value
from holdfast.memory.model.layout import memories
from holdfast.operations.agents.repository_status import read_branch_status, read_status
from holdfast.operations.agents.spoken import load_spoken
from holdfast.work.in_force import find_modes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.ground.clock import Clock
    from holdfast.ground.config.mirror import Mirror
    from holdfast.ground.workspace import Workspace
    from holdfast.work.in_force import InForce

# The newest events of a log that are looked at for what the conversation did.
LATELY = 40
# What a log of the hook's own events is called after is a conversation; what moves the work is in the others.
FAMILIES = ("work.", "story.", "handoff.", "spec.")
MOST_MEMORIES = 5
GIT = "git"
# Of the time that git gets, what is left for the rest.
_MARGIN = 0.9


class Context(Value):
    """What an activation under way knows.

    ``agent``: its id.
    ``mirror``: settings, session and work before it.
    ``found``: what is in force before it.
    ``conversation``: the one that it is for, "" for none.
    ``may_read``: whether the caller may see the agent's own memories.
    """

    workspace: Workspace
    agent: str
    mirror: Mirror
    found: InForce
    conversation: str
    language: str
    clock: Clock
    may_read: bool = True


class History(Value):
    """What the conversation did, and what it was handed.

    ``recent``: names of commands and events, the newest last.
    ``handoff``: (who handed over, its first line), None for none.
    """

    recent: tuple[str, ...] = ()
    handoff: tuple[str, str] | None = None


def loaders_of(context: Context) -> tuple[Loader, ...]:
    """Return the loaders of an activation."""
    patience = context.mirror.settings["agents"]["activation"]["best_effort_ms"] / 1000 * _MARGIN
    return (
        Loader("agent", "critical", lambda: load_spoken(context.workspace, context.agent, context.language)),
        Loader("permission", "high", lambda: find_modes(context.found, context.mirror.settings)[1]),
        Loader("branch", "high", lambda: read_branch_status(context.workspace)),
        Loader("conversation", "best_effort", lambda: load_history(context)),
        Loader(GIT, "best_effort", lambda: load_status(context, patience)),
        Loader("memories", "optional", lambda: load_memories(context)),
    )


def load_status(context: Context, patience: float) -> ProjectStatus:
    """Return the repository's status. Raise TimeoutError where git did not say what changed: the branch is known
    without it."""
    status = read_status(context.workspace, context.clock, patience)
    if status.branch and status.changed is None:
        raise TimeoutError("git")
    return status


def load_history(context: Context) -> History:
    """Return what the conversation did, and the handoff to the agent."""
    recent = _recent(context.workspace, context.conversation) if context.conversation else []
    return History(recent=tuple(recent), handoff=_handoff(context))


def load_memories(context: Context) -> tuple[str, ...]:
    """Return titles of the agent's own memories and of shared ones, those of most attention first; nothing that reads
    like an instruction."""
    if not os.path.isdir(memories(context.workspace.shared)):
        return ()
    from holdfast.memory.index.reading import hottest, open_index
    from holdfast.memory.model.access import Reader, owners
    from holdfast.memory.model.card import Query

    index = open_index(context.workspace.shared)
    if index is None:
        return ()
    seen = owners(Reader(agent=context.agent if context.may_read else ""))
    query = Query(owners=seen, now=context.clock.now())
    settings: dict[str, Any] = context.mirror.settings["memory"]
    hits = hottest(index, query, context.agent, settings, MOST_MEMORIES * 2)
    titles = [hit.card.title for hit in hits if hit.card.title and not hit.card.flags]
    return tuple(dict.fromkeys(titles))[:MOST_MEMORIES]


def _recent(workspace: Workspace, conversation: str) -> list[str]:
    """Return the conversation's star-commands, then the kinds of its moves, the newest last."""
    from itertools import islice

    from holdfast.ground.event_log.read import newest_first
    from holdfast.work.session import read_state

    history = read_state(workspace, conversation).get("history")
    typed = history.get("star_commands") if isinstance(history, dict) else None
    moves = [
        (str(event.get("time")), str(event["kind"]))
        for log in newest_first(workspace.shared, "")
        for event in islice(log, LATELY)
        if event.get("session") == conversation and str(event.get("kind", "")).startswith(FAMILIES)
    ]
    return [*(f"*{name}" for name in typed or ()), *(kind for _, kind in sorted(moves))]


def _handoff(context: Context) -> tuple[str, str] | None:
    """Return the handoff to the agent. The folder is looked at first: most projects have none, and reading them takes
    many modules."""
    if not os.path.isdir(context.workspace.path("handoffs")):
        return None
    from holdfast.operations.project import open_unasked
    from holdfast.operations.work.facts import seals_of
    from holdfast.operations.work.view import view_handoff

    project = open_unasked(context.workspace)
    project.session = {**context.mirror.session, "current_agent": context.agent}
    view = view_handoff(project, seals_of(context.workspace), [])
    return (str(view["from"]), str((view["lines"] or [view["score"]])[0])) if view else None
