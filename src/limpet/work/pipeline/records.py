"""What is recorded for a gate, under a seal: runs of checks, and the finish of a step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.values import Value
from limpet.work.pipeline.gate import Count, begin_correction, clear_evidence, require_current, threshold
from limpet.work.pipeline.state import (
    CLAIMS,
    SEALED_RUN,
    Limits,
    Move,
    Seals,
    Session,
    agent_changes,
    evidence_of,
    finish_names,
    gate_of,
    holds_seal,
    percent,
    record_of,
    refuse_open_deviation,
    run_of,
    runs_of,
    seal,
    seal_of,
    whole,
)
from limpet.work.pipeline.workflow import Workflow

RETURNED = "returned"


class CheckRun(Value):
    """A check that was run. ``command``: without secrets. ``digest``: the SHA-256 of its output, in hexadecimal.
    ``tree``: the digest of the working tree that it ran on."""

    check: str
    command: str
    exit_code: int
    digest: str
    tree: str


def add_checks(
    session: Session, workflow: Workflow, agent: str, runs: Iterable[CheckRun], seals: Seals, now: float
) -> Move:
    """Record runs for the current agent's gate, sealed; each replaces an earlier run of the same check."""
    require_current(session, workflow, agent)
    records = []
    for run in runs:
        fields = {**run.__dict__, "timestamp": iso(now)}
        records.append({**fields, "seal": seal(session, agent, fields, SEALED_RUN, seals)})
    names = {record["check"] for record in records}
    kept = [one for one in runs_of(session, agent) if one.get("check") not in names]
    ended = ", ".join(f"{record['check']} ended with {record['exit_code']}" for record in records)
    data = {"agent": agent, "runs": records}
    return Move({("gates", agent, "evidence"): [*kept, *records]}, "work.checked", data, f"{agent}: {ended}")


def record_finish(
    session: Session,
    workflow: Workflow,
    agent: str,
    count: Count,
    claims: int,
    seals: Seals,
    now: float,
    words: Mapping[str, str] = {},
) -> Move:
    """Record, sealed, that the current agent's step is finished with this count of its criteria. ``claims``: of how
    many of them nothing was shown that could be looked at. ``words``: for WORD and UNCHANGED how a person let it pass
    so, where they did."""
    refuse_open_deviation(session)
    require_current(session, workflow, agent)
    fields = {
        "score": whole(count.score),
        "evidence": evidence_of(agent_scored(session, agent, count.score), agent, seals),
        "tree": seals.tree,
        "timestamp": iso(now),
        CLAIMS: claims,
        **words,
    }
    finish = {**fields, "seal": seal(session, agent, fields, finish_names(fields), seals)}
    changes = agent_changes(session, agent, score=fields["score"], criteria_count=count.total)
    shown = f"{claims} of {count.total} criteria only claimed" if claims else "every criterion shown"
    message = f"{agent}: {percent(count.score)}% of the criteria met, {shown}"
    return Move(changes | {("gates", agent, "finish"): finish}, "work.finished", {"agent": agent, **fields}, message)


def fall_short(session: Session, workflow: Workflow, agent: str, count: Count, limits: Limits) -> Move:
    """Record a counted score below the gate: a round of correction begins, in which the checks run again. After the
    last one the user is to be asked, but the step can still be finished."""
    refuse_open_deviation(session)
    step = require_current(session, workflow, agent)
    correction = begin_correction(session, agent, limits)
    least = threshold(session, step, limits)
    message = f"{agent}: score {percent(count.score)} is below {percent(least)}; "
    message += (
        f"round {correction['loops']} of {limits.loops} of correction begins"
        if "loops" in correction
        else f"all {limits.loops} rounds of correction are used; ask the user how to go on"
    )
    fields = agent_changes(session, agent, score=whole(count.score), criteria_count=count.total, **correction)
    data = {"agent": agent, "score": count.score, "threshold": least}
    return Move(fields | clear_evidence(session, agent), "work.scored", data, message)


def returned_mark(session: Session, agent: str, stands: str, reason: str, seals: Seals) -> dict[Any, Any]:
    """Record, sealed, as what digest the agent's work stood when it came back, and why it did."""
    seal = seal_of(seals, RETURNED, run_of(session), agent, stands, reason)
    return {("gates", agent, RETURNED): {"stands": stands, "reason": reason, "seal": seal}}


def returned_of(session: Session, agent: str, seals: Seals) -> Mapping[str, Any]:
    """Return what ``returned_mark`` recorded in this run; empty where nothing came back."""
    found = gate_of(session, agent).get(RETURNED)
    if not isinstance(found, dict):
        return {}
    bound = (RETURNED, run_of(session), agent, found.get("stands"), found.get("reason"))
    return found if holds_seal(found, seals, *bound) else {}


def agent_scored(session: Session, agent: str, score: float) -> dict[str, Any]:
    agents = {**(session.get("agents") or {}), agent: {**record_of(session, agent), "score": score}}
    return {**session, "agents": agents}
