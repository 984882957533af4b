"""Deviations: the work leaves its point in the pipeline for a reason, and comes back to exactly that point."""

from __future__ import annotations

from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.errors import HoldfastError
from holdfast.work.pipeline.move import Move, Session, agent_changes, next_id
from holdfast.work.pipeline.view import COMPLETED, REVALIDATE, current_step, record_of, status_of
from holdfast.work.pipeline.workflow import Workflow

OFF_TOPIC = "off_topic"
KINDS = ("scope_change", "priority_change", "rollback", "skip", "restart", OFF_TOPIC)
# These undo or leave out work: a person agrees first.
GRAVE = ("rollback", "skip", "restart")


def open_deviations(session: Session) -> list[dict[str, Any]]:
    """Return the deviations that are not resolved, the newest last."""
    return [one for one in session.get("deviations") or () if isinstance(one, dict) and not one.get("resolved")]


def deviate(
    session: Session,
    workflow: Workflow | None,
    kind: str,
    reason: str,
    now: float,
    progress: str = "",
    to: str = "",
    has_impact: bool = True,
) -> Move:
    """Note where the work is interrupted, and make ``to`` the active agent.

    With an impact, the completed steps from that agent up to the interrupted one have to be validated again. Raises
    HoldfastError without a reason.
    """
    if not reason.strip():
        raise HoldfastError("a deviation needs to say what it is about", "deviations")
    known = list(session.get("deviations") or ())
    return_to = {"agent": session.get("current_agent"), "task": session.get("task")}
    record = {
        "id": next_id(known, "DV"),
        "timestamp": iso(now),
        "type": kind,
        "from_agent": session.get("current_agent"),
        "to_agent": to or session.get("current_agent"),
        "reason": reason,
        **({"progress": progress} if progress else {}),
        "return_to": return_to,
        "resolved": False,
    }
    affected = _affected(session, workflow, to) if has_impact and to and workflow else []
    changes: dict[Any, Any] = {"deviations": [*known, record]}
    if to:
        changes["current_agent"] = to
    for agent in affected:
        changes |= agent_changes(session, agent, status=REVALIDATE)
    message = f"{record['id']}: {kind}" + (f", {to} sees to it" if to else "")
    message += f"; to validate again: {', '.join(affected)}" if affected else ""
    return Move(changes, "work.deviated", {**record, "revalidate": affected}, message)


def resolve_deviation(session: Session, workflow: Workflow | None, now: float, name: str = "") -> Move:
    """Come back from a deviation, the newest open one if none is named, to the agent and task that it interrupted.

    Where the workflow has lost that step meanwhile, the current one takes its place. Raises HoldfastError for an
    unknown deviation, and where none is open.
    """
    waiting = open_deviations(session)
    found = next((one for one in reversed(waiting) if not name or one.get("id") == name), None)
    if found is None:
        known = ", ".join(str(one.get("id")) for one in waiting) or "none"
        raise HoldfastError(f"{name or 'no deviation'} is not open", "deviations", f"open: {known}")
    point = found.get("return_to") or {"agent": found.get("from_agent")}
    closed = {**found, "resolved": True, "resolved_at": iso(now)}
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
    return (step.agent if step else None), f"; {workflow.name} has no step of {agent} any more"


def _affected(session: Session, workflow: Workflow, to: str) -> list[str]:
    step = current_step(session, workflow)
    start = workflow.place_of(to) if workflow.step_of(to) else len(workflow.steps)
    end = workflow.place_of(step.agent) if step else len(workflow.steps)
    return [one.agent for one in workflow.steps[start:end] if status_of(session, one.agent) == COMPLETED]
