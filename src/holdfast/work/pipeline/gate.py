"""The gate of a step: its score, the commands that back it, rounds of correction, and what is missing to pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value
from holdfast.work.pipeline.move import Limits, Move, Session, agent_changes, percent, refuse_open_deviation
from holdfast.work.pipeline.view import current_step, evidence_of, is_backed, record_of, score_of
from holdfast.work.pipeline.workflow import Step, Workflow

OVERRIDE = "holdfast work advance --override --reason TEXT"


class Run(Value):
    """A command that was run for a gate.

    ``digest``: the SHA-256 of its output, in hexadecimal.
    """

    command: str
    exit_code: int
    digest: str


def threshold(session: Session, step: Step, limits: Limits) -> float:
    """Return the least score: the agent's own, else its step's, else the configured one."""
    own = record_of(session, step.agent).get("threshold")
    return float(own if own is not None else limits.gate if step.gate is None else step.gate)


def missing(session: Session, step: Step, limits: Limits) -> list[str]:
    """Return what keeps the gate shut, nothing for an open one."""
    return [reason for condition in CONDITIONS for reason in condition(session, step, limits)]


def check_gate(session: Session, step: Step, limits: Limits) -> None:
    """Raise HoldfastError while the gate is shut, with the reasons and the commands that help."""
    found = missing(session, step, limits)
    if not found:
        return
    agent = step.agent
    if record_of(session, agent).get("escalated"):
        raise _escalation(agent, "; ".join(found))
    score = "" if score_of(session, agent) is None else "correct it, then "
    rounds = int(record_of(session, agent).get("loops") or 0)
    found += [f"round {rounds} of {limits.loops} of correction"] if rounds else []
    hint = f"{score}`holdfast work gate score N`, backed by `holdfast work gate run -- COMMAND`"
    raise HoldfastError(f"{agent} cannot pass: {'; '.join(found)}", f"gate of {agent}", hint)


def _score(session: Session, step: Step, limits: Limits) -> Iterator[str]:
    score, least = score_of(session, step.agent), threshold(session, step, limits)
    if score is None:
        yield "there is no score"
    elif score < least:
        yield f"score {percent(score)} is below {percent(least)}"


def _evidence(session: Session, step: Step, limits: Limits) -> Iterator[str]:
    evidence = evidence_of(session, step.agent)
    yield from (f"`{run.get('command')}` ended with {code}" for run in evidence if (code := run.get("exit_code", 1)))
    if step.evidence_required and not evidence:
        yield "no command backs the score"


def _rounds(session: Session, step: Step, limits: Limits) -> Iterator[str]:
    if record_of(session, step.agent).get("escalated"):
        yield f"its {limits.loops} rounds of correction are used up"


# Each yields what keeps the gate shut by it, in the order in which people are told. A new condition is a line here.
CONDITIONS: tuple[Callable[[Session, Step, Limits], Iterator[str]], ...] = (_score, _evidence, _rounds)


def share_met(met: int, total: int) -> float:
    """Return the percent of criteria that are met, cut to two places: rounding up could open a gate."""
    return met * 10_000 // total / 100


def set_score(
    session: Session, workflow: Workflow, agent: str, score: float, limits: Limits, criteria: int | None = None
) -> Move:
    """Record the current agent's score; one below the threshold begins a round of correction, in which its commands
    must be run again.

    Raises HoldfastError for another agent, in a deviation, and when a person has to decide.
    """
    refuse_open_deviation(session)
    step = _current(session, workflow, agent)
    if record_of(session, agent).get("escalated"):
        raise _escalation(agent, f"its {limits.loops} rounds of correction are used up")
    fields: dict[str, Any] = {"score": int(score) if float(score).is_integer() else score}
    if criteria is not None:
        fields["criteria_count"] = criteria
    least = threshold(session, step, limits)
    message = f"{agent}: {percent(score)} of {percent(least)} %"
    changes: dict[Any, Any] = {}
    if score < least:
        correction = begin_correction(session, agent, limits)
        fields |= correction
        changes |= clear_evidence(session, agent)
        if "loops" in correction:
            message += f"; round {correction['loops']} of {limits.loops} of correction begins"
        else:
            message += f"; all {limits.loops} rounds of correction are used up: a person decides"
    elif not is_backed(session, agent):
        message += "; unverified until `holdfast work gate run -- COMMAND` backs it"
    data = {"agent": agent, "score": score, "threshold": least, "passed": score >= least}
    return Move(agent_changes(session, agent, **fields) | changes, "work.scored", data, message)


def add_evidence(session: Session, workflow: Workflow, agent: str, run: Run, now: float) -> Move:
    """Record a command that was run for the current agent's gate; it replaces an earlier run of the same command."""
    _current(session, workflow, agent)
    record = {"command": run.command, "exit_code": run.exit_code, "digest": run.digest, "timestamp": iso(now)}
    known = evidence_of(session, agent)
    again = any(one.get("command") == run.command for one in known)
    evidence = [{**one, **record} if one.get("command") == run.command else one for one in known]
    changes = {("gates", agent, "evidence"): evidence if again else [*known, record]}
    message = f"{agent}: `{run.command}` ended with {run.exit_code}"
    return Move(changes, "work.evidence", {"agent": agent, **record}, message)


def reopen(session: Session, workflow: Workflow, agent: str, reason: str) -> Move:
    """Give the agent its rounds of correction anew, on a person's decision. Raises HoldfastError for an unknown
    agent."""
    workflow.place_of(agent)
    changes = agent_changes(session, agent, loops=0, escalated=False)
    data = {"agent": agent, "reason": reason}
    return Move(changes, "work.reopened", data, f"{agent} may correct its work again")


def begin_correction(session: Session, agent: str, limits: Limits) -> dict[str, Any]:
    """Return the fields of an agent that has to correct its work: one more round, or escalated after the last."""
    loops = int(record_of(session, agent).get("loops") or 0)
    return {"loops": loops + 1} if loops < limits.loops else {"escalated": True}


def clear_evidence(session: Session, agent: str) -> dict[Any, Any]:
    """Return the changes that remove the commands behind its score."""
    return {("gates", agent, "evidence"): []} if evidence_of(session, agent) else {}


def refuse_escalated(correction: dict[str, Any], agent: str, limits: Limits) -> None:
    """Raise HoldfastError where ``begin_correction`` found no round left."""
    if "escalated" in correction:
        raise _escalation(agent, f"its {limits.loops} rounds of correction are used up")


def _current(session: Session, workflow: Workflow, agent: str) -> Step:
    workflow.place_of(agent)
    step = current_step(session, workflow)
    if step is None or step.agent != agent:
        now_at = f"{step.agent} is" if step else "none is: the pipeline is completed"
        hint = "see `holdfast work status`"
        raise HoldfastError(f"{agent} is not the current agent, {now_at}", f"gate of {agent}", hint)
    return step


def _escalation(agent: str, what: str) -> HoldfastError:
    hint = (
        f"a person decides: 1. `holdfast work gate reopen {agent} --reason TEXT`; "
        f"2. `holdfast work back AGENT`; 3. `{OVERRIDE}`"
    )
    return HoldfastError(f"{agent} cannot pass: {what}", f"gate of {agent}", hint)
