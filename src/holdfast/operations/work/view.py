"""The view of the work for the prompt hook: a part of the mirror, because the hook reads neither YAML nor Markdown with
frontmatter."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

from holdfast.ground.safety.dotenv import read_secrets
from holdfast.ground.safety.redaction import redact, redact_all
from holdfast.ground.storage.files import stamp
from holdfast.ground.text.languages import LANGUAGES
from holdfast.ground.text.messages import say
from holdfast.ground.workspace import Workspace
from holdfast.operations.work.facts import seals_of
from holdfast.operations.work.following import in_hand, what_follows
from holdfast.operations.work.handoff_view import attempt, is_pending, view_handoff
from holdfast.operations.work.problems import find_unknown, unknown_agent
from holdfast.work.documents.cold_start import cold_start
from holdfast.work.handoffs.store import handoff_agents, handoff_file
from holdfast.work.in_force import find_in_force
from holdfast.work.lock.lock import lock_line
from holdfast.work.pipeline.line import pipeline_line
from holdfast.work.pipeline.next_command import Next, next_of_story
from holdfast.work.pipeline.view import step_domains
from holdfast.work.pipeline.workflow import workflow_under_way
from holdfast.work.pipeline.workflow_files import WORKFLOWS, own_workflow_file
from holdfast.work.project import language_of
from holdfast.work.stories.store import read_story, story_file
from holdfast.work.stories.story import Story, progress

# The question that the hook itself asks: in the language of the prompt where the project sets none.
ASK = "exit.ask"


def view_work(workspace: Workspace, session: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
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
    problems: list[str] = []
    secrets = read_secrets(Path(workspace.root))
    problems += find_unknown(workspace, session)
    workflow = attempt(lambda: workflow_under_way(workspace, session), problems)
    facts = seals_of(workspace)
    return {
        "unknown_agent": unknown_agent(workspace, session),
        "pipeline": pipeline_line(session, workflow, facts) if workflow and session.get("agents") else "",
        "domains": list(step_domains(session, workflow)) if workflow else [],
        "all_domains": list({one: 0 for step in workflow.steps for one in step.domains}) if workflow else [],
        "task": _view_task(workspace, session.get("task"), problems),
        "handoff": redact_all(view_handoff(workspace, session, facts, problems), secrets),
        "handoff_pending": is_pending(workspace, session, problems),
        "next": _plain(what_follows(workspace, session, workflow, facts), secrets),
        "spec": redact_all(cold_start(workspace), secrets),
        "lock": lock_line(session),
        "ask": {each: say(ASK, language_of(session, each)) for each in LANGUAGES},
    }, problems


def _view_task(workspace: Workspace, task: object, problems: list[str]) -> dict[str, Any] | None:
    """Return the task with what its story says, as JSON can hold it; None where there is none. With ``problem`` where
    the story cannot be read: then it is no task to work on.

    The task's own executor comes before the story's (decision 7).
    """
    known = task if isinstance(task, dict) else {"title": task} if isinstance(task, str) and task else None
    if known is None:
        return None
    name = str(known.get("id") or known.get("title") or "")
    before = len(problems)
    story = attempt(lambda: read_story(workspace, name), problems)
    if len(problems) > before:
        broken: dict[str, Any] = redact_all({**known, "problem": problems[-1]}, read_secrets(Path(workspace.root)))
        return broken
    own = {"executor": known["executor"]} if known.get("executor") else {}
    view = {**known, **(_of_story(story) if story else {})}
    return {**redact_all(view, read_secrets(Path(workspace.root))), **own}


def view_own_task(workspace: Workspace, name: str) -> tuple[dict[str, Any], list[str]]:
    """Return a conversation's own task, which the project's session does not name, and the problems of its story.

    The task has its story's ``file`` and ``stamp``, by which a later change is noticed.
    """
    problems: list[str] = []
    path = story_file(workspace, name)
    mark = stamp(path) if path else None
    task = _view_task(workspace, {"id": name, "title": name} if mark else name, problems) or {}
    source = {"file": path, "stamp": list(mark)} if mark else {}
    return {**task, **source}, problems


def work_sources(workspace: Workspace, session: dict[str, Any]) -> tuple[str, ...]:
    """Return the files and folders that the view is made of."""
    task = session.get("task")
    name = str((task.get("id") or task.get("title")) if isinstance(task, dict) else task or "")
    story = story_file(workspace, name)
    workflow = find_in_force(session).workflow
    handoffs = [handoff_file(workspace, agent) for agent in handoff_agents(workspace)]
    found = [
        story,
        workspace.path(WORKFLOWS) if workflow else None,
        own_workflow_file(workspace, workflow) if workflow else None,
        workspace.path("stories"),
        workspace.path("handoffs"),
        os.path.join(workspace.root, "squads") if session.get("squad") else None,
        *handoffs,
        workspace.path("manifest.yaml"),
        workspace.path("artifacts"),
    ]
    return tuple(path for path in found if path)


def _of_story(story: Story) -> dict[str, Any]:
    hand = in_hand(story)
    return {
        "id": story.id,
        "title": story.title,
        "executor": story.executor,
        "agent": story.agent,
        "progress": progress(story),
        "next": _plain(next_of_story(hand)) if hand else None,
        "pre_conditions": [list(pair) for pair in story.pre_conditions],
        "acceptance": [list(pair) for pair in story.acceptance],
        "files": [list(pair) for pair in story.files],
    }


def _plain(following: Next, secrets: Collection[str] = ()) -> dict[str, Any] | None:
    """Return what comes next as JSON can hold it; the command is ours, the words may be somebody's."""
    if not following.command:
        return None
    words = redact(following.words, known=secrets)
    return {"words": words, "command": following.command, "interrupts": following.interrupts}
