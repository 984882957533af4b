"""Finishes the current step with one document: checks, counted score, handoff and the move to the next step."""

from __future__ import annotations

from collections.abc import Callable

from holdfast.ground.values import Value
from holdfast.operations.project import Project
from holdfast.operations.work.checks import Checked, run_checks
from holdfast.operations.work.facts import facts_of, run_of, seals_of
from holdfast.operations.work.following import what_follows
from holdfast.operations.work.handoffs import paper_bounds, write_finished
from holdfast.operations.work.pipeline import move, require_workflow
from holdfast.work.handoffs.check import check_handoff
from holdfast.work.handoffs.handoff import COMPLETE, Handoff
from holdfast.work.handoffs.store import complete_text, handoff_name
from holdfast.work.handoffs.text import read_handoff_text
from holdfast.work.in_force import NOBODY
from holdfast.work.pipeline import moves
from holdfast.work.pipeline.criteria import Count, count_score
from holdfast.work.pipeline.evidence import VERIFIED, evidence_of
from holdfast.work.pipeline.form import step_form
from holdfast.work.pipeline.gate import FINISH, Facts, missing_work, needs_checks, refuse_escalated, threshold
from holdfast.work.pipeline.move import Move, refuse_open_deviation
from holdfast.work.pipeline.next_command import START
from holdfast.work.pipeline.outputs import output_path
from holdfast.work.pipeline.records import agent_scored, fall_short, record_finish
from holdfast.work.pipeline.view import next_step, record_of, require_step, task_title
from holdfast.work.pipeline.workflow import Step
from holdfast.work.project import Session
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
    handoff: str = ""
    to: str = ""
    lines: tuple[str, ...] = ()
    next: str = ""


def show_form(project: Project) -> str:
    """Return the empty document of the current step. Raise HoldfastError where no workflow is under way."""
    step, to = _here(project)
    return step_form(step, to, run_of(project.session), output_path(project.session, step))


def finish(project: Project, text: str, where: str, tell: Callable[[str], object] = lambda line: None) -> Outcome:
    """Finish the current step with the document ``text``, or return everything that it lacks.

    ``where``: the document's name in errors.
    ``tell``: called with a line before each check.

    Where something is missing, nothing changes but what is known of the checks; a score below the gate begins a round
    of correction. Raise HoldfastError for a document that cannot be read, in a deviation, and where a person decides.
    """
    step, to = _here(project)
    refuse_open_deviation(project.session)
    refuse_escalated(record_of(project.session, step.agent), step.agent, project.limits)
    known = _known(project.session, step, to)
    said = read_handoff_text(complete_text(text, known, project.caller.now, where), where)
    count = count_score(step.criteria, said.met, said.unmet)
    lacks = _of_the_document(project, said, count, where)
    checks = run_checks(project, step.agent, tell) if needs_checks(step) else ()
    session, facts = project.session, facts_of(project, step.agent)
    lacks += [_reason(what, checks) for what in missing_work(session, step, project.limits, facts)]
    scored = session if lacks else agent_scored(session, step.agent, count.score)
    outcome = Outcome(
        finished=False,
        agent=step.agent,
        score=None if count.lacking else count.score,
        evidence=evidence_of(scored, step.agent, facts),
        missing=tuple(lacks),
        checks=checks,
    )
    if lacks:
        lines = (f"{step.agent} is not finished; nothing was changed",)
        return outcome.replace(lines=lines, next=what_follows(project, facts).command or FINISH)
    if count.score < threshold(session, step, project.limits):
        return _fall_short(project, outcome, count)
    return _complete(project, outcome, known, count, facts, (text, where))


def _here(project: Project) -> tuple[Step, str]:
    """Return the current step, and the agent after it, "" for nobody."""
    workflow = require_workflow(project)
    step = require_step(project.session, workflow)
    following = next_step(project.session, workflow, after=step.agent)
    return step, following.agent if following else ""


def _known(session: Session, step: Step, to: str) -> Handoff:
    return Handoff(
        from_agent=step.agent,
        to=to or NOBODY,
        from_task=task_title(session.get("task")),
        from_phase=step.mode,
        status=COMPLETE,
        run=run_of(session),
    )


def _of_the_document(project: Project, said: Handoff, count: Count, where: str) -> list[Reason]:
    found = check_handoff(said.replace(score=None), project.workspace.root, paper_bounds(project), where)
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


def _fall_short(project: Project, outcome: Outcome, count: Count) -> Outcome:
    def decide(session: Session) -> Move:
        workflow = require_workflow(project)
        return fall_short(session, workflow, outcome.agent, count.score, count.total, project.limits)

    made = move(project, decide)
    lacks = tuple(Reason(what=f"unmet: {text}", hint="do it, then finish again") for text in count.unmet)
    return outcome.replace(missing=lacks, lines=(made.message,), next=_next(project))


def _complete(
    project: Project, outcome: Outcome, known: Handoff, count: Count, facts: Facts, document: tuple[str, str]
) -> Outcome:
    """Write the handoff, then record the finish and go on, in one commit."""
    agent, now = outcome.agent, project.caller.now
    written = write_finished(
        project, known.replace(score=count.score, verified=outcome.evidence == VERIFIED), *document
    )
    if written.refused:
        return outcome.replace(missing=written.reasons, lines=(f"{agent} is not finished",), next=FINISH)
    name = handoff_name(agent)
    lines: list[str] = []

    def record(session: Session) -> Move:
        made = record_finish(session, require_workflow(project), agent, count.score, count.total, facts, now)
        lines[:] = [made.message]
        return made.replace(changes={**made.changes, "last_handoff": name})

    def advance(session: Session) -> Move:
        after = facts.replace(handed_over=True)
        return moves.advance(session, require_workflow(project), agent, now, project.limits, after)

    made = move(project, record, advance)
    to = made.data["next"] or ""
    over = f"handed over: {agent} to {to} ({name})" if to else f"handed over: {agent} ({name})"
    return outcome.replace(finished=True, handoff=name, to=to, lines=(*lines, over, made.message), next=_next(project))


def _next(project: Project) -> str:
    return what_follows(project, seals_of(project.workspace)).command or START
