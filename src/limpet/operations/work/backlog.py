"""The project's backlog: items listed, added and changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.operations.project import Project, clean
from limpet.operations.work.pipeline import known_agent
from limpet.work.archive import read_archive
from limpet.work.pipeline.backlog import OPEN, STATUSES, add_item, backlog_items, change_item
from limpet.work.pipeline.move import Move


def list_backlog(project: Project, everything: bool = False) -> list[dict[str, Any]]:
    """Return the open items, the most urgent first; with ``everything`` also those done, deferred or archived."""
    items = backlog_items(project.session, STATUSES if everything else OPEN)
    if not everything:
        return items
    known = {item["id"] for item in items}
    return items + [item for item in read_archive(project.workspace, "backlog") if item.get("id") not in known]


def add_to_backlog(project: Project, title: str, priority: str = "medium", target: str = "", notes: str = "") -> Move:
    """Add an item, for the agent ``target`` if given. Raise LimpetError for an unknown agent."""
    agent = known_agent(project, target) if target else ""
    words, more, now = clean(project, title), clean(project, notes), project.caller.now
    return project.commit(lambda session: add_item(session, words, now, priority, agent, more))


def change_in_backlog(project: Project, name: str, fields: Mapping[str, str], target: str = "") -> Move:
    """Change ``title``, ``priority``, ``status`` and ``notes`` of an item, and its agent ``target`` if given.

    Raises LimpetError for an unknown item or agent.
    """
    changed = {key: clean(project, value) for key, value in fields.items()}
    if target:
        changed["target_agent"] = known_agent(project, target)
    return project.commit(lambda session: change_item(session, name, **changed))
