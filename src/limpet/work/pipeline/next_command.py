"""What comes next in the work: the command that ends what is under way, and in a few words why it is not ended yet.

Separate, because block and status must say the same. Pure.
"""

from __future__ import annotations

from typing import Any

from limpet.ground.formats.markdown import one_line
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.work.in_force import find_in_force
from limpet.work.pipeline.deviation import open_deviations
from limpet.work.pipeline.gate import BUILD, FINISH, NOT_FINISHED, Facts, missing
from limpet.work.pipeline.move import Limits, Session
from limpet.work.pipeline.outputs import output_path
from limpet.work.pipeline.position import BACKWARD
from limpet.work.pipeline.view import current_step, record_of
from limpet.work.pipeline.workflow import Step, Workflow

RESOLVE = "limpet work deviate --resolve"
STORY_DONE, STORY_NEXT = "limpet story done", "limpet story next"
CLEAR_TASK = "limpet work task --clear"
START = "limpet work start WORKFLOW"
# Characters of somebody's words: of what is said alone, and of what stands beside more.
ALONE, BESIDE = 90, 60


class Next(Value):
    """What comes next; both are "" where nothing is under way.

    ``words``: what is to be done, or what is open, without a command.
    ``command``: the command that ends it.
    ``interrupts``: whether it ends a deviation, which comes before any task of a conversation's own.
    """

    words: str = ""
    command: str = ""
    interrupts: bool = False


# How words end after which the command is due.
THEN = ", then"
NOTHING = Next()
NO_FACTS = Facts()


def next_command(
    session: Session,
    workflow: Workflow | None,
    limits: Limits,
    facts: Facts = NO_FACTS,
    story: Next | None = None,
    has_open_stories: bool = False,
) -> Next:
    """Return what comes next for the project.

    ``facts``: what is known of the gate beside the session.
    ``story``: what comes next for the one in hand, None for none.
    ``has_open_stories``: whether any story is not done; it counts where none is in hand.
    """
    if found := open_deviations(session):
        return Next(words=f"{_named(found[-1])} is open; once that is done", command=RESOLVE, interrupts=True)
    step = current_step(session, workflow) if workflow else None
    if workflow and step:
        ahead, why = _of_step(session, step, limits, facts, story, has_open_stories), why_back(session, workflow, step)
        if not why:
            return ahead
        words = ahead.words.removesuffix(THEN)
        then = THEN if words != ahead.words else ""
        return ahead.replace(words=f"{words}; back because: {_brief(why, BESIDE)}{then}")
    return story or (
        Next(words="once the task is done", command=CLEAR_TASK) if find_in_force(session).task else NOTHING
    )


def _of_step(
    session: Session, step: Step, limits: Limits, facts: Facts, story: Next | None, has_open_stories: bool
) -> Next:
    if record_of(session, step.agent).get("escalated"):
        words = f"{step.agent} has used its rounds of correction: ask the user how to go on"
        return Next(words=words, command=FINISH)
    if story:
        return story
    if step.state == BUILD and has_open_stories:
        return Next(words="no story is in progress, and some are open", command=STORY_NEXT)
    reasons = [reason for reason in missing(session, step, limits, facts) if reason not in (NOT_FINISHED, facts.output)]
    lacks = f"; {_brief('; '.join(reasons), ALONE)}" if reasons else ""
    return Next(words=f"{_to_do(session, step)}{lacks}{THEN}", command=FINISH)


def _to_do(session: Session, step: Step) -> str:
    """Return the work of the step: what it makes, and by how many criteria it is done."""
    count, output = len(step.criteria), output_path(session, step)
    criteria = f" ({count} {'criterion' if count == 1 else 'criteria'})" if count else ""
    if not output:
        return f"do the work of {step.agent}{criteria}"
    return f"write {'into ' if output.endswith('/') else ''}{output}{criteria}"


def why_back(session: Session, workflow: Workflow, step: Step) -> str:
    """Return why the work came back to this step, "" where the newest transition did not bring it there."""
    newest = (session.get("mode_transitions") or [None])[-1]
    if not isinstance(newest, dict) or newest.get("type") != BACKWARD:
        return ""
    trigger = str(newest.get("trigger") or "")
    target = workflow.issues.get(trigger.removesuffix(" issue")) or trigger.removeprefix("back to ")
    about = str(newest.get("reason") or "") or trigger
    return about if target == step.agent else ""


def _named(deviation: dict[str, Any]) -> str:
    words = f"{deviation.get('id') or 'a deviation'} {deviation.get('type') or ''}".strip()
    about = _brief(str(deviation.get("reason") or ""), ALONE)
    return f"{words} ({about})" if about else words


def _brief(text: str, most: int) -> str:
    return clip(one_line(text), most)
