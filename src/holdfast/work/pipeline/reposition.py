"""Deviations that give the pipeline another position: skip, rollback and restart, and how they are undone.

Separate from those that interrupt the work, because the pipeline continues from the new position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value
from holdfast.work.pipeline.move import Session, agent_changes
from holdfast.work.pipeline.position import BACKWARD, OVERRIDDEN, enter, phase, transition
from holdfast.work.pipeline.view import (
    FINISHED,
    IN_PROGRESS,
    PENDING,
    REVALIDATE,
    SKIPPED,
    current_step,
    gate_of,
    next_step,
    record_of,
    require_step,
    runs_of,
    score_of,
    status_of,
)
from holdfast.work.pipeline.workflow import Step, Workflow

# What a snapshot keeps of an agent's record.
_FIELDS = ("status", "score", "criteria_count", "completed_at", "loops", "escalated")
# What a step that begins anew loses beside its score and evidence.
_ANEW: dict[str, Any] = {"criteria_count": None, "loops": None, "escalated": None}
# What a gate keeps of a step, and what it is without any.
_OF_GATE: dict[str, Any] = {"evidence": [], "finish": None}


class Reposition(Value):
    """A new position of the pipeline.

    ``target``: the agent that it is at, None where the work is completed.
    ``snapshot``: ``before`` and ``left``, by which it is undone, and the ``run`` that it belongs to.
    ``message``: what was done, to follow the name of the deviation.
    """

    target: str | None
    changes: dict[Any, Any]
    snapshot: dict[str, Any]
    message: str
    revalidate: tuple[str, ...] = ()


def changes_position(deviation: Mapping[str, Any]) -> bool:
    """Return whether it gave the pipeline another position, instead of interrupting the work."""
    return isinstance(deviation.get("before"), dict)


def is_settled(session: Session, deviation: Mapping[str, Any]) -> bool:
    """Return whether it gave the pipeline a position whose step is done since, or belongs to an earlier run."""
    if not changes_position(deviation):
        return False
    agent = deviation.get("to_agent")
    return not agent or status_of(session, agent) in FINISHED or deviation.get("run") != session.get("run")


def reposition(session: Session, workflow: Workflow | None, kind: str, to: str, reason: str, now: float) -> Reposition:
    """Return the new position that a skip, rollback or restart makes.

    Raises HoldfastError without a workflow under way, and for a ``to`` that the kind cannot go to.
    """
    if workflow is None:
        raise HoldfastError(f"A {kind} needs an active workflow", "", "Run: holdfast work start WORKFLOW")
    came = current_step(session, workflow)
    target, statuses, message = POSITIONS[kind](session, workflow, to)
    changes: dict[Any, Any] = {}
    for agent, status in statuses.items():
        changes |= agent_changes(session, agent, status=status)
    touched = [*statuses, *([target.agent] if target else [])]
    snapshot = _snapshot(session, workflow, touched, statuses, target)
    changes |= enter(session, target, **(_ANEW if kind == "restart" else {}))
    if phase(came) != phase(target):
        skipped = None if kind == "rollback" else [agent for agent, status in statuses.items() if status == SKIPPED]
        way = BACKWARD if kind == "rollback" else OVERRIDDEN
        changes |= transition(session, now, phase(came), phase(target), way, kind, skipped, reason)
    revalidate = tuple(agent for agent, status in statuses.items() if status == REVALIDATE)
    goal = target.agent if target else None
    return Reposition(target=goal, changes=changes, snapshot=snapshot, message=message, revalidate=revalidate)


def undo(session: Session, workflow: Workflow | None, deviation: Mapping[str, Any]) -> tuple[dict[Any, Any], str]:
    """Return the changes that put the agents back to what they were, and what they do in words.

    An agent that continued since stays as it is; then the pipeline stays where it is too.
    """
    before, left = deviation["before"], deviation.get("left") or {}
    agents = before.get("agents") or {}
    moved = [agent for agent in agents if _has_moved(session, agent, left.get(agent))]
    here = before.get("step")
    lost = bool(workflow and here and not workflow.step_of(here))
    changes: dict[Any, Any] = {}
    for agent, fields in agents.items():
        if agent in moved or (moved and fields.get("status") == IN_PROGRESS):
            continue
        changes |= agent_changes(session, agent, **{name: fields.get(name) for name in _FIELDS})
        for name, empty in _OF_GATE.items():
            kept = (before.get(name) or {}).get(agent)
            if kept or gate_of(session, agent).get(name):
                changes["gates", agent, name] = kept or empty
    if moved or lost:
        stays = ", ".join(f"{agent} ({status_of(session, agent)})" for agent in moved)
        note = f"left unchanged because they moved on: {stays}" if moved else f"{here} no longer has a step"
        return changes, note
    changes |= {name: before.get(name) for name in ("current_agent", "mode")}
    changes["project", "state"] = before.get("state")
    return changes, f"back at {here or 'the end'}"


def _skip(session: Session, workflow: Workflow, to: str) -> tuple[Step | None, dict[str, str], str]:
    step = require_step(session, workflow)
    place = workflow.place_of(step.agent)
    if to and workflow.place_of(to) <= place:
        hint = f"To go back, run: holdfast work deviate rollback TEXT --to {to}"
        raise HoldfastError(f"{to} is not after {step.agent} in {workflow.name}", "", hint)
    ahead = (one for one in workflow.steps[place + 1 :] if status_of(session, one.agent) not in FINISHED)
    target = workflow.step_of(to) if to else next(ahead, None) or next_step(session, workflow, after=step.agent)
    end = workflow.place_of(target.agent) if target else len(workflow.steps)
    names = [one.agent for one in workflow.steps[place:end]] if end > place else [step.agent]
    skipped = [agent for agent in names if status_of(session, agent) not in FINISHED]
    goes_on = f"{target.agent} begins" if target else "the pipeline is complete"
    return target, dict.fromkeys(skipped, SKIPPED), f", without {', '.join(skipped)}; {goes_on}"


def _rollback(session: Session, workflow: Workflow, to: str) -> tuple[Step | None, dict[str, str], str]:
    if not to:
        raise HoldfastError("A rollback needs an agent to go back to", "", "Add --to AGENT.")
    step, place = current_step(session, workflow), workflow.place_of(to)
    if step and place >= workflow.place_of(step.agent):
        hint = "To restart the current step, run: holdfast work deviate restart TEXT"
        raise HoldfastError(f"{to} is not before {step.agent} in {workflow.name}", "", hint)
    later = [one.agent for one in workflow.steps[place + 1 :] if status_of(session, one.agent) != PENDING]
    again = f"; to validate again: {', '.join(later)}" if later else ""
    return workflow.steps[place], dict.fromkeys(later, REVALIDATE), f", back to {to}{again}"


def _restart(session: Session, workflow: Workflow, to: str) -> tuple[Step | None, dict[str, str], str]:
    step = require_step(session, workflow)
    if to and to != step.agent:
        hint = f"To go back, run: holdfast work deviate rollback TEXT --to {to}"
        raise HoldfastError(f"Only the current step, {step.agent}, can be restarted", "", hint)
    return step, {}, f", {step.agent} starts over: its score, evidence and rounds of correction are cleared"


# Kind -> the step to go to, the new status of other agents, and what that is in words.
POSITIONS = {"rollback": _rollback, "skip": _skip, "restart": _restart}


def _snapshot(
    session: Session, workflow: Workflow, agents: Sequence[str], statuses: Mapping[str, str], target: Step | None
) -> dict[str, Any]:
    """Return what the agents and the position were, and the status with which each agent is left."""
    project, step = session.get("project"), current_step(session, workflow)
    records = {agent: record_of(session, agent) for agent in agents}
    gates = {
        name: {agent: found for agent in agents if (found := gate_of(session, agent).get(name))} for name in _OF_GATE
    }
    before = {
        "agents": {
            agent: {"status": PENDING, **{name: record[name] for name in _FIELDS if record.get(name) is not None}}
            for agent, record in records.items()
        },
        **{name: found for name, found in gates.items() if found},
        "step": step.agent if step else None,
        "current_agent": session.get("current_agent"),
        "mode": session.get("mode"),
        "state": project.get("state") if isinstance(project, dict) else None,
    }
    left = {**statuses, **({target.agent: IN_PROGRESS} if target else {})}
    return {"before": before, "left": left, **({"run": session["run"]} if session.get("run") else {})}


def _has_moved(session: Session, agent: str, left: str | None) -> bool:
    status = status_of(session, agent)
    worked = score_of(session, agent) is not None or runs_of(session, agent)
    return status != left or (status == IN_PROGRESS and bool(worked))
