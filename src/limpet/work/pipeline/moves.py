"""Moves along the pipeline: start, forward through a gate, back to fix an issue, past gates by a person's decision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.work.pipeline.gate import OVERRIDE, Facts, begin_correction, check_gate, clear_evidence, require_current
from limpet.work.pipeline.state import (
    AUTOMATIC,
    BACKWARD,
    COMPLETED,
    FINISHED,
    IN_PROGRESS,
    OVERRIDDEN,
    PENDING,
    REVALIDATE,
    SKIPPED,
    Limits,
    Move,
    Session,
    agent_changes,
    current_step,
    finish_of,
    next_step,
    percent,
    record_of,
    refuse_open_deviation,
    score_of,
    state_of,
    status_of,
)
from limpet.work.pipeline.workflow import Workflow, WorkflowStep

DONE = "completed"


def start_run(session: Session, workflow: Workflow, run: str, name: str = "", afresh: bool = False) -> Move:
    """Begin the workflow at its first step, as the run of this id; one that is under way continues where it is, as the
    run that it was. An agent that a person activated before any workflow stays active. Raise LimpetError while a
    deviation is open, and where another workflow's progress would be lost, unless ``afresh``."""
    is_named = session.get("workflow") in (workflow.name, None)  # no name: it was cleared, and its agents stay
    is_begun = any(record_of(session, step.agent) for step in workflow.steps)
    if not afresh and is_named and is_begun and state_of(session) != DONE:
        return _go_on(session, workflow, run, name)
    refuse_open_deviation(session)
    if not afresh:
        _refuse_losses(session, workflow)
    first, chosen = workflow.steps[0], session.get("current_agent")
    changes: dict[Any, Any] = {"workflow": workflow.name, "run": run, **arrival(first)}
    if chosen and not session.get("agents"):
        changes["current_agent"] = chosen
    if workflow.project_type:
        changes["project", "type"] = workflow.project_type
    if name:
        changes["project", "name"] = name
    for step in workflow.steps:
        status, record = IN_PROGRESS if step is first else PENDING, record_of(session, step.agent)
        scored = ("score", "criteria_count", "completed_at", "loops", "escalated")
        empty = {name: None for name in scored if name in record}
        changes |= agent_changes(session, step.agent, status=status, **empty) | clear_evidence(session, step.agent)
    data = {"workflow": workflow.name, "run": run, "agent": first.agent, "before": _scores(session)}
    return Move(changes, "work.started", data, f"{workflow.name} begins with {first.agent}")


def advance(session: Session, workflow: Workflow, agent: str, now: float, limits: Limits, facts: Facts) -> Move:
    """Complete the current step, whose agent is ``agent``, and go to the first unfinished one: where that is behind,
    because of a deviation, everyone after it has to validate again. Raise LimpetError for a shut gate, an open
    deviation, and when somebody else moved the pipeline meanwhile."""
    refuse_open_deviation(session)
    step = require_current(session, workflow, agent)
    check_gate(session, step, limits, facts)
    following = next_step(session, workflow, after=agent)
    reached = finish_of(session, agent, facts)["score"]
    changes = agent_changes(session, agent, status=COMPLETED, score=reached, completed_at=iso(now)) | enter_step(
        session, following
    )
    score = percent(reached)
    came, goes = phase(step), phase(following)
    behind = following is not None and workflow.place_of(following.agent) < workflow.place_of(agent)
    if following and behind:
        changes |= _revalidate(session, _later(session, workflow, following))
    if came != goes:
        changes |= transition(session, now, came, goes, BACKWARD if behind else AUTOMATIC, f"{agent} {score}")
    data = {"agent": agent, "score": reached, "next": following.agent if following else None}
    goes_on = f"{following.agent} begins" if following else "the pipeline is complete"
    return Move(changes, "work.advanced", data, f"{agent} passed with {score}%; {goes_on}")


def back(
    session: Session, workflow: Workflow, now: float, limits: Limits, agent: str = "", issue: str = "", reason: str = ""
) -> Move:
    """Go back to an agent, or to the one that fixes this kind of issue; everyone after it has to validate again. The
    current one begins its step anew. Raise LimpetError for an unknown issue or agent, one that is ahead, and an open
    deviation."""
    refuse_open_deviation(session)
    if not agent and issue not in workflow.issues:
        hint = f"Its issues: {', '.join(workflow.issues)}. Name an agent instead."
        raise LimpetError(f"No agent of {workflow.name} handles {issue or 'unnamed'} issues", workflow.source, hint)
    target = workflow.steps[workflow.place_of(agent or workflow.issues[issue])]
    step = current_step(session, workflow)
    if step is not None and workflow.place_of(target.agent) > workflow.place_of(step.agent):
        hint = f"To skip a gate, run: {OVERRIDE}"
        raise LimpetError(f"{target.agent} is after {step.agent} in {workflow.name}", "", hint)
    correction = begin_correction(session, target.agent, limits)
    later = _later(session, workflow, target)
    changes = enter_step(session, target, **correction) | _revalidate(session, later)
    trigger = f"{issue} issue" if issue else f"back to {target.agent}"
    changes |= transition(session, now, phase(step), phase(target), BACKWARD, trigger, reason=reason)
    data = {"from": step.agent if step else None, "to": target.agent, "issue": issue or None, "revalidate": later}
    message = f"back to {target.agent}" + (f"; to validate again: {', '.join(later)}" if later else "")
    return Move(changes, "work.back", {**data, "reason": reason or None}, message)


