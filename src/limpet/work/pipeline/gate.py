"""The gate of a step: what keeps it shut, the rounds of correction, and who decides when they are used up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.work.pipeline.evidence import WORD, Seals, finish_of, unproven
from limpet.work.pipeline.move import Limits, Session, percent
from limpet.work.pipeline.view import gate_of, record_of, require_step
from limpet.work.pipeline.workflow import Step, Workflow

OVERRIDE = "limpet work advance --override --reason TEXT"
FINISH = "limpet work finish -"
NOT_FINISHED = "it is not finished"
# Modes whose steps pass on the configured checks only.
CHECKED = ("build", "deploy")
# The state of the steps that have to build something, and to finish the stories.
BUILD = "build"


class Facts(Seals):
    """What a gate is judged by beside the session.

    ``open_stories``: the stories that the step has to finish first.
    ``output``: what is wrong with what the step was to make, "" for nothing.
    ``is_built``: whether in this run a file of the project was changed or a story done.
    ``unasked``: checks that the project's settings name, and that nobody agreed to.
    ``unapproved``: (agent, path) of what earlier steps made, and a person is still to approve.
    """

    open_stories: tuple[str, ...] = ()
    output: str = ""
    is_built: bool = True
    unasked: tuple[str, ...] = ()
    unapproved: tuple[tuple[str, str], ...] = ()


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
    """Raise LimpetError while the gate is shut."""
    if found := missing(session, step, limits, facts):
        raise shut_gate(step, found)


def shut_gate(step: Step, reasons: list[str]) -> LimpetError:
    """Return the error for a gate that these reasons keep shut, with the command that helps."""
    hint = f"To end the step, run: {FINISH} (for its form: limpet work finish)"
    return LimpetError(f"{step.agent} cannot pass its gate: {'; '.join(reasons)}", "", hint)


def _finish(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    found, least = finish_of(session, step.agent, facts), threshold(session, step, limits)
    if not found:
        yield NOT_FINISHED
    elif found["score"] < least:
        yield f"score {percent(found['score'])} is below {percent(least)}"


def _checks(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    if needs_checks(step):
        yield from unproven(session, step.agent, facts)
        for name in facts.unasked:
            yield f"check {name} is set, but the user has not agreed to it (`limpet trust`)"


def _word(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    if facts.tree and needs_checks(step) and not facts.checks and not finish_of(session, step.agent, facts).get(WORD):
        yield "no check ran, and no person let it pass without one"


def _output(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    if facts.output:
        yield facts.output


def _deeds(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    if step.state == BUILD and not facts.is_built:
        yield "nothing was built: no file of the project changed in this run, and no story was done"


def _approvals(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    for agent, path in facts.unapproved:
        yield f"the user has not approved {path} of {agent}"


def _stories(session: Session, step: Step, limits: Limits, facts: Facts) -> Iterator[str]:
    if facts.open_stories:
        yield f"open stories: {', '.join(facts.open_stories)}"


Condition = Callable[[Session, Step, Limits, Facts], Iterator[str]]
# Each yields what keeps the gate shut by it, in the order in which people are told. A new condition is a line here, and
# a field of ``Facts``, which ``operations.work.gate.facts`` fills, where it has to know more than the session says.
OF_THE_WORK: tuple[Condition, ...] = (_output, _deeds, _checks, _stories)
CONDITIONS: tuple[Condition, ...] = (_finish, *OF_THE_WORK, _word, _approvals)


def require_current(session: Session, workflow: Workflow, agent: str) -> Step:
    """Return the current step. Raise LimpetError where it is not this agent's."""
    workflow.place_of(agent)
    step = require_step(session, workflow)
    if step.agent != agent:
        what = f"The current agent is {step.agent}, not {agent}"
        raise LimpetError(what, "", "Nothing was changed. Run: limpet work status")
    return step


def begin_correction(session: Session, agent: str, limits: Limits) -> dict[str, Any]:
    """Return the fields of an agent that has to correct its work: one more round, or escalated after the last."""
    loops = int(record_of(session, agent).get("loops") or 0)
    return {"loops": loops + 1} if loops < limits.loops else {"escalated": True}


def clear_evidence(session: Session, agent: str) -> dict[Any, Any]:
    """Return the changes that remove its finish and the commands that were run for it."""
    gate = gate_of(session, agent)
    runs: dict[Any, Any] = {("gates", agent, "evidence"): []} if gate.get("evidence") else {}
    return runs | ({("gates", agent, "finish"): None} if gate.get("finish") else {})
