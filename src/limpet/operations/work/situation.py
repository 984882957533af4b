"""Reads where the work stands, in one place: the session, the workflow under way, the story in hand and handoffs; and
finds what these name and nothing has. What reads rules is imported when it is needed: a prompt may wait for the process
that makes the mirror."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.config.mirror import SESSION
from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import one_line
from limpet.ground.formats.schema import nearest
from limpet.ground.formats.yaml_text import key_lines
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.storage.files import read_text
from limpet.ground.text.escaping import clip
from limpet.ground.trust.signed import read_key
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.project_state import ProjectState
from limpet.roles.roster import AGENTS, ALIASES, resolve_id
from limpet.rules.layout import LIMPET
from limpet.rules.plan.plan import squad_id
from limpet.work.handoff import Handoff, is_of_run
from limpet.work.handoff_store import handoff_agents, read_handoff
from limpet.work.in_force import InForce, find_in_force, name_agent
from limpet.work.pipeline.briefing import ALONE, STORY_DONE, Next, next_command, why_back
from limpet.work.pipeline.deviation import open_deviations
from limpet.work.pipeline.gate import BUILD, Facts
from limpet.work.pipeline.overview import pipeline_line
from limpet.work.pipeline.state import REVALIDATE, Session, output_path, status_of, story_of
from limpet.work.pipeline.workflow import Workflow, WorkflowStep, read_workflow, workflow_names
from limpet.work.project import NAME
from limpet.work.stories.evidence import end_command
from limpet.work.stories.queue import is_under_way
from limpet.work.stories.store import DONE, read_story, story_file, story_ids
from limpet.work.stories.story import TICK, Story, current_task, progress

# Open stories that a task names beside its own.
LISTED = 3
_STATUS = re.compile(r"^status:[ \t]*[\"']?([\w -]+)", re.MULTILINE)
Result = TypeVar("Result")


def read_situation(
    project: ProjectState,
    conversation: Mapping[str, Any] | None = None,
    find_facts: Callable[[str], Facts] | None = None,
) -> Situation:
    """What cannot be read counts as none, and is one of its problems. Without a ``conversation`` the project's own
    values count; without ``find_facts``, which takes time, only seals are known of the step's gate."""
    problems: list[str] = []
    session = attempt(lambda: project.session, problems) or {}
    found = find_in_force(session, conversation or {})
    follows = session and found.follows_project
    workflow = attempt(lambda: project.workflow, problems) if follows else None
    step = project.step if workflow else None
    known = attempt(partial(find_facts, step.agent), problems) if step and find_facts else None
    facts, before = known or seals_of(project.workspace), len(problems)
    story = attempt(partial(read_story, project.workspace, story_of(found.task)), problems)
    in_hand, waiting = next_of_story(story), False
    if in_hand is None and step is not None and step.state == BUILD:
        in_hand, waiting = _next_of_stories(project.workspace, problems)
    came_back = _find_return(project, session, workflow, step) if workflow and step else None
    report = came_back.report if came_back else ""
    return Situation(
        session=session,
        found=found,
        workflow=workflow,
        step=step,
        task=task_fields(found.task),
        story=story,
        unreadable=problems[-1] if len(problems) > before else "",
        facts=facts,
        following=next_command(session, workflow, project.limits, facts, in_hand, waiting, report),
        came_back=came_back,
        problems=tuple(problems),
    )


def seals_of(workspace: Workspace) -> Facts:
    """What seals are bound to, and nothing that takes time: enough for steps that are completed."""
    return Facts(project="/".join(workspace.state.split(os.sep)[-3:]), key=read_key() or b"")


def find_handoff_to(project: ProjectState, agent: str, problems: list[str]) -> Handoff | None:
    """The newest of this run; ``problems`` gets a line for each that cannot be read."""
    meant = []
    for giver in handoff_agents(project.workspace) if agent else ():
        handoff = find_handoff_of(project, giver, problems)
        if handoff and taker_of(project.in_force, handoff) == agent:
            meant.append(handoff)
    return max(meant, key=lambda handoff: handoff.timestamp, default=None)


