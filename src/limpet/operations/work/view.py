"""The view of the work for the prompt hook: a part of the mirror, because the hook reads neither YAML nor Markdown with
frontmatter."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from limpet.ground.safety.redaction import redact, redact_all
from limpet.ground.storage.files import stamp
from limpet.ground.text.messages import say
from limpet.ground.text.words import LANGUAGES
from limpet.operations.learning.briefing import lines_for_story
from limpet.operations.project_state import ProjectState
from limpet.operations.work.situation import (
    find_handoff_of,
    find_handoff_to,
    find_unknown,
    read_situation,
    report_unknown_agent,
    taker_of,
)
from limpet.work.documents.survey import cold_start
from limpet.work.handoffs.handoff import COMPLETE, as_proven, block_lines, handoff_score_text, without_orders
from limpet.work.handoffs.store import handoff_agents, handoff_file
from limpet.work.lock.lock import lock_line
from limpet.work.pipeline.briefing import Next
from limpet.work.pipeline.evidence import Seals
from limpet.work.pipeline.state import PENDING, REVALIDATE, status_of, story_of
from limpet.work.pipeline.workflow import WORKFLOWS, own_workflow_file
from limpet.work.project import language_of
from limpet.work.situation import Situation, next_of_story
from limpet.work.stories.store import story_file
from limpet.work.stories.story import Story, progress

# The question that the hook itself asks: in the language of the prompt where the project sets none.
ASK = "exit.ask"
# Entries of the knowledge that a task is told of.
TAUGHT = 5


def view_work(project: ProjectState) -> tuple[dict[str, Any], list[str]]:
    """Return the view, and a line for each file that cannot be read.

    ``unknown_agent``: the active agent where nothing knows it, else "".
    ``pipeline``, ``domains``: of the current step; ``all_domains``: of all steps.
    ``task``: with its story, None for no task.
    ``handoff``: the newest one to the active agent, None for none.
    ``handoff_pending``: whether the active agent handed over to another one that has not begun yet.
    ``next``: what comes next, as ``words``, ``command`` and ``interrupts``, as ``Next`` has them; None for nothing.
    ``spec``: the documents' cold-start read.
    ``lock``: the lock's line.
    ``ask``: the question about leaving, by language.
    """
    here = read_situation(project)
    session, step, secrets = here.session, here.step, project.secrets
    problems = [*find_unknown(project), *here.problems]
    return {
        "unknown_agent": report_unknown_agent(project),
        "pipeline": here.pipeline if session.get("agents") else "",
        "domains": list(step.domains) if step else [],
        "all_domains": _all_domains(here),
        "task": _view_task(project, here),
        "handoff": redact_all(view_handoff(project, here.found.agent, here.facts, problems), secrets),
        "handoff_pending": _is_pending(project, here, problems),
        "next": _plain(here.following, secrets),
        "spec": redact_all(cold_start(project.workspace), secrets),
        "lock": lock_line(session),
        "ask": {each: say(ASK, language_of(session, each)) for each in LANGUAGES},
    }, problems


def view_own_task(project: ProjectState, name: str) -> tuple[dict[str, Any], list[str]]:
    """Return a conversation's own task, which the project's session does not name, and the problems of its story.

    The task has its story's ``file`` and ``stamp``, by which a later change is noticed.
    """
    path = story_file(project.workspace, name)
    mark = stamp(path) if path else None
    here = read_situation(project, {"task": {"id": name, "title": name} if mark else name})
    task = _view_task(project, here) or {}
    source = {"file": path, "stamp": list(mark)} if mark else {}
    return {**task, **source}, [here.unreadable] if here.unreadable else []


def view_handoff(project: ProjectState, agent: str, seals: Seals, problems: list[str]) -> dict[str, Any] | None:
    """Return the newest handoff of this run to the agent; ``problems`` gets a line for each that cannot be read."""
    newest = find_handoff_to(project, agent, problems)
    if newest is None:
        return None
    score = handoff_score_text(as_proven(project.session, newest, seals))
    lines = without_orders(block_lines(newest), f"limpet handoff show {newest.from_agent}")
    return {"from": newest.from_agent, "to": agent, "score": score, "lines": list(lines), "at": newest.timestamp}


def work_sources(project: ProjectState) -> tuple[str, ...]:
    """Return the files and folders that the view is made of."""
    workspace, workflow = project.workspace, project.in_force.workflow
    found = [
        story_file(workspace, story_of(project.session.get("task"))),
        workspace.path(WORKFLOWS) if workflow else None,
        own_workflow_file(workspace, workflow) if workflow else None,
        workspace.path("stories"),
        workspace.path("handoffs"),
        os.path.join(workspace.root, "squads") if project.session.get("squad") else None,
        *(handoff_file(workspace, agent) for agent in handoff_agents(workspace)),
        workspace.path("manifest.yaml"),
        workspace.path("artifacts"),
    ]
    return tuple(path for path in found if path)


def _all_domains(here: Situation) -> list[str]:
    found: dict[str, None] = {}
    for step in here.workflow.steps if here.workflow else ():
        found.update(dict.fromkeys(step.domains))
    return list(found)


def _is_pending(project: ProjectState, here: Situation, problems: list[str]) -> bool:
    """Return whether the active agent is done and has handed over to another, which has not begun yet."""
    handoff = find_handoff_of(project, here.found.agent, problems)
    if handoff is None or handoff.status != COMPLETE:
        return False
    after = taker_of(here.found, handoff)
    return bool(after) and after != here.found.agent and status_of(here.session, after) in (PENDING, REVALIDATE)


def _view_task(project: ProjectState, here: Situation) -> dict[str, Any] | None:
    """Return the task with what its story says, as JSON can hold it; None where there is none. With ``problem`` where
    the story cannot be read: then it is no task to work on.

    The task's own executor comes before the story's (decision 7).
    """
    if not here.task:
        return None
    if here.unreadable:
        broken: dict[str, Any] = redact_all({**here.task, "problem": here.unreadable}, project.secrets)
        return broken
    own = {"executor": here.task["executor"]} if here.task.get("executor") else {}
    story = _of_story(project, here.story) if here.story else {}
    return {**redact_all({**here.task, **story}, project.secrets), **own}


def _of_story(project: ProjectState, story: Story) -> dict[str, Any]:
    following = next_of_story(story)
    taught = lines_for_story(project, story.id, project.in_force.agent or story.agent.lstrip("@"))
    return {
        "id": story.id,
        "title": story.title,
        "executor": story.executor,
        "agent": story.agent,
        "progress": progress(story),
        "next": _plain(following) if following else None,
        "pre_conditions": [list(pair) for pair in story.pre_conditions],
        "acceptance": [list(pair) for pair in story.acceptance],
        "files": [list(pair) for pair in story.files],
        "knowledge": list(taught[:TAUGHT]),
    }


def _plain(following: Next, secrets: Collection[str] = ()) -> dict[str, Any] | None:
    if not following.command:
        return None
    words = redact(following.words, known=secrets)
    return {"words": words, "command": following.command, "interrupts": following.interrupts}
