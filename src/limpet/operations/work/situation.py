"""Reads where the work stands, in one place: the session, the workflow under way, the story in hand and handoffs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import read_text
from limpet.ground.storage.user_folders import project_key
from limpet.ground.trust.signed import read_key
from limpet.ground.workspace import Workspace
from limpet.operations.project_state import ProjectState
from limpet.operations.work.problems import attempt
from limpet.work.handoffs.handoff import Handoff, is_of_run
from limpet.work.handoffs.store import handoff_agents, read_handoff
from limpet.work.in_force import InForce, find_in_force, name_agent
from limpet.work.pipeline.briefing import next_command
from limpet.work.pipeline.gate import BUILD, Facts
from limpet.work.pipeline.state import story_of
from limpet.work.situation import Situation, next_of_story, task_fields
from limpet.work.stories.store import DONE, read_story, story_file, story_ids

_STATUS = re.compile(r"^status:[ \t]*[\"']?([\w-]+)", re.MULTILINE)


def read_situation(
    project: ProjectState,
    conversation: Mapping[str, Any] | None = None,
    find_facts: Callable[[str], Facts] | None = None,
) -> Situation:
    """Return where the work stands; what cannot be read counts as none, and is one of its problems.

    ``conversation``: the state of the one that asks; without it the project's own values count.
    ``find_facts``: finds what is known of the gate of an agent's step, which takes time; without it only seals are.
    """
    problems: list[str] = []
    session = attempt(lambda: project.session, problems) or {}
    found = find_in_force(session, conversation or {})
    follows = session and found.follows_project
    workflow = attempt(lambda: project.workflow, problems) if follows else None
    step = project.step if workflow else None
    known = attempt(partial(find_facts, step.agent), problems) if step and find_facts else None
    facts, before = known or seals_of(project.workspace), len(problems)
    story = attempt(partial(read_story, project.workspace, story_of(found.task)), problems)
    in_hand = next_of_story(story)
    waiting = in_hand is None and step is not None and step.state == BUILD and _has_open_stories(project.workspace)
    return Situation(
        session=session,
        found=found,
        workflow=workflow,
        step=step,
        task=task_fields(found.task),
        story=story,
        unreadable=problems[-1] if len(problems) > before else "",
        facts=facts,
        following=next_command(session, workflow, project.limits, facts, in_hand, waiting),
        problems=tuple(problems),
    )


def seals_of(workspace: Workspace) -> Facts:
    """Return what seals are bound to, and nothing that takes time: enough for steps that are completed."""
    return Facts(project=project_key(workspace.root), key=read_key() or b"")


def find_handoff_to(project: ProjectState, agent: str, problems: list[str]) -> Handoff | None:
    """Return the newest handoff of this run that names the agent as the one to continue; ``problems`` gets a line for
    each that cannot be read."""
    meant = []
    for giver in handoff_agents(project.workspace) if agent else ():
        handoff = find_handoff_of(project, giver, problems)
        if handoff and taker_of(project.in_force, handoff) == agent:
            meant.append(handoff)
    return max(meant, key=lambda handoff: handoff.timestamp, default=None)


def find_handoff_of(project: ProjectState, agent: str, problems: list[str]) -> Handoff | None:
    """Return what the agent handed over in this run."""
    handoff = attempt(partial(read_handoff, project.workspace, agent), problems) if agent else None
    return handoff if handoff and is_of_run(project.session, handoff) else None


def taker_of(found: InForce, handoff: Handoff) -> str:
    """Return the agent that is to continue, "" for nobody."""
    return name_agent(handoff.to, found.workflow, found.own_agents)


def _has_open_stories(workspace: Workspace) -> bool:
    for story_id in reversed(story_ids(workspace)):
        path = story_file(workspace, story_id)
        text = read_text(path, STATE_BYTES) if path else None
        if text is None:
            continue
        status = _STATUS.search(text)
        if status is None or status[1].lower() != DONE:
            return True
    return False