def find_handoff_of(project: ProjectState, agent: str, problems: list[str]) -> Handoff | None:
    handoff = attempt(partial(read_handoff, project.workspace, agent), problems) if agent else None
    return handoff if handoff and is_of_run(project.session, handoff) else None


def taker_of(found: InForce, handoff: Handoff) -> str:
    """ "" for nobody."""
    return name_agent(handoff.to, found.workflow, found.own_agents)


def _find_return(project: ProjectState, session: Session, of: Workflow, step: WorkflowStep) -> Return | None:
    if not (why := why_back(session, of, step)):
        return None
    later = of.steps[of.place_of(step.agent) + 1 :]
    senders = [one for one in later if status_of(session, one.agent) == REVALIDATE]
    paths = [output_path(session, one) for one in senders]
    there = [path for path in paths if path and os.path.isfile(os.path.join(project.workspace.root, path))]
    return Return(source=senders[-1].agent if senders else step.agent, why=why, report=there[-1] if there else "")


def backlog_line(workspace: Workspace, story_id: str) -> str:
    """The open stories beside this one, "" for none."""
    others = [name for name, _ in _open_stories(workspace) if name != story_id]
    more = f" and {len(others) - LISTED} more" if len(others) > LISTED else ""
    return f"Backlog: {', '.join(others[:LISTED])}{more} (limpet work story list)" if others else ""


def find_problems(project: ProjectState) -> list[str]:
    """What names in the session stand for nothing, and which handoffs, workflows and squads cannot be used."""
    workspace, found = project.workspace, find_unknown(project)
    reads: list[Callable[[], object]] = [partial(read_handoff, workspace, one) for one in handoff_agents(workspace)]
    own = [name for name in workflow_names(workspace) if os.path.lexists(workspace.path("workflows", f"{name}.yaml"))]
    reads += [partial(read_workflow, workspace, name) for name in own]
    for read in reads:
        attempt(read, found)
    return list(dict.fromkeys([*found, *_squads(workspace)]))


def attempt(read: Callable[[], Result], problems: list[str]) -> Result | None:
    """None for a file that cannot be read, which then is one of the problems."""
    try:
        return read()
    except (LimpetError, OSError) as error:
        problems.append(str(error))
        return None


def find_unknown(project: ProjectState) -> list[str]:
    workspace, squad = project.workspace, project.in_force.squad
    found = []
    if report_unknown_agent(project):
        name = str(project.session.get("current_agent"))
        place = _line(workspace, "current_agent")
        found.append(f"{place}: unknown agent {name}{_nearest(name, [*AGENTS, *ALIASES])}")
    if squad and not known_squad(workspace, squad):
        found.append(f"{_line(workspace, 'squad')}: {no_such_squad(workspace, squad)}")
    return found


def report_unknown_agent(project: ProjectState) -> str:
    """ "" where the active agent is known: a role, of a step of the workflow, or named by rules."""
    agent = project.in_force.agent
    if not agent or agent in (*AGENTS, *project.in_force.own_agents):
        return ""
    try:
        workflow = project.workflow
    except LimpetError:
        return ""
    if workflow and workflow.step_of(agent):
        return ""
    from limpet.rules.plan.sources import read_sources

    return "" if any(unit.domain.agent == agent for unit in read_sources(project.workspace).units) else agent


def known_squad(workspace: Workspace, name: str) -> bool:
    return squad_id(name) in map(squad_id, squad_names(workspace))


def squad_names(workspace: Workspace) -> list[str]:
    if not os.path.isdir(os.path.join(workspace.root, LIMPET.squads)):
        return []
    from limpet.rules.plan.places import squad_folders

    return [folder.rpartition("/")[2] for folder in squad_folders(workspace)]


def no_such_squad(workspace: Workspace, name: str) -> str:
    return f"Unknown squad: {name}{_nearest(name, squad_names(workspace))}"


