"""The gate of a step: what keeps it shut, the rounds of correction, and who decides when they are used up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.work.pipeline.evidence import Seals, finish_of, unproven
from holdfast.work.pipeline.move import Limits, Move, Session, agent_changes, percent
from holdfast.work.pipeline.view import current_step, gate_of, record_of
from holdfast.work.pipeline.workflow import Step, Workflow

OVERRIDE = "holdfast work advance --override --reason TEXT"
FINISH = "holdfast work finish -"
NOT_FINISHED = "it is not finished"
# Modes whose steps pass on the configured checks only.
CHECKED = ("build", "deploy")


class Facts(Seals):
    """What a gate is judged by beside the session.

    ``handed_over``: whether the step's agent has handed over in this run.
    ``open_stories``: the stories that the step has to finish first.
    """

    handed_over: bool = False
    open_stories: tuple[str, ...] = ()


def threshold(session: Session, step: Step, limits: Limits) -> float:
    """Return the least score: the agent's own, else its step's, else the configured one."""
    own = record_of(session, step.agent).get("threshold")
    return float(own if own is not None else limits.gate if step.gate is None else step.gate)


def needs_checks(step: Step) -> bool:
    """Return whether the step passes only where the configured checks succeeded."""
    return step.evidence_required or step.mode in CHECKED


def missing(session: Session, step: Step, limits: Limits, facts: Facts) -> list[str]:
    """Return what keeps the gate shut, nothing for an open one."""
    return [reason for condition in CONDITIONS for reason in condition(session, step, limits, facts)]


def missing_work(session: Session, step: Step, limits: Limits, facts: Facts) -> list[str]:
    """Return what keeps the gate shut before the step is finished: what its document cannot give."""
    return [reason for condition in OF_THE_WORK for reason in condition(session, step, limits, facts)]


def check_gate(session: Session, step: Step, limits: Limits, facts: Facts) -> None:
    """Raise HoldfastError while the gate is shut, with the reasons and the command that helps."""
    found = missing(session, step, limits, facts)
    if not found:
        return
    refuse_escalated(record_of(session, step.agent), step.agent, limits)
    hint = f"To end the step, run: {FINISH} (for its form: holdfast work finish)"
    raise HoldfastError(f"{step.agent} cannot pass its gate: {'; '.join(found)}", "", hint)


def _finish(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    found, least = finish_of(session, step.agent, facts), threshold(session, step, limits)
    if not found:
        yield NOT_FINISHED
    elif found["score"] < least:
        yield f"score {percent(found['score'])} is below {percent(least)}"
    elif facts.tree and found.get("tree") != facts.tree:
        yield "files changed since it was finished"


def _handoff(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    if finish_of(session, step.agent, facts) and not facts.handed_over:
        yield "this run has no handoff"


def _checks(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    if needs_checks(step):
        yield from unproven(session, step.agent, facts)
    if step.evidence_required and not facts.checks:
        yield "no check is configured (`holdfast config set work.checks.tests COMMAND`)"


def _stories(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    if facts.open_stories:
        yield f"open stories: {', '.join(facts.open_stories)}"


def _rounds(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    if record_of(session, step.agent).get("escalated"):
        yield f"all {limits.loops} rounds of correction are used"


Condition = Callable[[Session, Step, Limits, Facts], Iterator[str]]
# Each yields what keeps the gate shut by it, in the order in which people are told. A new condition is a line here, and
# a field of ``Facts``, which ``operations.work.facts`` fills, where it has to know more than the session says.
OF_THE_WORK: tuple[Condition, ...] = (_checks, _stories, _rounds)
CONDITIONS: tuple[Condition, ...] = (_finish, _handoff, *OF_THE_WORK)


def require_current(session: Session, workflow: Workflow, agent: str) -> Step:
    """Return the step of the current agent. Raise HoldfastError for another one."""
    workflow.place_of(agent)
    step = current_step(session, workflow)
    if step is None or step.agent != agent:
        now_at = f"{step.agent} is" if step else "the pipeline is complete"
        hint = "Run: holdfast work status"
        raise HoldfastError(f"{agent} is not the current agent, {now_at}", "", hint)
    return step


def reopen(session: Session, workflow: Workflow, agent: str, limits: Limits, reason: str) -> Move:
    """Give the agent its rounds of correction again, on a person's decision.

    Raises HoldfastError for an unknown agent, and for one that has rounds left.
    """
    workflow.place_of(agent)
    record = record_of(session, agent)
    if not record.get("escalated"):
        used = int(record.get("loops") or 0)
        what = f"{agent} has used {used} of {limits.loops} rounds of correction, so its gate need not be reopened"
        raise HoldfastError(what, "", "Run: holdfast work gate")
    changes = agent_changes(session, agent, loops=0, escalated=False) | clear_evidence(session, agent)
    data = {"agent": agent, "reason": reason}
    return Move(changes, "work.reopened", data, f"{agent} can correct its work again")


def begin_correction(session: Session, agent: str, limits: Limits) -> dict[str, Any]:
    """Return the fields of an agent that has to correct its work: one more round, or escalated after the last."""
    loops = int(record_of(session, agent).get("loops") or 0)
    return {"loops": loops + 1} if loops < limits.loops else {"escalated": True}


def clear_evidence(session: Session, agent: str) -> dict[Any, Any]:
    """Return the changes that remove its finish and the commands that were run for it."""
    gate = gate_of(session, agent)
    runs: dict[Any, Any] = {("gates", agent, "evidence"): []} if gate.get("evidence") else {}
    return runs | ({("gates", agent, "finish"): None} if gate.get("finish") else {})


def refuse_escalated(record: Mapping[str, Any], agent: str, limits: Limits) -> None:
    """Raise HoldfastError where an agent's fields, or those of ``begin_correction``, say that no round is left."""
    if record.get("escalated"):
        hint = (
            f"A person decides: `holdfast work gate reopen {agent} --reason TEXT`, "
            f"`holdfast work back AGENT`, or `{OVERRIDE}`."
        )
        what = f"{agent} cannot pass its gate: all {limits.loops} rounds of correction are used"
        raise HoldfastError(what, "", hint)
