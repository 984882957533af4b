"""The state of the work as plain data, for programs (``work status --json``), the terms of a run that were agreed to,
and what a person approved. It reads the session alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.digest import digest
from limpet.ground.formats.json_text import dumps
from limpet.ground.values import Value
from limpet.work.in_force import find_in_force
from limpet.work.pipeline.briefing import NOTHING, START, Next
from limpet.work.pipeline.deviation import open_deviations
from limpet.work.pipeline.gate import Facts, missing, threshold
from limpet.work.pipeline.state import (
    CLAIMED,
    CLAIMS,
    COMPLETED,
    FINISHED,
    IN_PROGRESS,
    UNCHANGED,
    VERIFIED,
    WORD,
    Limits,
    Move,
    Seals,
    Session,
    current_step,
    evidence_of,
    finish_of,
    holds_seal,
    percent,
    record_of,
    runs_of,
    score_of,
    seal_of,
    state_of,
    status_of,
    whole,
)
from limpet.work.pipeline.workflow import Workflow, WorkflowStep

KEY = "agreement"
APPROVALS = "approvals"


def overview(
    session: Session, workflow: Workflow | None, limits: Limits, mode: str, facts: Facts, following: Next = NOTHING
) -> dict[str, Any]:
    """Return every fact of the session's pipeline, and what comes next; ``mode`` holds where the session names none. A
    workflow that is not defined anywhere has a name and no steps."""
    project = session.get("project") or {}
    steps = workflow.steps if workflow else ()
    transitions = session.get("mode_transitions") or [None]
    gates = {}
    for step in steps:
        is_scored = score_of(session, step.agent) is not None or runs_of(session, step.agent)
        if is_scored or status_of(session, step.agent) in (*FINISHED, IN_PROGRESS):
            gates[step.agent] = _gate(session, step, limits, facts)
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
        "gates": gates,
        # The rules of an unknown workflow decide what comes next.
        "next": following.command or (START if workflow or not session.get("workflow") else ""),
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
    """Return ``WU(100%) -> Brief(in_progress, 45%) -> Detail(pending)`` (chati.dev V7.1 section 3.3)."""
    shown = []
    for step in workflow.steps:
        status, score = status_of(session, step.agent), score_of(session, step.agent)
        parts = [] if score is None else [f"{percent(score)}%"]
        if status == COMPLETED:
            parts = [*(parts or [COMPLETED]), *standing(session, step.agent, seals)]
        else:
            parts = [status, *parts]
        shown.append(f"{step.label}({', '.join(parts)})")
    return " -> ".join(shown)


def standing(session: Session, agent: str, seals: Seals) -> list[str]:
    """Return what a completed step stands on, nothing where checks ran and every criterion was shown: how much of it is
    claimed, that no check ran, that nothing changed though it came back, that a person approved what it made."""
    finish, evidence = finish_of(session, agent, seals), evidence_of(session, agent, seals)
    claims = finish.get(CLAIMS)
    marks = [f"{claims} {CLAIMED}"] if claims else []
    marks += [CLAIMED] if claims is None and evidence != VERIFIED else []
    marks += [says for name, says in ((WORD, "no check"), (UNCHANGED, "no change")) if finish.get(name)]
    return [*marks, *(["approved"] if approved_content(session, agent, seals) else [])]


class Agreement(Value):
    """The terms of a run.

    ``workflow``: the digest of what the workflow asks for.
    ``checks``: name -> command line, without secrets.
    ``thresholds``: agent -> the least score of its step.
    ``tree``: the digest of the working tree when the run began, "" where nobody knows.
    ``outputs``: agent -> the digest of what stood at its output's path then.
    """

    folder: str
    workflow: str
    checks: Mapping[str, str]
    thresholds: Mapping[str, float]
    approve: tuple[str, ...]
    tree: str = ""
    outputs: Mapping[str, str] = {}
    timestamp: str = ""


def agreement_of(session: Session, seals: Seals) -> Agreement | None:
    found = session.get(KEY)
    if not isinstance(found, dict) or not holds_seal(found, seals, *_bound(session.get("run"), found)):
        return None
    known: dict[str, Any] = {name: found.get(name) for name in Agreement.fields}
    return Agreement(**{**known, "approve": tuple(known["approve"] or ())})


def agreement_changes(run: str, agreement: Agreement, seals: Seals) -> dict[Any, Any]:
    record: dict[str, Any] = {**agreement.__dict__, "approve": list(agreement.approve)}
    return {KEY: {**record, "seal": seal_of(seals, *_bound(run, record))}}


def workflow_digest(workflow: Workflow) -> str:
    steps: list[list[Any]] = []
    for step in workflow.steps:
        criteria = [[one.text, one.weight] for one in step.criteria]
        steps.append([step.agent, step.state, step.mode, step.gate, step.evidence_required, step.output, *criteria])
    return digest(dumps([workflow.name, steps]), 16)


def thresholds_of(session: Session, workflow: Workflow, limits: Limits) -> dict[str, float]:
    return {step.agent: whole(threshold(session, step, limits)) for step in workflow.steps}


def weakened(agreed: Agreement, now: Agreement) -> tuple[str, ...]:
    """Return, as words for a person, in what ``now`` asks for less than was agreed to, or for something else."""
    return tuple(_weakened(agreed, now))


def approved_content(session: Session, agent: str, seals: Seals) -> dict[str, str]:
    """Return name -> digest; empty where nobody approved the output in this run."""
    found = (session.get(APPROVALS) or {}).get(agent)
    if not isinstance(found, dict) or not holds_seal(found, seals, *_bound_of_approvals(session, agent, found)):
        return {}
    return dict(found["content"])


def approve(
    session: Session, agent: str, content: Mapping[str, str], how: str, path: str, seals: Seals, now: float
) -> Move:
    """Record, sealed, that a person approved this content of the agent's output; ``how`` they said so."""
    record = {"content": dict(content), "how": how, "timestamp": iso(now)}
    sealed = {**record, "seal": seal_of(seals, *_bound_of_approvals(session, agent, record))}
    data = {"agent": agent, "path": path, "how": how}
    return Move({(APPROVALS, agent): sealed}, "work.approved", data, f"{path} is approved")


