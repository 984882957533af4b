"""The project's backlog: items listed, added and changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.work.pipeline import Moved, known_agent, make
from holdfast.work.archive import read_archive
from holdfast.work.pipeline.backlog import OPEN, STATUSES, add_item, backlog_items, change_item
from holdfast.work.project import read_project


def list_backlog(workspace: Workspace, everything: bool = False) -> list[dict[str, Any]]:
    """Return the open items, the most urgent first; with ``everything`` also those done, deferred or archived."""
    session, _ = read_project(workspace)
    items = backlog_items(session, STATUSES if everything else OPEN)
    if not everything:
        return items
    known = {item["id"] for item in items}
    return items + [item for item in read_archive(workspace, "backlog") if item.get("id") not in known]


def add_to_backlog(
    workspace: Workspace, caller: Caller, title: str, priority: str = "medium", target: str = "", notes: str = ""
) -> Moved:
    """Add an item, for the agent ``target`` if given. Raise HoldfastError for an unknown agent."""
    agent = known_agent(workspace, target) if target else ""
    words, more = without_secrets(workspace, title), without_secrets(workspace, notes)
    return make(workspace, caller, lambda session: add_item(session, words, caller.now, priority, agent, more))


def change_in_backlog(
    workspace: Workspace, caller: Caller, name: str, fields: Mapping[str, str], target: str = ""
) -> Moved:
    """Change ``title``, ``priority``, ``status`` and ``notes`` of an item, and its agent ``target`` if given.

    Raises HoldfastError for an unknown item or agent.
    """
    agent = {"target_agent": known_agent(workspace, target)} if target else {}
    clean = {key: without_secrets(workspace, value) for key, value in fields.items()}
    return make(workspace, caller, lambda session: change_item(session, name, **clean, **agent))
