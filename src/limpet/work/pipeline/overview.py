"""The state of the work as plain data, for programs (``work status --json``). It reads the session alone."""

from __future__ import annotations

from typing import Any

from limpet.work.in_force import find_in_force
from limpet.work.pipeline.agreement import approved_content
from limpet.work.pipeline.briefing import NOTHING, START, Next
from limpet.work.pipeline.deviation import open_deviations
from limpet.work.pipeline.evidence import CLAIMED, CLAIMS, VERIFIED, WORD, Seals, evidence_of, finish_of
from limpet.work.pipeline.gate import Facts, missing, threshold
from limpet.work.pipeline.state import (
    COMPLETED,
    FINISHED,
    IN_PROGRESS,
    Limits,
    Session,
    current_step,
    percent,
    record_of,
    runs_of,
    score_of,
    state_of,
    status_of,
)
from limpet.work.pipeline.workflow import Workflow, WorkflowStep


def overview(
    session: Session, workflow: Workflow | None, limits: Limits, mode: str, facts: Facts, following: Next = NOTHING
) -> dict[str, Any]:
    """Return every fact of the session's pipeline, and what comes next; ``mode`` holds where the session names none.

    A workflow that is not defined anywhere has a name and no steps.
    """
    project = session.get("project") or {}
    steps = workflow.steps if workflow else ()
    transitions = session.get("mode_transitions") or [None]
    return {
        "project": {"name": project.get("name"), "type": project.get("type")},
        "mode": session.get("mode") or mode,
        "state": state_of(session) or None,
        "workflow": session.get("workflow"),
        "run": session.get("run"),
        "step": _step(session, workflow, limits, facts),
        "agent": find_in_force(session).agent or None,
        "agents": {step.agent: _agent(session, step, facts) for step in steps},
        "pipeline": pipeline_line(session, workflow, facts) if workflow else "",
        "task": session.get("task"),
        "squad": session.get("squad"),
        "deviations": open_deviations(session),
        "gates": {step.agent: _gate(session, step, limits, facts) for step in steps if _has_gate(session, step)},
        "next": following.command or _start(session, workflow),
        "next_words": following.words,
        "lock": session.get("lock") or {"active": False},
        "last_transition": transitions[-1],
        "last_handoff": session.get("last_handoff"),
        "language": session.get("language"),
        "user_level": session.get("user_level"),
        "execution_mode": session.get("execution_mode"),
        "revision": session.get("revision", 0),
    }


def pipeline_line(session: Session, workflow: Workflow, seals: Seals) -> str:
    """Return the pipeline as ``WU(100%) -> Brief(in_progress, 45%) -> Detail(pending)`` (chati.dev V7.1 section 3.3),
    what completed with the marks of ``standing``."""
    return " -> ".join(f"{step.label}({_progress(session, step.agent, seals)})" for step in workflow.steps)


def standing(session: Session, agent: str, seals: Seals) -> list[str]:
    """Return what a completed step stands on, nothing where checks ran and every criterion was shown: how much
    of it is claimed, that no check ran, that a person approved what it made."""
    finish, evidence = finish_of(session, agent, seals), evidence_of(session, agent, seals)
    claims = finish.get(CLAIMS)
    marks = [f"{claims} {CLAIMED}"] if claims else []
    marks += [CLAIMED] if claims is None and evidence != VERIFIED else []
    marks += ["no check"] if finish.get(WORD) else []
    return [*marks, *(["approved"] if approved_content(session, agent, seals) else [])]


def _step(session: Session, workflow: Workflow | None, limits: Limits, facts: Facts) -> dict[str, Any] | None:
    step = current_step(session, workflow) if workflow else None
    if step is None or workflow is None:
        return None
    return {
        "agent": step.agent,
        "number": workflow.place_of(step.agent) + 1,
        "of": len(workflow.steps),
        "state": step.state,
        "mode": step.mode,
        "domains": list(step.domains),
        "gate": threshold(session, step, limits),
        "missing": missing(session, step, limits, facts),
    }


def _start(session: Session, workflow: Workflow | None) -> str:
    """Return the command that begins a workflow; "" where the rules of an unknown one decide what comes next."""
    return START if workflow or not session.get("workflow") else ""


def _agent(session: Session, step: WorkflowStep, facts: Facts) -> dict[str, Any]:
    record = record_of(session, step.agent)
    return {
        "status": status_of(session, step.agent),
        "score": score_of(session, step.agent),
        "evidence": evidence_of(session, step.agent, facts),
        "claims": finish_of(session, step.agent, facts).get(CLAIMS),
        "approved": bool(approved_content(session, step.agent, facts)),
        "loops": int(record.get("loops") or 0),
        "escalated": bool(record.get("escalated")),
        "completed_at": record.get("completed_at"),
    }


def _gate(session: Session, step: WorkflowStep, limits: Limits, facts: Facts) -> dict[str, Any]:
    passed = status_of(session, step.agent) in FINISHED
    found = [] if passed else missing(session, step, limits, facts)
    return {
        "score": score_of(session, step.agent),
        "threshold": threshold(session, step, limits),
        "passed": not found,
        "evidence": evidence_of(session, step.agent, facts),
        "stands_on": standing(session, step.agent, facts) if passed else [],
        "missing": found,
        "runs": runs_of(session, step.agent),
    }


def _has_gate(session: Session, step: WorkflowStep) -> bool:
    """Return whether there is anything to report: a score, a command, work begun, or an end."""
    known = score_of(session, step.agent) is not None or runs_of(session, step.agent)
    return bool(known) or status_of(session, step.agent) in (*FINISHED, IN_PROGRESS)


def _progress(session: Session, agent: str, seals: Seals) -> str:
    status, score = status_of(session, agent), score_of(session, agent)
    parts = [] if score is None else [f"{percent(score)}%"]
    if status != COMPLETED:
        return ", ".join([status, *parts])
    return ", ".join([*(parts or [COMPLETED]), *standing(session, agent, seals)])
