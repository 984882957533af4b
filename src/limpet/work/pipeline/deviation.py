"""Deviations: something interrupts the work for a reason, and the work comes back to exactly the point where it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.work.pipeline.state import (
    COMPLETED,
    REVALIDATE,
    Move,
    Session,
    agent_changes,
    current_step,
    next_id,
    percent,
    record_of,
    state_of,
    status_of,
    task_title,
)
from limpet.work.pipeline.workflow import Disqualifier, Workflow

OFF_TOPIC, ORDER = "off_topic", "order_change"
KINDS = ("scope_change", "bug", ORDER, OFF_TOPIC)
# The kind of issue whose mender sees to it, where nobody else is named.
_ISSUES = {"scope_change": "spec", "bug": "code"}


def open_deviations(session: Session) -> list[dict[str, Any]]:
    """The newest is last."""
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
    first: Mapping[str, str] | None = None,
) -> Move:
    """Note where the work is interrupted, and do what this kind of deviation says. ``to``: who sees to it.
    ``has_impact``: the completed steps from that agent up to the interrupted one have to be validated again. ``first``:
    for a change of order the task that comes first. Raise LimpetError without a reason."""
    if not reason.strip():
        raise LimpetError("A deviation needs a description")
    goal = to or _owner(session, workflow, kind)
    known = list(session.get("deviations") or ())
    record = {
        "id": next_id(known, "DV"),
        "timestamp": iso(now),
        "type": kind,
        "from_agent": session.get("current_agent"),
        "to_agent": goal or session.get("current_agent"),
        "reason": reason,
        **({"progress": progress} if progress else {}),
        "return_to": {"agent": session.get("current_agent"), "task": session.get("task")},
        "resolved": False,
    }
    affected = _affected(session, workflow, goal) if has_impact and goal and workflow else []
    changes: dict[Any, Any] = {"deviations": [*known, record]}
    changes |= {"current_agent": goal} if goal else {}
    changes |= {"task": dict(first)} if first else {}
    for agent in affected:
        changes |= agent_changes(session, agent, status=REVALIDATE)
    message = f"{record['id']}: {kind}{_told(goal, first, affected)}"
    return Move(changes, "work.deviated", {**record, "revalidate": affected}, message)


def resolve_deviation(session: Session, workflow: Workflow | None, now: float, name: str = "") -> Move:
    """Come back from a deviation, the newest open one if none is named, to the agent and task that it interrupted.
    Where the workflow has lost that step meanwhile, the current one takes its place. Raise LimpetError for an unknown
    deviation, and where none is open."""
    waiting = open_deviations(session)
    found = next((one for one in reversed(waiting) if not name or one.get("id") == name), None)
    if found is None:
        known = ", ".join(str(one.get("id")) for one in waiting) or "none"
        raise LimpetError(f"Deviation {name} is not open" if name else "No deviation is open", "", f"Open: {known}")
    point = found.get("return_to") or {"agent": found.get("from_agent")}
    agent, gone = _way_back(session, workflow, point)
    place = waiting.index(found)
    replaced = {id(found): {**found, "resolved": True, "resolved_at": iso(now)}}
    changes: dict[Any, Any] = {}
    if found is waiting[-1]:
        changes = {"current_agent": agent, "task": point.get("task")}
        back = f"; back at {agent or 'no agent'}{gone}"
    else:  # the next one now comes back to where this one would have
        replaced[id(waiting[place + 1])] = {**waiting[place + 1], "return_to": point}
        back = ""
    changes["deviations"] = [replaced.get(id(one), one) for one in session["deviations"]]
    data = {"id": found.get("id"), "return_to": point}
    return Move(changes, "work.resolved", data, f"{found.get('id')} is resolved{back}")


def known_facts(session: Session, given: Mapping[str, bool | float]) -> dict[str, bool | float]:
    """Beside the given ones: a greenfield project whose first work is not completed has no product yet."""
    project = session.get("project")
    kind = project.get("type") if isinstance(project, dict) else None
    is_new = kind == "greenfield" and state_of(session) != "completed"
    return ({"greenfield": is_new} if kind else {}) | dict(given)


def check_fitness(
    workflow: Workflow, facts: Mapping[str, bool | float], given: Mapping[str, bool | float], confidence: float | None
) -> None:
    """Raise LimpetError, with the reasons, where a fact disqualifies the workflow, the confidence (0 to 1) is below its
    requirement, or a fact is ``given`` that it does not ask for."""
    names = [one.fact for one in workflow.disqualifiers]
    for fact in given:
        if fact not in names:
            known = f"Its facts: {', '.join(names) or 'none'}{nearest(fact, names)}"
            raise LimpetError(f"Unknown fact {fact} for {workflow.name}", workflow.source, known)
    reasons = [_reason(one, facts[one.fact]) for one in workflow.disqualifiers if one.fact in facts]
    if confidence is not None and confidence < workflow.confidence:
        reasons.append(f"confidence {percent(confidence)} is below {percent(workflow.confidence)}")
    found = [reason for reason in reasons if reason]
    if found:
        hint = "Start greenfield or brownfield instead."
        raise LimpetError(f"{workflow.name} does not fit: {'; '.join(found)}", workflow.source, hint)


def questions(workflow: Workflow, facts: Mapping[str, bool | float]) -> list[str]:
    unknown = (one for one in workflow.disqualifiers if one.fact not in facts)
    return [
        f"{'' if one.answer or one.above is not None else 'not: '}{one.says}"
        + ("" if one.above is None else f", more than {percent(one.above)}")
        for one in unknown
    ]


def _told(goal: str, first: Mapping[str, str] | None, affected: list[str]) -> str:
    handled = f", {goal} handles it" if goal else ""
    ahead = f", {task_title(first)} comes first" if first else ""
    again = f"; to validate again: {', '.join(affected)}" if affected else ""
    return handled + ahead + again


def _way_back(session: Session, workflow: Workflow | None, point: dict[str, Any]) -> tuple[str | None, str]:
    agent = point.get("agent")
    if not agent or workflow is None or workflow.step_of(agent) or not record_of(session, agent):
        return agent, ""
    step = current_step(session, workflow)
    return (step.agent if step else None), f"; {workflow.name} no longer has a step for {agent}"


def _owner(session: Session, workflow: Workflow | None, kind: str) -> str:
    """Return the agent that this kind belongs to, unless its turn is still to come."""
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


def _reason(one: Disqualifier, value: bool | float) -> str:
    if one.above is not None:
        return f"{one.says}: {percent(float(value))}, at most {percent(one.above)}" if value > one.above else ""
    if bool(value) != one.answer:
        return ""
    return one.says if one.answer else f"not: {one.says}"