def _next_of_stories(workspace: Workspace, problems: list[str]) -> tuple[Next | None, bool]:
    """Where no story is in hand: what comes next for the first in progress, and whether any is open."""
    todo = dict(_open_stories(workspace))
    begun = next((name for name, status in todo.items() if is_under_way(status)), "")
    return next_of_story(attempt(partial(read_story, workspace, begun), problems)), bool(todo)


def _open_stories(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Id and status of each that is not done."""
    for story_id in story_ids(workspace):
        path = story_file(workspace, story_id)
        text = read_text(path, STATE_BYTES) if path else None
        found = _STATUS.search(text) if text is not None else None
        status = found[1].strip() if found else ""
        if text is not None and status.lower() != DONE:
            yield story_id, status


def _squads(workspace: Workspace) -> Iterator[str]:
    if not squad_names(workspace):
        return
    from limpet.rules.check.domain import ERROR
    from limpet.rules.check.project import check_rules
    from limpet.rules.plan.places import files_out, read_rule_files
    from limpet.rules.plan.sources import shipped_constitution, shipped_units

    secrets = read_secrets(workspace.root)
    files, outside = read_rule_files(workspace), files_out(workspace.root)

    def is_agent(name: str) -> bool:
        return resolve_id(name) is not None

    packaged = shipped_units(workspace.root)
    found = check_rules(files, shipped_constitution(), is_agent, secrets, outside, packaged)
    for each in found:
        if each.severity == ERROR and each.file.startswith(f"{LIMPET.squads}/"):
            yield f"{each.where}: {each.what}"


def _nearest(name: str, known: list[str]) -> str:
    """The nearest name behind a comma: in a block a semicolon divides notes."""
    return nearest(name.lstrip("@"), known).replace("; ", ", ")


def _line(workspace: Workspace, key: str) -> str:
    try:
        lines = key_lines(read_text(workspace.kept(SESSION), STATE_BYTES) or "", NAME)
    except LimpetError:
        lines = {}
    return f"{NAME}:{lines[(key,)]}" if (key,) in lines else NAME


class Return(Value):
    """``source``: the last agent that worked; ``report``: what it or one before it made, "" for nothing."""

    source: str
    why: str
    report: str


class Situation(Value):
    """Where the project's work stands, for the project itself or for one conversation.

    ``workflow``: the one whose steps are under way; None without one, and where the conversation follows its own.
    ``task``: ``id``, ``title`` and ``executor``, as far as it has them; empty for none.
    ``story``: that of the task; ``unreadable``: why it cannot be read.
    ``facts``: what is known of the step's gate beside the session.
    ``came_back``: what brought the work back to the step under way; None where it came from an earlier one.
    ``problems``: a line for each of its files that cannot be read.
    """

    session: Session
    found: InForce
    workflow: Workflow | None
    step: WorkflowStep | None
    task: dict[str, Any]
    story: Story | None
    unreadable: str
    facts: Facts
    following: Next
    came_back: Return | None
    problems: tuple[str, ...]

    @property
    def pipeline(self) -> str:
        return pipeline_line(self.session, self.workflow, self.facts) if self.workflow else ""

    @property
    def deviations(self) -> list[dict[str, Any]]:
        """Those that are open, the newest last."""
        return open_deviations(self.session)


def task_fields(task: object) -> dict[str, Any]:
    """A session's task as a mapping, whose title may be all of it; empty for none."""
    if isinstance(task, dict):
        return task
    return {"title": task} if isinstance(task, str) and task else {}


def next_of_story(story: Story | None) -> Next | None:
    """None for one that is done. A long command has no place in a block, where the short one names it."""
    if story is None or story.status.lower() == DONE:
        return None
    words, now = story.id, progress(story)
    if story.open_conditions:
        waits = clip(one_line(f"{words} waits for: {story.open_conditions[0]}"), ALONE)
        return Next(words=f"{waits}; once that holds", command=TICK.format(story.id))
    if story.open_criteria and not current_task(story)[0]:
        words += f", open criterion: {story.open_criteria[0]}"
    elif now:
        words += f", {now}"
    command = end_command(story) if len(story.open_criteria) < 2 else STORY_DONE
    return Next(words=clip(one_line(words), ALONE), command=command)
