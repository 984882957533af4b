"""Finishes the current step with one document: looks at deeds and evidence, runs the checks, asks what waits for a
person, and hands the work over to the next step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from limpet.ground.values import Value
from limpet.operations.approval import Obtain
from limpet.operations.project import Project
from limpet.operations.work.checks import (
    CLAIM,
    Checked,
    Proof,
    failures,
    hold_agreement,
    record_refusal,
    run_began,
    run_checks,
    set_check,
    why_failed,
)
from limpet.operations.work.facts import approve_output, facts_of, find_unapproved, move, require_workflow
from limpet.operations.work.handoffs import paper_bounds, write_finished
from limpet.operations.work.situation import read_situation
from limpet.work.handoff import COMPLETE, Handoff, read_handoff_text
from limpet.work.handoff_store import check_handoff, complete_text, handoff_name
from limpet.work.in_force import NOBODY
from limpet.work.markdown_file import Reason
from limpet.work.pipeline import moves
from limpet.work.pipeline.briefing import START, step_form
from limpet.work.pipeline.gate import CHECKED, FINISH, Count, Facts, count_score, missing_work, needs_checks, threshold
from limpet.work.pipeline.records import agent_scored, fall_short, record_finish
from limpet.work.pipeline.state import (
    UNCHANGED,
    UNMENDED,
    VERIFIED,
    WORD,
    Move,
    evidence_of,
    next_step,
    output_path,
    refuse_open_deviation,
    require_step,
    run_of,
    task_title,
)
from limpet.work.pipeline.workflow import WorkflowStep
from limpet.work.project import Session

FORM = "limpet work finish"
TAKE_FORM = f"take this step's form: {FORM}"


class FinishOutcome(Value):
    """What became of a step that was to be finished.

    ``score``: the counted one in percent, None where the document does not say enough.
    ``evidence``: ``none``, ``claimed`` or ``verified``.
    ``claimed``: the numbers of the criteria of which nothing was shown that could be looked at. ``unchanged``: files
    that are named as evidence, and are as they were before this run.
    ``handoff``: the name of the file that was written. ``to``: the agent that continues, "" for nobody.
    """

    finished: bool
    agent: str
    score: float | None
    evidence: str
    missing: tuple[Reason, ...]
    checks: tuple[Checked, ...]
    claimed: tuple[int, ...] = ()
    unchanged: tuple[str, ...] = ()
    handoff: str = ""
    to: str = ""
    lines: tuple[str, ...] = ()
    next: str = ""


def show_form(project: Project) -> str:
    """Raise LimpetError where no workflow is under way."""
    step, to = _here(project)
    return step_form(step, to, run_of(project.session), output_path(project.session, step))


def finish_current_step(
    project: Project, text: str, where: str, obtain: Obtain, tell: Callable[[str], object] = lambda line: None
) -> FinishOutcome:
    """Finish the step, or return everything that it lacks: then nothing changes but what is known of the checks, and a
    score below the gate begins a round of correction. ``where``: the document's name in errors; ``obtain``: gets a
    person's word on terms of the run that became weaker, on what earlier steps made, on a step that no check can prove,
    and on one that came back and changed nothing; ``tell``: called with a line before each check, and on how to set one
    where there is none. Raises LimpetError in a deviation too."""
    step, to = _here(project)
    refuse_open_deviation(project.session)
    hold_agreement(project, obtain)
    known = _known(project.session, step, to)
    written = read_handoff_text(text, where)
    said = read_handoff_text(complete_text(text, known, project.caller.now, where), where)
    count = count_score(step.criteria, said.met, said.unmet)
    lacks = [*_of_the_form(written, known, where), *_of_the_document(project, said, count, where)]
    checks = run_checks(project, step.agent, tell) if needs_checks(step) else ()
    passed = ((one.name, one.command) for one in checks if not one.exit_code)
    proof = Proof(project, passed, builds=step.mode in CHECKED)
    lacks += _absent_evidence(proof, count, where)
    record_refusal(project, step.agent, failures(checks))
    session, facts = project.session, facts_of(project, step.agent)
    lacks += [_reason(what, checks) for what in missing_work(session, step, facts)]
    scored = session if lacks else agent_scored(session, step.agent, count.score)
    outcome = FinishOutcome(
        finished=False,
        agent=step.agent,
        score=None if count.lacking else count.score,
        evidence=evidence_of(scored, step.agent, facts),
        claimed=tuple(number for number, words in count.evidence if proof.kind_of(words) == CLAIM),
        unchanged=proof.unchanged((words for _, words in count.evidence), run_began(project)),
        missing=tuple(lacks),
        checks=checks,
    )
    if lacks:
        return _unfinished(project, outcome, facts)
    if count.score < threshold(session, step, project.limits):
        return _fall_short(project, outcome, count)
    words = _obtain_words(project, step, facts, obtain, tell)
    return _complete(project, outcome, known, count, facts_of(project, step.agent), (text, where), words)


def _unfinished(project: Project, outcome: FinishOutcome, facts: Facts) -> FinishOutcome:
    following = read_situation(project, find_facts=lambda _: facts).following
    lines = (f"{outcome.agent} is not finished; nothing was changed",)
    is_other_form = outcome.missing[0].hint == TAKE_FORM
    return outcome.replace(lines=lines, next=FORM if is_other_form else following.command or FINISH)


def _obtain_words(
    project: Project, step: WorkflowStep, facts: Facts, obtain: Obtain, tell: Callable[[str], object]
) -> dict[str, str]:
    approve_output(project, obtain, find_unapproved(project, step, facts), facts)
    though = {}
    if needs_checks(step) and not facts.checks:
        though[WORD] = "no check runs in this project"
        tell(f"no check is set; to set one: {set_check(project.workspace)}")
    if facts.unmended:
        though[UNCHANGED] = f"{UNMENDED}: {facts.unmended}"
    if not though:
        return {}
    how = obtain(f"Let {step.agent} pass though {'; and '.join(though.values())}").how
    return dict.fromkeys(though, how)


def _here(project: Project) -> tuple[WorkflowStep, str]:
    workflow = require_workflow(project)
    step = require_step(project.session, workflow)
    following = next_step(project.session, workflow, after=step.agent)
    return step, following.agent if following else ""


def _known(session: Session, step: WorkflowStep, to: str) -> Handoff:
    return Handoff(
        from_agent=step.agent,
        to=to or NOBODY,
        from_task=task_title(session.get("task")),
        from_phase=step.mode,
        status=COMPLETE,
        run=run_of(session),
    )


def _of_the_form(written: Handoff, known: Handoff, where: str) -> list[Reason]:
    for name, meant in (("from_agent", known.from_agent), ("run", known.run)):
        found = getattr(written, name)
        if found != meant:
            what = f"it is for {name} {found}, not {meant}" if found else f"it does not say for which {name} it is"
            return [Reason(what=what, hint=TAKE_FORM, where=where)]
    return []


def _of_the_document(project: Project, said: Handoff, count: Count, where: str) -> list[Reason]:
    found = check_handoff(said.replace(score=None), project.workspace.root, paper_bounds(project), where)
    lacks = [reason for reason in found if reason.grave]
    if said.status != COMPLETE:
        how = "finish it, or hand over as is: `limpet work handoff --write`"
        lacks.append(Reason(what=f"it says {said.status}", hint=how, where=where))
    return lacks + [Reason(what=what, hint=how, where=where) for what, how in count.lacking]


def _absent_evidence(proof: Proof, count: Count, where: str) -> Iterable[Reason]:
    for number, words in count.evidence:
        path = proof.absent(words)
        if path:
            what = f"criterion {number} names {path}, which does not exist"
            yield Reason(what=what, hint="name what shows it, or leave the box empty", where=where)


def _reason(what: str, checks: tuple[Checked, ...]) -> Reason:
    for one in checks:
        if what.startswith(f"check {one.name} ") and one.exit_code:
            late = "timed out after work.check_seconds; " if one.late else ""
            return Reason(what=f"check {one.name} {why_failed(one)}", hint=f"{late}output: {one.output or 'not kept'}")
    return Reason(what=what)


def _fall_short(project: Project, outcome: FinishOutcome, count: Count) -> FinishOutcome:
    def decide(session: Session) -> Move:
        return fall_short(session, require_workflow(project), outcome.agent, count, project.limits)

    made = move(project, decide)
    record_refusal(project, outcome.agent, [f"unmet: {text}" for text in count.unmet])
    how = "do it, or say why it cannot be met; then send the whole form again"
    lacks = tuple(Reason(what=f"unmet: {text}", hint=how) for text in count.unmet)
    return outcome.replace(missing=lacks, lines=(made.message,), next=_next(project))


def _complete(
    project: Project,
    outcome: FinishOutcome,
    known: Handoff,
    count: Count,
    facts: Facts,
    document: tuple[str, str],
    words: Mapping[str, str],
) -> FinishOutcome:
    agent, now = outcome.agent, project.caller.now
    known = known.replace(score=count.score, verified=outcome.evidence == VERIFIED)
    written = write_finished(project, known, *document)
    if written.refused:
        return outcome.replace(missing=written.reasons, lines=(f"{agent} is not finished",), next=FINISH)
    name = handoff_name(agent)
    lines: list[str] = []

    def record(session: Session) -> Move:
        made = record_finish(session, require_workflow(project), agent, count, len(outcome.claimed), facts, now, words)
        lines[:] = [made.message]
        return made.replace(changes={**made.changes, "last_handoff": name})

    def advance(session: Session) -> Move:
        return moves.advance(session, require_workflow(project), agent, now, project.limits, facts)

    made = move(project, record, advance)
    if outcome.claimed:
        numbers = ", ".join(map(str, outcome.claimed))
        lines.append(f"only claimed, for no path, story, check or command that ran was named: criteria {numbers}")
    to = made.data["next"] or ""
    if outcome.unchanged:
        lines.append(f"evidence that this run did not change: {', '.join(outcome.unchanged)}")
    over = f"handed over: {agent} to {to} ({name})" if to else f"handed over: {agent} ({name})"
    ended = () if to else ("Tell the user what was made, and where it stands.",)
    lines += [over, made.message, *ended]
    return outcome.replace(finished=True, handoff=name, to=to, lines=tuple(lines), next=_next(project))


def _next(project: Project) -> str:
    return read_situation(project).following.command or START
