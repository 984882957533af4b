"""What is recorded for a gate: typed scores and commands as claims, runs of checks and finishes under a seal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value
from holdfast.work.pipeline.evidence import SEALED_FINISH, SEALED_RUN, Facts, evidence_of, seal
from holdfast.work.pipeline.gate import (
    begin_correction,
    clear_evidence,
    refuse_escalated,
    require_current,
    threshold,
)
from holdfast.work.pipeline.move import Limits, Move, Session, agent_changes, percent, refuse_open_deviation
from holdfast.work.pipeline.view import record_of, runs_of
from holdfast.work.pipeline.workflow import Workflow


class Run(Value):
    """A command that was run.

    ``digest``: the SHA-256 of its output, in hexadecimal.
    ``check``: the name of the configured check that it is, "" for any other command.
    ``tree``: the digest of the working tree that a check ran on.
    """

    command: str
    exit_code: int
    digest: str
    check: str = ""
    tree: str = ""


def claim_score(
    session: Session, workflow: Workflow, agent: str, score: float, limits: Limits, criteria: int | None = None
) -> Move:
    """Record the score that somebody says the current agent has reached; it opens nothing.

    Raises HoldfastError for another agent, in a deviation, and when a person has to decide.
    """
    refuse_open_deviation(session)
    step = require_current(session, workflow, agent)
    refuse_escalated(record_of(session, agent), agent, limits)
    least = threshold(session, step, limits)
    counted = {} if criteria is None else {"criteria_count": criteria}
    changes = agent_changes(session, agent, score=_whole(score), **counted)
    message = f"{agent}: {percent(score)} of {percent(least)}%, claimed; `holdfast work finish -` counts the criteria"
    return Move(changes, "work.scored", {"agent": agent, "score": score, "threshold": least}, message)


def claim_run(session: Session, workflow: Workflow, agent: str, run: Run, now: float) -> Move:
    """Record a command that was run for the current agent's gate; it replaces an earlier run of the same command.

    It neither opens nor shuts the gate.
    """
    require_current(session, workflow, agent)
    record = {"command": run.command, "exit_code": run.exit_code, "digest": run.digest, "timestamp": iso(now)}
    known = runs_of(session, agent)
    kept = [one for one in known if one.get("check") or one.get("command") != run.command]
    message = f"{agent}: `{run.command}` ended with {run.exit_code}"
    return Move({("gates", agent, "evidence"): [*kept, record]}, "work.evidence", {"agent": agent, **record}, message)


def add_checks(session: Session, workflow: Workflow, agent: str, runs: Iterable[Run], facts: Facts, now: float) -> Move:
    """Record runs of checks for the current agent's gate, sealed; each replaces an earlier run of the same check."""
    require_current(session, workflow, agent)
    records = []
    for run in runs:
        fields = {**run.__dict__, "timestamp": iso(now)}
        records.append({**fields, "seal": seal(session, agent, fields, SEALED_RUN, facts)})
    names = {record["check"] for record in records}
    kept = [one for one in runs_of(session, agent) if one.get("check") not in names]
    ended = ", ".join(f"{record['check']} ended with {record['exit_code']}" for record in records)
    data = {"agent": agent, "runs": records}
    return Move({("gates", agent, "evidence"): [*kept, *records]}, "work.checked", data, f"{agent}: {ended}")


def forget(session: Session, workflow: Workflow, agent: str, name: str) -> Move:
    """Withdraw the runs of a check or command from the current agent's gate.

    Raises HoldfastError for one that was not run.
    """
    require_current(session, workflow, agent)
    known = runs_of(session, agent)
    kept = [one for one in known if name not in (one.get("check"), one.get("command"))]
    if len(kept) == len(known):
        names = ", ".join(str(one.get("check") or one.get("command")) for one in known) or "none"
        raise HoldfastError(f"{name} was not run for {agent}", "", f"Recorded: {names}")
    data = {"agent": agent, "forgotten": name}
    return Move({("gates", agent, "evidence"): kept}, "work.forgotten", data, f"{agent}: removed the runs of `{name}`")


def record_finish(
    session: Session, workflow: Workflow, agent: str, score: float, criteria: int, facts: Facts, now: float
) -> Move:
    """Record, sealed, that the current agent's step is finished with this counted score."""
    refuse_open_deviation(session)
    require_current(session, workflow, agent)
    fields = {
        "score": _whole(score),
        "evidence": evidence_of(agent_scored(session, agent, score), agent, facts),
        "tree": facts.tree,
        "timestamp": iso(now),
    }
    finish = {**fields, "seal": seal(session, agent, fields, SEALED_FINISH, facts)}
    changes = agent_changes(session, agent, score=fields["score"], criteria_count=criteria)
    message = f"{agent}: {percent(score)}%, {fields['evidence']}"
    return Move(changes | {("gates", agent, "finish"): finish}, "work.finished", {"agent": agent, **fields}, message)


def fall_short(session: Session, workflow: Workflow, agent: str, score: float, criteria: int, limits: Limits) -> Move:
    """Record a counted score below the gate: a round of correction begins, in which the checks run again."""
    refuse_open_deviation(session)
    step = require_current(session, workflow, agent)
    refuse_escalated(record_of(session, agent), agent, limits)
    correction = begin_correction(session, agent, limits)
    least = threshold(session, step, limits)
    message = f"{agent}: score {percent(score)} is below {percent(least)}; "
    message += (
        f"round {correction['loops']} of {limits.loops} of correction begins"
        if "loops" in correction
        else f"all {limits.loops} rounds of correction are used; a person decides"
    )
    fields = agent_changes(session, agent, score=_whole(score), criteria_count=criteria, **correction)
    data = {"agent": agent, "score": score, "threshold": least}
    return Move(fields | clear_evidence(session, agent), "work.scored", data, message)


def agent_scored(session: Session, agent: str, score: float) -> dict[str, Any]:
    """Return the session as it is with this score of the agent's."""
    agents = {**(session.get("agents") or {}), agent: {**record_of(session, agent), "score": score}}
    return {**session, "agents": agents}


def _whole(score: float) -> float:
    return int(score) if float(score).is_integer() else score
