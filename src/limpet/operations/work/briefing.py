"""Briefs whoever works now: gathers role, limits, what was handed over, and the form of the step under way."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.context.rules_layers import MODES, REPORT_ONLY
from limpet.context.values import TAUGHT
from limpet.ground.formats.markdown import one_line
from limpet.ground.safety.redaction import redact_all
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER
from limpet.operations.agents.known import agent_with_rules
from limpet.operations.learning.briefing import lines_for, lines_for_story
from limpet.operations.mirror import view_handoff
from limpet.operations.project import Project
from limpet.operations.work.checks import set_check
from limpet.operations.work.facts import checks_of, find_unapproved
from limpet.operations.work.situation import Situation, read_situation, seals_of
from limpet.roles.agent import Agent
from limpet.work.pipeline.briefing import HOW, RESOLVE, STORY_NEXT, Briefing, briefing_lines, step_form
from limpet.work.pipeline.deviation import ORDER, open_deviations
from limpet.work.pipeline.gate import BUILD, CHECKED, FINISH, VALIDATE, needs_checks
from limpet.work.pipeline.state import folder_of, next_step, output_path, run_of
from limpet.work.pipeline.workflow import Workflow, WorkflowStep
from limpet.work.session import note_sent
from limpet.work.stories.evidence import end_command, is_done
from limpet.work.stories.queue import START_STORY, Queue, read_queue
from limpet.work.stories.store import STORIES, shown_file
from limpet.work.stories.story import ADD, Story

# The most limits of an agent, and characters of one and of a deviation's reason.
LIMITS, LONGEST = 8, 200
# Entries of the knowledge that a step is told.
MOST_TAUGHT = 5
MEND = "Mend what came back; the criteria say when it is done."
BUILT = "Every story is done; the criteria below say when the step is."
ENDED = "Every earlier role has ended."
STORIES_FILL = f"Add each story: {ADD}. One that exists is changed in .limpet/stories/ID/story.md."
# What an authority's rule says beside the limit, to whom the work goes; and how most of them begin.
DELEGATES, NEVER = " - delegate to ", "NEVER "
# How the names of workflows for existing systems begin, and of templates for them.
OLD = "brownfield"


class Following(Value):
    """``story``: the one in progress, else the first that can begin, else the first that waits; None for none.
    ``command``: the one that begins it, ends it where it is in progress, or ends the step where all are done; "" for
    none."""

    queue: Queue
    story: Story | None
    command: str


def brief(project: Project) -> Briefing | None:
    """Return what is due now for the caller's conversation: what interrupts the project's work, the story in hand, or
    the step under way. None where there is nothing, and where the conversation follows another workflow. Raises
    LimpetError where the session or the workflow cannot be read."""
    if project.workflow is None and not open_deviations(project.session):
        return None
    here = read_situation(project, project.conversation)
    if not here.found.follows_project or not (here.step or here.deviations):
        return None
    agent = _agent(project, here.found.agent or (here.step.agent if here.step else ""))
    known = _of_role(project, agent, here)
    story = None if here.story is None or is_done(here.story) else here.story
    if here.deviations:
        newest = here.deviations[-1]
        first = story if newest.get("type") == ORDER else None
        return _of_deviation(_of_story(project, known, first) if first else known, newest)
    return _of_story(project, known, story) if story else _of_step(project, known, agent, here)


def brief_now(project: Project) -> str:
    """ "" where nothing is due; raises as ``brief`` does."""
    due = brief(project)
    return "\n".join(briefing_lines(due)) if due else ""


def brief_on_story(project: Project, story: Story) -> Briefing:
    """Also where no workflow is under way. What it tells of the knowledge is not listed to the conversation again."""
    here = read_situation(project, project.conversation)
    agent = _agent(project, story.agent.lstrip("@") or here.found.agent or (here.step.agent if here.step else ""))
    told = _of_story(project, _of_role(project, agent, here), story)
    marks = [TAUGHT + line.split()[0] for line in told.knowledge]  # each begins with its entry's id
    note_sent(project.workspace, project.caller.conversation, marks)
    return told


def comes_next(project: Project) -> Following:
    """Raises LimpetError where the session cannot be read."""
    queue = read_queue(project.workspace)
    story = next(iter((*queue.under_way, *queue.ready, *queue.waiting)), None)
    if story and plans(project):
        return Following(queue=queue, story=story, command=FINISH)
    if story is None:
        ended = queue.done and not queue.unreadable and project.in_force.workflow
        return Following(queue=queue, story=None, command=FINISH if ended else "")
    command = START_STORY.format(story.id) if story in queue.ready else ""
    if story in queue.under_way:
        command = end_command(story)
    return Following(queue=queue, story=story, command=command)


def plans(project: Project) -> bool:
    """Whether the step under way builds nothing yet and nothing interrupts it, so that no story begins."""
    step = project.step_under_way
    return step is not None and step.mode not in CHECKED and not open_deviations(project.session)


def _of_role(project: Project, agent: Agent, here: Situation) -> Briefing:
    place: tuple[str, ...] = ()
    step, of = here.step, here.workflow
    if step and of:
        number = of.place_of(step.agent) + 1
        whose = "" if step.agent == agent.id else f", the step of {step.agent}"
        ended = f" {ENDED}" if number > 1 else ""
        place = (f"This is step {number} of {len(of.steps)} of {of.name}{whose}.{ended}",)
        if back := here.came_back:
            report = f" (read {back.report})" if back.report else ""
            place += (f"The work came back to it because: {clip(one_line(back.why), LONGEST)}{report}",)
    mode = here.found.mode or (step.mode if step else "")
    limits = _limits(agent)
    if mode in MODES:
        is_check = step is not None and step.state == VALIDATE
        may = f"{REPORT_ONLY.capitalize()}." if is_check else f"Mode {mode}: {MODES[mode]}."
        limits = (may, *limits)
    return Briefing(
        agent=agent.id,
        mission=agent.mission,
        place=place,
        command=FINISH,
        limits=limits,
        how=f"{HOW}{' '.join((*agent.steps, *agent.rules))}" if agent.steps or agent.rules else "",
    )


def _agent(project: Project, name: str) -> Agent:
    return agent_with_rules(project.workspace, name, project.in_force.own_agents)[0]


def _limits(agent: Agent) -> tuple[str, ...]:
    rules = [clip(rule.partition(DELEGATES)[0].rstrip("."), LONGEST) for rule in agent.authority[:LIMITS]]
    never = [rule.removeprefix(NEVER) for rule in rules if rule.startswith(NEVER)]
    others = tuple(f"{rule}." for rule in rules if not rule.startswith(NEVER))
    return (*others, f"{NEVER}{'; never '.join(never)}.") if never else others


def _of_deviation(known: Briefing, deviation: dict[str, object]) -> Briefing:
    reason = clip(one_line(str(deviation.get("reason") or "")), LONGEST)
    what = f"{deviation.get('id')} ({deviation.get('type')}) interrupts the work: {reason}"
    work = ("See to that first.", *known.work)
    return known.replace(place=(*known.place, what), work=work, how="", command=RESOLVE)


def _of_story(project: Project, known: Briefing, story: Story) -> Briefing:
    where = shown_file(project.workspace, story.id)
    folder = f"specs/{folder_of(project.session)}"
    has_plans = project.workflow and os.path.isdir(os.path.join(project.workspace.root, folder))
    plans = (f"What was planned stands in {folder}/. After the last story: {FINISH}",) if has_plans else ()
    return known.replace(
        work=(
            f"Build {story.id}: {story.title} ({where}).",
            *plans,
            "What shows a criterion is a file of the project or a command; without it the criterion is only claimed."
            if story.acceptance
            else "It has no criterion yet: add one under acceptance in the file first.",
        ),
        files=tuple(path for path, _ in story.files),
        knowledge=lines_for_story(project, story.id, known.agent)[:MOST_TAUGHT],
        output=where,
        criteria=story.open_criteria,
        command=end_command(story),
        how=f"Tasks: {'; '.join(story.open_tasks)}" if story.open_tasks else "",
    )


def _of_step(project: Project, known: Briefing, agent: Agent, here: Situation) -> Briefing:
    session, workflow, step = here.session, here.workflow, here.step
    assert workflow and step
    output = output_path(session, step)
    following = next_step(session, workflow, after=step.agent)
    handed = redact_all(view_handoff(project, here, known.agent, []), project.secrets) or {}
    lines, is_back = tuple(handed.get("lines", ())), bool(here.came_back)
    command, work = FINISH, tuple(_work(agent, workflow, output))
    if is_back and not output:
        work = (MEND,)
    if step.state == BUILD:
        due = comes_next(project)
        command = due.command or (STORY_NEXT if due.story else FINISH)
        is_built = due.queue.done and not (due.story or is_back)
        work = (BUILT,) if is_built else work
    return known.replace(
        source=handed.get("from", ""),
        handed_over=() if is_back else lines,
        work=(*work, *_asked(project, step)),
        knowledge=lines_for(project, known.agent, " ".join(lines))[:MOST_TAUGHT],
        output=output,
        criteria=tuple(one.text for one in step.criteria),
        form=step_form(step, following.agent if following else "", run_of(session), output),
        command=command,
    )


def _work(agent: Agent, workflow: Workflow, output: str) -> Iterator[str]:
    fits = [name for name in agent.templates if name.startswith(OLD) == workflow.name.startswith(OLD)]
    form = fits[0] if fits and len(agent.templates) > 1 else "form"
    template = f" ({form}: limpet work agent show {agent.id} --forms)" if agent.templates else ""
    if not output:
        yield "Do what was handed over; the criteria below say when it is done."
    elif output.endswith("/"):
        yield STORIES_FILL if output == f"{FOLDER}/{STORIES}/" else f"Write into {output}{template}."
    else:
        yield f"Write {output}{template}."


def _asked(project: Project, step: WorkflowStep) -> Iterator[str]:
    if waiting := find_unapproved(project, step, seals_of(project.workspace)):
        paths = ", ".join(one.path for one in waiting)
        yield f"Before it can end, the user approves {paths}: run limpet work approve now."
    if needs_checks(step):
        names = ", ".join(checks_of(project))
        none = "No check is set: its end asks the user."
        if step.state == BUILD:
            none = f"No check is set; the user may: {set_check(project.workspace)}"
        yield f"Checks at its end: {names}." if names else none
