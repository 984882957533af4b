"""What a run of a workflow was begun under, sealed: its steps, checks, thresholds and approvals, so that weakening one
in mid-run is seen, and what stood there before, so that a deed can be told from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.digest import digest
from limpet.ground.formats.json_text import dumps
from limpet.ground.values import Value
from limpet.work.pipeline.evidence import Seals, holds_seal, seal_of
from limpet.work.pipeline.gate import threshold
from limpet.work.pipeline.state import FINISHED, Limits, Move, Session, percent, status_of, whole
from limpet.work.pipeline.workflow import Workflow, WorkflowStep

KEY = "agreement"
APPROVALS = "approvals"


class Agreement(Value):
    """The terms of a run.

    ``folder``: the name of its own folder for documents.
    ``workflow``: the digest of what the workflow asks for.
    ``checks``: name -> command line, without secrets.
    ``thresholds``: agent -> the least score of its step.
    ``approve``: the agents whose output a person approves.
    ``tree``: the digest of the working tree when the run began, "" where nobody knows.
    ``outputs``: agent -> the digest of what stood at its output's path then.
    ``timestamp``: when they were agreed to.
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
    """Return the terms of the session's run, None where there are none under a seal that holds."""
    found = session.get(KEY)
    if not isinstance(found, dict) or not holds_seal(found, seals, *_bound(session.get("run"), found)):
        return None
    known: dict[str, Any] = {name: found.get(name) for name in Agreement.fields}
    return Agreement(**{**known, "approve": tuple(known["approve"] or ())})


def agreement_changes(run: str, agreement: Agreement, seals: Seals) -> dict[Any, Any]:
    """Return the change that gives the session's run these terms."""
    record: dict[str, Any] = {**agreement.__dict__, "approve": list(agreement.approve)}
    return {KEY: {**record, "seal": seal_of(seals, *_bound(run, record))}}


def workflow_digest(workflow: Workflow) -> str:
    """Return the digest of what a workflow asks for, without the words that only describe it."""
    steps: list[list[Any]] = []
    for step in workflow.steps:
        criteria = [[one.text, one.weight] for one in step.criteria]
        steps.append([step.agent, step.state, step.mode, step.gate, step.evidence_required, step.output, *criteria])
    return digest(dumps([workflow.name, steps]), 16)


def thresholds_of(session: Session, workflow: Workflow, limits: Limits) -> dict[str, float]:
    """Return the least score of each step by its agent."""
    return {step.agent: whole(threshold(session, step, limits)) for step in workflow.steps}


def weakened(agreed: Agreement, now: Agreement) -> tuple[str, ...]:
    """Return, as words for a person, in what the terms of ``now`` ask for less than those that were agreed to, or for
    something else; what only asks for more is not among it."""
    return tuple(_weakened(agreed, now))


def approved_content(session: Session, agent: str, seals: Seals) -> dict[str, str]:
    """Return what a person approved of the agent's output in this run, name -> digest; empty where nobody did."""
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
    """Return the agents of the steps before this one whose output a person is to approve, the skipped ones among
    them."""
    before = workflow.steps[: workflow.place_of(step.agent)]
    return tuple(
        one.agent
        for one in before
        if one.agent in approving and one.output and status_of(session, one.agent) in FINISHED
    )


def is_approved(approved: Mapping[str, str], content: Mapping[str, str]) -> bool:
    """Return whether the content is what was approved; what was added since needs no approval."""
    return bool(approved) and all(content.get(name) == digest for name, digest in approved.items())


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
