"""The state of the work as plain data, for programs (``work status --json``). It reads the session alone."""

from __future__ import annotations

from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
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
    Move,
    Session,
    current_step,
    next_id,
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
    backlog = count_backlog(session)
    backlog["done"] += (session.get("archived") or {}).get("backlog") or 0
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
        "backlog": {"open": sum(backlog[status] for status in OPEN), **backlog},
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


def pipeline_line(session: Session, workflow: Workflow, seals: Seals) -> str:
    """Return the pipeline as ``WU(100%) -> Brief(in_progress, 45%) -> Detail(pending)`` (chati.dev V7.1 section 3.3),
    what completed with the marks of ``standing``."""
    return " -> ".join(f"{step.label}({_progress(session, step.agent, seals)})" for step in workflow.steps)


def _progress(session: Session, agent: str, seals: Seals) -> str:
    status, score = status_of(session, agent), score_of(session, agent)
    parts = [] if score is None else [f"{percent(score)}%"]
    if status != COMPLETED:
        return ", ".join([status, *parts])
    return ", ".join([*(parts or [COMPLETED]), *standing(session, agent, seals)])


def standing(session: Session, agent: str, seals: Seals) -> list[str]:
    """Return what a completed step stands on, nothing where checks ran and every criterion was shown: how much
    of it is claimed, that no check ran, that a person approved what it made."""
    finish, evidence = finish_of(session, agent, seals), evidence_of(session, agent, seals)
    claims = finish.get(CLAIMS)
    marks = [f"{claims} {CLAIMED}"] if claims else []
    marks += [CLAIMED] if claims is None and evidence != VERIFIED else []
    marks += ["no check"] if finish.get(WORD) else []
    return [*marks, *(["approved"] if approved_content(session, agent, seals) else [])]


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
