"""Reads the state of the work: agent, task, story, pipeline, and open questions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import FOLDER, Workspace
from holdfast.operations.work.facts import facts_of, seals_of
from holdfast.operations.work.following import what_follows
from holdfast.operations.work.pipeline import limits_of
from holdfast.operations.work.problems import find_problems
from holdfast.work.in_force import find_in_force
from holdfast.work.pipeline.evidence import Facts
from holdfast.work.pipeline.line import pipeline_line
from holdfast.work.pipeline.overview import overview
from holdfast.work.pipeline.view import current_step
from holdfast.work.pipeline.workflow import Workflow, workflow_under_way
from holdfast.work.project import NAME, SCHEMA_VERSION, read_project
from holdfast.work.session import read_state
from holdfast.work.stories.store import read_story
from holdfast.work.stories.story import Story, progress


def active_agent(workspace: Workspace, session: str) -> str:
    """Return the id of the conversation's agent, else of the project's, "" where none is active."""
    return find_in_force(_read_project(workspace, []), read_state(workspace, session)).agent


def show_work(workspace: Workspace) -> dict[str, Any]:
    """Return the overview of the project's pipeline, with ``problems``: parts of its files that do not count.

    Raises HoldfastError where the session cannot be read.
    """
    session, problems = read_project(workspace)
    workflow, more = _find_workflow(workspace, session)
    facts, unread = _facts(workspace, session, workflow)
    mode = str(load_settings(workspace)[0]["work"]["mode"])
    following = what_follows(workspace, session, workflow, facts)
    data = overview(session, workflow, limits_of(workspace), mode, facts, following)
    _story(workspace, _task(session.get("task"))[1], more)
    wrong = [*problems, *more, *unread, *find_problems(workspace, session)]
    return {**data, "problems": [*_newer(session), *dict.fromkeys(wrong)]}


def read_status(workspace: Workspace, session: str, agent: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a ``Continuation`` that the project's files tell; ``settings`` is the whole configuration.

    A file that cannot be read costs its own fields, and is named among the open questions.
    """
    problems: list[str] = []
    project = _read_project(workspace, problems)
    found = find_in_force(project, read_state(workspace, session))
    task, story_id, executor = _task(found.task)
    story = _story(workspace, story_id, problems)
    known = project.get("project")
    name = known.get("name") if isinstance(known, dict) else ""
    return {
        "project": str(name or os.path.basename(workspace.root)),
        "mode": str(found.mode or settings["work"]["mode"]),
        "agent": agent,
        "workflow": found.workflow,
        "pipeline": _pipeline(workspace, project, problems) if found.follows_project else "",
        "task": task or (story.title if story else ""),
        "story": story_id,
        "executor": executor or (story.executor if story else ""),
        **(_of_story(story) if story else {}),
        "questions": (*problems, *_waiting(project)),
        "pointers": tuple(_pointers(workspace, project, story_id)),
    }


def _read_project(workspace: Workspace, problems: list[str]) -> dict[str, Any]:
    try:
        return read_project(workspace)[0]
    except HoldfastError as error:
        problems.append(str(error))
        return {}


def _find_workflow(workspace: Workspace, session: Mapping[str, Any]) -> tuple[Workflow | None, list[str]]:
    """Return the workflow under way, None where it has no steps, and its problems."""
    try:
        found = workflow_under_way(workspace, session)
    except HoldfastError as error:
        return None, [str(error)]
    name = find_in_force(session).workflow
    return found, [f"unknown workflow {name}: it has no steps"] if name and not found else []


def _facts(workspace: Workspace, session: Mapping[str, Any], workflow: Workflow | None) -> tuple[Facts, list[str]]:
    """Return the facts about the current step, and why the working tree cannot be read."""
    step = current_step(session, workflow) if workflow else None
    try:
        return (facts_of(workspace, session, step.agent) if step else seals_of(workspace)), []
    except HoldfastError as error:
        return seals_of(workspace), [str(error)]


def _newer(session: Mapping[str, Any]) -> list[str]:
    version = session.get("schema_version", SCHEMA_VERSION)
    newer = f"schema_version {version} is newer than this Holdfast supports ({SCHEMA_VERSION})"
    problem = f"{NAME}: {newer}; the file is read-only"
    return [problem] if isinstance(version, int) and version > SCHEMA_VERSION else []


def _task(found: object) -> tuple[str, str, str]:
    """Return title, story and executor of the task."""
    if isinstance(found, dict):
        title, story, executor = (str(found.get(key) or "") for key in ("title", "id", "executor"))
        return title, story, executor
    return (found, "", "") if isinstance(found, str) else ("", "", "")


def _story(workspace: Workspace, story_id: str, problems: list[str]) -> Story | None:
    try:
        return read_story(workspace, story_id) if story_id else None
    except HoldfastError as error:
        problems.append(str(error))
        return None


def _of_story(story: Story) -> dict[str, Any]:
    return {
        "progress": progress(story),
        "done": tuple(text for done, text in story.tasks if done),
        "left": tuple(text for done, text in story.tasks if not done),
        "acceptance": story.open_criteria,
    }


def _pipeline(workspace: Workspace, project: Mapping[str, Any], problems: list[str]) -> str:
    try:
        workflow = workflow_under_way(workspace, project)
        return pipeline_line(project, workflow, seals_of(workspace)) if workflow else ""
    except HoldfastError as error:
        problems.append(str(error))
        return ""


def _waiting(project: Mapping[str, Any]) -> Iterator[str]:
    """Yield the open questions: rounds of correction that are used up, and deviations that are not resolved."""
    agents = project.get("agents") or {}
    for name, record in agents.items():
        if isinstance(record, dict) and record.get("escalated"):
            yield f"{name}: all rounds of correction are used, a person decides"
    for deviation in project.get("deviations") or []:
        if not deviation.get("resolved"):
            came, went, back = deviation.get("from_agent"), deviation.get("to_agent"), deviation.get("return_to") or {}
            about = deviation.get("reason") or deviation.get("type") or ""
            yield f"deviation from {came} to {went} is open ({about}); it returns to {back.get('agent') or came}"


def _pointers(workspace: Workspace, project: Mapping[str, Any], story_id: str) -> Iterator[str]:
    if story_id:
        yield f"story: {FOLDER}/stories/{story_id}/ (holdfast work story show {story_id})"
    if project.get("last_handoff"):
        yield f"handoff: {project['last_handoff']}"
    if os.path.isfile(workspace.path("manifest.yaml")):
        yield "specification: holdfast spec status"
    yield "pipeline: holdfast work status"
