"""Finishes the current step with one document: checks, counted score, handoff and the move to the next step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.work.checks import Checked, run_checks
from holdfast.operations.work.facts import facts_of, seals_of
from holdfast.operations.work.following import what_follows
from holdfast.operations.work.handoffs import hand_over_finished, paper_bounds
from holdfast.operations.work.pipeline import Moved, limits_of, make, require_workflow
from holdfast.work.handoffs.check import check_handoff
from holdfast.work.handoffs.handoff import COMPLETE, Handoff
from holdfast.work.handoffs.store import complete_text, handoff_name
from holdfast.work.handoffs.text import read_handoff_text
from holdfast.work.in_force import NOBODY
from holdfast.work.pipeline import moves
from holdfast.work.pipeline.criteria import Count, count_score
from holdfast.work.pipeline.evidence import VERIFIED, Facts, evidence_of
from holdfast.work.pipeline.form import step_form
from holdfast.work.pipeline.gate import FINISH, missing_work, needs_checks, refuse_escalated, threshold
from holdfast.work.pipeline.move import refuse_open_deviation
from holdfast.work.pipeline.next_command import START
from holdfast.work.pipeline.records import agent_scored, fall_short, record_finish
from holdfast.work.pipeline.view import next_step, record_of, require_step, task_title
from holdfast.work.pipeline.workflow import Step, Workflow
from holdfast.work.project import read_project
from holdfast.work.reason import Reason


class Outcome(Value):
    """What became of a step that was to be finished.

    ``finished``: whether the step is completed and the next one begun.
    ``score``: the counted one in percent, None where the document does not say enough.
    ``evidence``: ``none``, ``claimed`` or ``verified``.
    ``missing``: what keeps it from being finished, all of it.
    ``checks``: those that were run.
    ``handoff``: the name of the file that was written, "" for none.
    ``to``: the agent that continues, "" for nobody.
    ``lines``: what was done, for people.
    ``next``: the command that comes next.
    """

    finished: bool
    agent: str
    score: float | None
    evidence: str
    missing: tuple[Reason, ...]
    checks: tuple[Checked, ...]
    handoff: str
    to: str
    lines: tuple[str, ...]
    next: str


def show_form(workspace: Workspace) -> str:
    """Return the empty document of the current step. Raise HoldfastError where no workflow is under way."""
    _, _, step, to = _here(workspace)
    return step_form(step, to)


def finish(
    workspace: Workspace, caller: Caller, text: str, where: str, tell: Callable[[str], object] = lambda line: None
) -> Outcome:
    """Finish the current step with the document ``text``, or return everything that it lacks.

    ``where``: the document's name in errors.
    ``tell``: called with a line before each check.

    Where something is missing, nothing changes but what is known of the checks; a score below the gate begins a round
    of correction. Raise HoldfastError for a document that cannot be read, in a deviation, and where a person decides.
    """
    session, _, step, to = _here(workspace)
    limits = limits_of(workspace)
    refuse_open_deviation(session)
    refuse_escalated(record_of(session, step.agent), step.agent, limits)
    known = _known(session, step, to)
    said = read_handoff_text(complete_text(text, known, caller.now, where), where)
    count = count_score(step.criteria, said.met, said.unmet)
    lacks = _of_the_document(workspace, said, count, where)
    checks = run_checks(workspace, caller, step.agent, tell) if needs_checks(step) else ()
    session, _ = read_project(workspace)
    facts = facts_of(workspace, session, step.agent)
    lacks += [_reason(what, checks) for what in missing_work(session, step, limits, facts)]
    outcome = Outcome(
        finished=False,
        agent=step.agent,
        score=None if count.lacking else count.score,
        evidence=evidence_of(session if lacks else agent_scored(session, step.agent, count.score), step.agent, facts),
        missing=tuple(lacks),
        checks=checks,
        handoff="",
        to="",
        lines=(),
        next="",
    )
    if lacks:
        following = what_follows(workspace, session, require_workflow(workspace, session), facts)
        lines = (f"{step.agent} is not finished; nothing was changed",)
        return outcome.replace(lines=lines, next=following.command or FINISH)
    if count.score < threshold(session, step, limits):
        return _fall_short(workspace, caller, outcome, count)
    return _complete(workspace, caller, outcome, known, count, facts, text, where)


def _here(workspace: Workspace) -> tuple[dict[str, Any], Workflow, Step, str]:
    """Return session, workflow, current step, and the agent after it, "" for nobody."""
    session, _ = read_project(workspace)
    workflow = require_workflow(workspace, session)
    step = require_step(session, workflow)
    following = next_step(session, workflow, after=step.agent)
    return session, workflow, step, following.agent if following else ""


def _known(session: dict[str, Any], step: Step, to: str) -> Handoff:
    return Handoff(
        from_agent=step.agent,
        to=to or NOBODY,
        from_task=task_title(session.get("task")),
        from_phase=step.mode,
        status=COMPLETE,
        run=str(session.get("run") or ""),
    )


def _of_the_document(workspace: Workspace, said: Handoff, count: Count, where: str) -> list[Reason]:
    found = check_handoff(said.replace(score=None), workspace.root, paper_bounds(workspace), where)
    lacks = [reason for reason in found if reason.grave]
    if said.status != COMPLETE:
        how = "finish it, or hand over as is: `holdfast handoff write`"
        lacks.append(Reason(what=f"it says {said.status}", hint=how, where=where))
    return lacks + [Reason(what=what, hint=how, where=where) for what, how in count.lacking]


def _reason(what: str, checks: tuple[Checked, ...]) -> Reason:
    for one in checks:
        if what.startswith(f"check {one.name} ") and one.exit_code:
            late = "timed out after work.check_seconds; " if one.late else ""
            return Reason(what=what, hint=f"{late}output: {one.output or 'not kept'}")
    return Reason(what=what)


def _fall_short(workspace: Workspace, caller: Caller, outcome: Outcome, count: Count) -> Outcome:
    agent, limits = outcome.agent, limits_of(workspace)
    moved = make(
        workspace,
        caller,
        lambda session: fall_short(
            session, require_workflow(workspace, session), agent, count.score, count.total, limits
        ),
    )
    lacks = tuple(Reason(what=f"unmet: {text}", hint="do it, then finish again") for text in count.unmet)
    return outcome.replace(missing=lacks, lines=moved.lines, next=_next(workspace, moved))


def _complete(
    workspace: Workspace,
    caller: Caller,
    outcome: Outcome,
    known: Handoff,
    count: Count,
    facts: Facts,
    text: str,
    where: str,
) -> Outcome:
    agent, limits = outcome.agent, limits_of(workspace)
    known = known.replace(score=count.score, verified=outcome.evidence == VERIFIED)
    written = hand_over_finished(workspace, caller, known, text, where)
    if written.refused:
        return outcome.replace(missing=written.reasons, lines=(f"{agent} is not finished",), next=FINISH)
    finished = make(
        workspace,
        caller,
        lambda session: record_finish(
            session, require_workflow(workspace, session), agent, count.score, count.total, facts, caller.now
        ),
    )
    after = facts.replace(handed_over=True)
    moved = make(
        workspace,
        caller,
        lambda session: moves.advance(session, require_workflow(workspace, session), agent, caller.now, limits, after),
    )
    to = moved.move.data["next"] or ""
    name = handoff_name(agent)
    over = f"handed over: {agent} to {to} ({name})" if to else f"handed over: {agent} ({name})"
    return outcome.replace(
        finished=True,
        handoff=name,
        to=to,
        lines=(*finished.lines, over, *moved.lines),
        next=_next(workspace, moved),
    )


def _next(workspace: Workspace, moved: Moved) -> str:
    workflow = require_workflow(workspace, moved.session)
    return what_follows(workspace, moved.session, workflow, seals_of(workspace)).command or START
