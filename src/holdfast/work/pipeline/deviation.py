"""Deviations: the work leaves its point in the pipeline for a reason, and comes back to exactly that point.

Those of ``POSITIONS`` give the pipeline another position, from which it continues; all others interrupt it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.errors import HoldfastError
from holdfast.work.pipeline import reposition
from holdfast.work.pipeline.move import Move, Session, agent_changes, next_id, refuse_open_deviation
from holdfast.work.pipeline.reposition import POSITIONS, changes_position, is_settled
from holdfast.work.pipeline.view import COMPLETED, REVALIDATE, current_step, record_of, status_of, task_title
from holdfast.work.pipeline.workflow import Workflow

OFF_TOPIC = "off_topic"
ORDER = ("order_change", "priority_change")
KINDS = ("scope_change", "bug", *ORDER, *POSITIONS, OFF_TOPIC)
# These undo or leave out work: a person agrees first.
GRAVE = tuple(POSITIONS)
# This passes a gate: it is for a person, as an override is.
SKIP = "skip"
# The kind of issue whose mender sees to it, where nobody else is named.
_ISSUES = {"scope_change": "spec", "bug": "code"}


def open_deviations(session: Session) -> list[dict[str, Any]]:
    """Return the deviations that are not resolved, the newest last; a new position is over once its step is done."""
    return [one for one in _unresolved(session) if not is_settled(session, one)]


def deviate(
    session: Session,
    workflow: Workflow | None,
    kind: str,
    reason: str,
    now: float,
    progress: str = "",
    to: str = "",
    has_impact: bool = True,
    first: Mapping[str, str] | None = None,
) -> Move:
    """Note where the work is interrupted, and do what this kind of deviation says.

    ``to``: who sees to it; for a rollback the agent to go back to, for a skip the one to continue.
    ``has_impact``: whether the completed steps from that agent up to the interrupted one have to be validated again.
    ``first``: for a change of order the task that comes first.

    Raises HoldfastError without a reason, and for a new position that the workflow does not have.
    """
    if not reason.strip():
        raise HoldfastError("A deviation needs a description")
    if kind in POSITIONS:
        refuse_open_deviation(session)
        made = reposition.reposition(session, workflow, kind, to, reason, now)
        record = _record(session, kind, reason, now, progress, made.target) | made.snapshot
        changes, affected, message = made.changes, list(made.revalidate), made.message
    else:
        goal = to or _owner(session, workflow, kind)
        record = _record(session, kind, reason, now, progress, goal or session.get("current_agent"))
        affected = _affected(session, workflow, goal) if has_impact and goal and workflow else []
        changes, message = _interruption(session, goal, affected, first), _interrupted(goal, affected, first)
    changes = {**changes, "deviations": [*(session.get("deviations") or ()), record]}
    data = {**record, "revalidate": affected}
    return Move(changes, "work.deviated", data, f"{record['id']}: {kind}{message}")


def resolve_deviation(session: Session, workflow: Workflow | None, now: float, name: str = "") -> Move:
    """Come back from a deviation, the newest open one if none is named, to the agent and task that it interrupted.

    Of a new position the agents that continued meanwhile stay as they are. Where the workflow has lost that step
    meanwhile, the current one takes its place. Raise HoldfastError for an unknown deviation, where none is open, and
    for a new position while a later deviation interrupts the work.
    """
    waiting = open_deviations(session)
    found = next((one for one in reversed(_unresolved(session) if name else waiting) if _is(one, name)), None)
    if found is None:
        known = ", ".join(str(one.get("id")) for one in waiting) or "none"
        raise HoldfastError(f"Deviation {name} is not open" if name else "No deviation is open", "", f"Open: {known}")
    closed = {**found, "resolved": True, "resolved_at": iso(now)}
    if changes_position(found):
        refuse_open_deviation(session)
        changes, message = reposition.undo(session, workflow, found)
        changes["deviations"] = [closed if one is found else one for one in session["deviations"]]
        return Move(changes, "work.resolved", {"id": found.get("id")}, f"{found.get('id')} is undone; {message}")
    return _come_back(session, workflow, found, closed)


def settle(session: Session, move: Move, now: float) -> Move:
    """Return the move, which also closes the new positions whose step is done."""
    listed = move.changes.get("deviations", session.get("deviations")) or ()
    done = [one for one in _unresolved(session) if is_settled(session, one)]
    closed = [{**one, "resolved": True, "resolved_at": iso(now)} if one in done else one for one in listed]
    return move.replace(changes={**move.changes, "deviations": closed}) if closed != list(listed) else move


def _unresolved(session: Session) -> list[dict[str, Any]]:
    return [one for one in session.get("deviations") or () if isinstance(one, dict) and not one.get("resolved")]


def _is(one: Mapping[str, Any], name: str) -> bool:
    return not name or one.get("id") == name


def _record(session: Session, kind: str, reason: str, now: float, progress: str, to: str | None) -> dict[str, Any]:
    known = list(session.get("deviations") or ())
    return {
        "id": next_id(known, "DV"),
        "timestamp": iso(now),
        "type": kind,
        "from_agent": session.get("current_agent"),
        "to_agent": to,
        "reason": reason,
        **({"progress": progress} if progress else {}),
        "return_to": {"agent": session.get("current_agent"), "task": session.get("task")},
        "resolved": False,
    }


def _interruption(session: Session, goal: str, affected: list[str], first: Mapping[str, str] | None) -> dict[Any, Any]:
    changes: dict[Any, Any] = {"current_agent": goal} if goal else {}
    if first:
        changes["task"] = dict(first)
    for agent in affected:
        changes |= agent_changes(session, agent, status=REVALIDATE)
    return changes


def _interrupted(goal: str, affected: list[str], first: Mapping[str, str] | None) -> str:
    message = f", {goal} handles it" if goal else ""
    message += f", {task_title(dict(first))} comes first" if first else ""
    return message + (f"; to validate again: {', '.join(affected)}" if affected else "")


def _come_back(session: Session, workflow: Workflow | None, found: dict[str, Any], closed: dict[str, Any]) -> Move:
    point = found.get("return_to") or {"agent": found.get("from_agent")}
    waiting = [one for one in open_deviations(session) if not changes_position(one)]
    place = waiting.index(found)
    later = waiting[place + 1] if place + 1 < len(waiting) else None
    replaced = {id(found): closed}
    changes: dict[Any, Any] = {}
    agent, gone = _way_back(session, workflow, point)
    if later is None:
        changes = {"current_agent": agent, "task": point.get("task")}
    else:  # the next one now comes back to where this one would have
        replaced[id(later)] = {**later, "return_to": point}
    changes["deviations"] = [replaced.get(id(one), one) for one in session["deviations"]]
    message = f"{found.get('id')} is resolved" + ("" if later else f"; back at {agent or 'no agent'}{gone}")
    return Move(changes, "work.resolved", {"id": found.get("id"), "return_to": point}, message)


def _way_back(session: Session, workflow: Workflow | None, point: dict[str, Any]) -> tuple[str | None, str]:
    """Return (the agent to come back to, a note where that is another one than was left)."""
    agent = point.get("agent")
    if not agent or workflow is None or workflow.step_of(agent) or not record_of(session, agent):
        return agent, ""
    step = current_step(session, workflow)
    return (step.agent if step else None), f"; {workflow.name} no longer has a step for {agent}"


def _owner(session: Session, workflow: Workflow | None, kind: str) -> str:
    """Return the agent that this kind belongs to, unless its turn is still to come; "" for none."""
    agent = workflow.issues.get(_ISSUES.get(kind, ""), "") if workflow else ""
    step = current_step(session, workflow) if workflow else None
    if not workflow or not agent or (step and workflow.place_of(agent) > workflow.place_of(step.agent)):
        return ""
    return agent


def _affected(session: Session, workflow: Workflow, to: str) -> list[str]:
    step = current_step(session, workflow)
    start = workflow.place_of(to) if workflow.step_of(to) else len(workflow.steps)
    end = workflow.place_of(step.agent) if step else len(workflow.steps)
    return [one.agent for one in workflow.steps[start:end] if status_of(session, one.agent) == COMPLETED]