def waiting_agents(
    session: Session, workflow: Workflow, step: WorkflowStep, approving: tuple[str, ...]
) -> tuple[str, ...]:
    """Return those of the earlier steps whose output a person is to approve, the skipped ones among them."""
    before = workflow.steps[: workflow.place_of(step.agent)]
    return tuple(
        one.agent
        for one in before
        if one.agent in approving and one.output and status_of(session, one.agent) in FINISHED
    )


def is_approved(approved: Mapping[str, str], content: Mapping[str, str]) -> bool:
    """What was added since needs no approval."""
    return bool(approved) and all(content.get(name) == digest for name, digest in approved.items())


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


def _weakened(agreed: Agreement, now: Agreement) -> Iterator[str]:
    if now.workflow != agreed.workflow:
        yield "the workflow's steps or criteria are others"
    for name, line in agreed.checks.items():
        if name not in now.checks:
            yield f"check {name} is gone ({line})"
        elif now.checks[name] != line:
            yield f"check {name} is `{now.checks[name]}`, not `{line}`"
    for agent, least in agreed.thresholds.items():
        if now.thresholds.get(agent, least) < least:
            yield f"{agent} passes with {percent(now.thresholds[agent])}% in place of {percent(least)}%"
    gone = [agent for agent in agreed.approve if agent not in now.approve]
    if gone:
        yield f"nobody approves {', '.join(gone)}"


def _bound(run: object, record: Mapping[str, Any]) -> tuple[object, ...]:
    values = (record.get(name) for name in Agreement.fields)
    return (KEY, run or "", *(sorted(one.items()) if isinstance(one, Mapping) else one for one in values))


def _bound_of_approvals(session: Session, agent: str, record: Mapping[str, Any]) -> tuple[object, ...]:
    content = record.get("content")
    items = sorted(content.items()) if isinstance(content, dict) else None
    return APPROVALS, session.get("run") or "", agent, items, record.get("how"), record.get("timestamp")
