"""The view of the work for the prompt hook: a part of the mirror, because the hook reads neither YAML nor Markdown with
frontmatter."""

from __future__ import annotations

import os
from collections.abc import Collection
from functools import partial
from typing import Any

from limpet.ground.safety.redaction import redact, redact_all
from limpet.ground.storage.files import stamp
from limpet.ground.text.messages import say
from limpet.ground.text.words import LANGUAGES
from limpet.operations.learning.briefing import lines_for_story
from limpet.operations.project import Project
from limpet.operations.work.following import next_of_story, story_of, what_follows
from limpet.operations.work.gate.facts import as_proven, is_of_run, seals_of
from limpet.operations.work.problems import attempt, find_unknown, report_unknown_agent
from limpet.work.documents.survey import cold_start
from limpet.work.handoffs.handoff import COMPLETE, Handoff, block_lines, handoff_score_text, without_orders
from limpet.work.handoffs.store import handoff_agents, handoff_file, read_handoff
from limpet.work.in_force import name_agent
from limpet.work.lock.lock import lock_line
from limpet.work.pipeline.briefing import Next
from limpet.work.pipeline.evidence import Seals
from limpet.work.pipeline.overview import pipeline_line
from limpet.work.pipeline.state import PENDING, REVALIDATE, status_of, step_domains
from limpet.work.pipeline.workflow import WORKFLOWS, own_workflow_file
from limpet.work.project import language_of
from limpet.work.stories.store import read_story, story_file
from limpet.work.stories.story import Story, progress

# The question that the hook itself asks: in the language of the prompt where the project sets none.
ASK = "exit.ask"
# Entries of the knowledge that a task is told of.
TAUGHT = 5


def view_work(project: Project) -> tuple[dict[str, Any], list[str]]:
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
    session, secrets = project.session, project.secrets
    problems = find_unknown(project)
    workflow = attempt(lambda: project.workflow, problems)
    facts = seals_of(project.workspace)
    return {
        "unknown_agent": report_unknown_agent(project),
        "pipeline": pipeline_line(session, workflow, facts) if workflow and session.get("agents") else "",
        "domains": list(step_domains(session, workflow)) if workflow else [],
        "all_domains": list({one: 0 for step in workflow.steps for one in step.domains}) if workflow else [],
        "task": _view_task(project, session.get("task"), problems),
        "handoff": redact_all(view_handoff(project, project.in_force.agent, facts, problems), secrets),
        "handoff_pending": _is_pending(project, problems),
        "next": _plain(what_follows(project, facts), secrets),
        "spec": redact_all(cold_start(project.workspace), secrets),
        "lock": lock_line(session),
        "ask": {each: say(ASK, language_of(session, each)) for each in LANGUAGES},
    }, problems


def view_own_task(project: Project, name: str) -> tuple[dict[str, Any], list[str]]:
    """Return a conversation's own task, which the project's session does not name, and the problems of its story.

    The task has its story's ``file`` and ``stamp``, by which a later change is noticed.
    """
    problems: list[str] = []
    path = story_file(project.workspace, name)
    mark = stamp(path) if path else None
    task = _view_task(project, {"id": name, "title": name} if mark else name, problems) or {}
    source = {"file": path, "stamp": list(mark)} if mark else {}
    return {**task, **source}, problems


def view_handoff(project: Project, agent: str, seals: Seals, problems: list[str]) -> dict[str, Any] | None:
    """Return the newest handoff of this run that names the agent as the one to continue; ``problems`` gets a line for
    each that cannot be read."""
    workspace, session, found = project.workspace, project.session, project.in_force
    if not agent:
        return None
    handoffs = [attempt(partial(read_handoff, workspace, source), problems) for source in handoff_agents(workspace)]
    ours = [one for one in handoffs if one and is_of_run(session, one)]
    meant = [one for one in ours if name_agent(one.to, found.workflow, found.own_agents) == agent]
    newest: Handoff | None = max(meant, key=lambda handoff: handoff.timestamp, default=None)
    if newest is None:
        return None
    score = handoff_score_text(as_proven(session, newest, seals))
    lines = without_orders(block_lines(newest), f"limpet handoff show {newest.from_agent}")
    return {"from": newest.from_agent, "to": agent, "score": score, "lines": list(lines), "at": newest.timestamp}


def work_sources(project: Project) -> tuple[str, ...]:
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


def _is_pending(project: Project, problems: list[str]) -> bool:
    """Return whether the active agent is done and has handed over to another, which has not begun yet."""
    session, found = project.session, project.in_force
    read = partial(read_handoff, project.workspace, found.agent)
    handoff = attempt(read, problems) if found.agent else None
    if handoff is None or handoff.status != COMPLETE or not is_of_run(session, handoff):
        return False
    after = name_agent(handoff.to, found.workflow, found.own_agents)
    return bool(after) and after != found.agent and status_of(session, after) in (PENDING, REVALIDATE)


def _view_task(project: Project, task: object, problems: list[str]) -> dict[str, Any] | None:
    """Return the task with what its story says, as JSON can hold it; None where there is none. With ``problem`` where
    the story cannot be read: then it is no task to work on.

    The task's own executor comes before the story's (decision 7).
    """
    known = task if isinstance(task, dict) else {"title": task} if isinstance(task, str) and task else None
    if known is None:
        return None
    before = len(problems)
    story = attempt(partial(read_story, project.workspace, story_of(known)), problems)
    if len(problems) > before:
        broken: dict[str, Any] = redact_all({**known, "problem": problems[-1]}, project.secrets)
        return broken
    own = {"executor": known["executor"]} if known.get("executor") else {}
    return {**redact_all({**known, **(_of_story(project, story) if story else {})}, project.secrets), **own}


def _of_story(project: Project, story: Story) -> dict[str, Any]:
    following = next_of_story(story)
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
        "knowledge": list(lines_for_story(project, story.id, project.in_force.agent or story.agent.lstrip("@")))[
            :TAUGHT
        ],
    }


def _plain(following: Next, secrets: Collection[str] = ()) -> dict[str, Any] | None:
    if not following.command:
        return None
    words = redact(following.words, known=secrets)
    return {"words": words, "command": following.command, "interrupts": following.interrupts}