def override(session: Session, workflow: Workflow, agent: str, now: float, reason: str, to: str = "") -> Move:
    """Go to the next agent, or to ``to``, whatever the gates say: a person's explicit decision, with its reason. Agents
    that have not completed are skipped, and the transition names them. Raise LimpetError without a reason, for an agent
    that is not ahead, and an open deviation."""
    refuse_open_deviation(session)
    step = require_current(session, workflow, agent)
    if not reason.strip():
        raise LimpetError("An override needs a reason", "", f"Run: {OVERRIDE}")
    if to and workflow.place_of(to) <= workflow.place_of(agent):
        raise LimpetError(
            f"{to} is not after {agent} in {workflow.name}", "", f"To go back, run: limpet work back {to}"
        )
    target = workflow.step_of(to) if to else next_step(session, workflow, after=agent)
    jumped = [one.agent for one in workflow.steps[: workflow.place_of(to)]] if to else [agent]
    skipped = [name for name in jumped if status_of(session, name) not in FINISHED]
    changes = enter_step(session, target)
    for name in skipped:
        changes |= agent_changes(session, name, status=SKIPPED)
    changes |= transition(session, now, phase(step), phase(target), OVERRIDDEN, "override", skipped, reason)
    goal = target.agent if target else None
    data = {"from": agent, "to": goal, "skipped_agents": skipped, "reason": reason}
    message = f"{goal} begins" if goal else "the pipeline is complete"
    return Move(changes, "work.overridden", data, f"{message}; skipped: {', '.join(skipped)}")


def set_working_mode(session: Session, mode: str, now: float, reason: str = "") -> Move:
    before = session.get("mode")
    changes: dict[Any, Any] = {"mode": mode}
    if session.get("agents") and mode != before:
        changes |= transition(session, now, before, mode, OVERRIDDEN, "work set --mode", (), reason)
    return Move(changes, "work.mode", {"from": before, "to": mode, "reason": reason or None}, f"pipeline mode: {mode}")


def enter_step(session: Session, step: WorkflowStep | None, **more: Any) -> dict[Any, Any]:
    """The score is open again; None completes the project. ``more``: further fields of the agent's record."""
    if step is None:
        return {("project", "state"): DONE, "current_agent": None}
    fields = {"status": IN_PROGRESS, "score": None, "completed_at": None, **more}
    return agent_changes(session, step.agent, **fields) | clear_evidence(session, step.agent) | arrival(step)


def arrival(step: WorkflowStep) -> dict[Any, Any]:
    return {"current_agent": step.agent, "mode": step.mode, ("project", "state"): step.state}


def phase(step: WorkflowStep | None) -> str:
    """Return a transition's name for a step: ``planning`` for discover and plan, else the state."""
    if step is None:
        return DONE
    return "planning" if step.state in ("discover", "plan") else step.state


def transition(
    session: Session,
    now: float,
    came: str | None,
    goes: str,
    kind: str,
    trigger: str,
    skipped: Iterable[str] | None = None,
    reason: str = "",
) -> dict[Any, Any]:
    """``skipped``: None where it leaves out none by its kind."""
    record: dict[str, Any] = {"timestamp": iso(now), "from": came, "to": goes, "trigger": trigger, "type": kind}
    if skipped is not None:
        record["skipped_agents"] = list(skipped)
    if reason:
        record["reason"] = reason
    return {"mode_transitions": [*(session.get("mode_transitions") or ()), record]}


def _later(session: Session, workflow: Workflow, step: WorkflowStep) -> list[str]:
    steps = workflow.steps[workflow.place_of(step.agent) + 1 :]
    return [one.agent for one in steps if status_of(session, one.agent) != PENDING]


def _revalidate(session: Session, agents: Iterable[str]) -> dict[Any, Any]:
    changes: dict[Any, Any] = {}
    for agent in agents:
        changes |= agent_changes(session, agent, status=REVALIDATE)
    return changes


def _go_on(session: Session, workflow: Workflow, run: str, name: str) -> Move:
    step = current_step(session, workflow)
    changes: dict[Any, Any] = {("project", "name"): name} if name else {}
    if not session.get("run"):
        changes["run"] = run
    if step and session.get("workflow") != workflow.name:
        changes |= {"workflow": workflow.name, **arrival(step)}
    data = {"workflow": workflow.name, "agent": step.agent if step else None, "resumed": True}
    message = f"{workflow.name} is already active" + (f", at {step.agent}" if step else "")
    if step and not (session.get("workflow") or session.get("left_workflow")):
        finished = sum(status_of(session, each.agent) in FINISHED for each in workflow.steps)
        message = f"{workflow.name} goes on at {step.agent}, with {finished} of its steps finished"
    return Move(changes, "work.started", data, message)


def _refuse_losses(session: Session, workflow: Workflow) -> None:
    other = session.get("workflow") or "another workflow"
    worked = [
        name for name, score in _scores(session).items() if score is not None or status_of(session, name) in FINISHED
    ]
    if worked and state_of(session) != DONE:
        what = f"{other} is active, and agents have worked in it: {', '.join(worked)}"
        hint = f"To start over (the audit log keeps the scores), run: limpet work start {workflow.name} --afresh"
        raise LimpetError(what, "", hint)


def _scores(session: Session) -> dict[str, float | None]:
    agents = session.get("agents")
    return {name: score_of(session, name) for name in agents} if isinstance(agents, dict) else {}
