"""The backlog: what comes up and is to be done later, each with an id of its own."""

from __future__ import annotations

from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.work.in_force import find_in_force
from limpet.work.pipeline.move import Move, Session, next_id

PRIORITIES = ("high", "medium", "low")
STATUSES = ("pending", "in_progress", "done", "deferred")
OPEN = ("pending", "in_progress")


def backlog_items(session: Session, statuses: tuple[str, ...] = STATUSES) -> list[dict[str, Any]]:
    """Return the items of these statuses, the most urgent first, else in the order in which they came."""
    found = [item for item in session.get("backlog") or () if item.get("status", "pending") in statuses]
    return sorted(found, key=lambda item: PRIORITIES.index(item.get("priority", "medium")))


def count_backlog(session: Session) -> dict[str, int]:
    """Return the number of items of each status."""
    return {status: len(backlog_items(session, (status,))) for status in STATUSES}


def add_item(
    session: Session, title: str, now: float, priority: str = "medium", target: str = "", notes: str = ""
) -> Move:
    """Return the move that adds an item under the next free id. Raise LimpetError without a title."""
    if not title.strip():
        raise LimpetError("A backlog item needs a title")
    known = list(session.get("backlog") or ())
    item = {
        "id": next_id(known, "BL"),
        "title": " ".join(title.split()),
        "priority": priority,
        "status": "pending",
        "source_agent": find_in_force(session).agent or None,
        "target_agent": target or None,
        "created_at": iso(now),
        "notes": notes or None,
    }
    added = {name: value for name, value in item.items() if value is not None}
    return Move({"backlog": [*known, added]}, "work.backlog_added", added, f"{item['id']}: {item['title']}")


def change_item(session: Session, name: str, **fields: str) -> Move:
    """Return the move that changes an item's fields. Raise LimpetError for an unknown id and an empty title."""
    if not fields.get("title", "a title").strip():
        raise LimpetError("A backlog item needs a title")
    known = list(session.get("backlog") or ())
    wanted = name.strip().upper()
    if not any(item.get("id") == wanted for item in known):
        hint = "Archived items cannot be changed. Run: limpet work backlog list --all"
        raise LimpetError(f"No backlog item {wanted}", "", hint)
    items = [{**item, **fields} if item.get("id") == wanted else item for item in known]
    message = f"{wanted}: {', '.join(f'{field} {value}' for field, value in fields.items())}"
    return Move({"backlog": items}, "work.backlog_changed", {"id": wanted, **fields}, message)
