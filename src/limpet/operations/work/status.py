"""Reads the state of the work: agent, task, story, pipeline, and open questions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.workspace import FOLDER, Workspace
from limpet.operations.project import Project
from limpet.operations.work.following import what_follows
from limpet.operations.work.gate.facts import facts_of, seals_of
from limpet.operations.work.problems import attempt, find_problems
from limpet.work.in_force import find_in_force
from limpet.work.pipeline.gate import Facts
from limpet.work.pipeline.overview import overview, pipeline_line
from limpet.work.pipeline.state import current_step
from limpet.work.pipeline.workflow import Workflow
from limpet.work.project import NAME, SCHEMA_VERSION, read_project
from limpet.work.session import read_state
from limpet.work.stories.evidence import end_command
from limpet.work.stories.queue import is_under_way
from limpet.work.stories.store import added_during, read_story
from limpet.work.stories.story import Story, progress

# The states in which stories that were added since the plan stood are told of.
BUILDING = ("build", "validate")


def active_agent(workspace: Workspace, conversation: str) -> str:
    """Return the id of the conversation's agent, else of the project's; "" where none is active, and where the session
    cannot be read."""
    try:
        session = read_project(workspace)[0]
    except LimpetError:
        session = {}
    return find_in_force(session, read_state(workspace, conversation)).agent


def show_work(project: Project) -> dict[str, Any]:
    """Return the overview of the project's pipeline, with ``problems``: parts of its files that do not count.

    Raises LimpetError where the session cannot be read.
    """
    session, more = project.session, list(project.problems)
    workflow = attempt(lambda: project.workflow, more)
    name = project.in_force.workflow
    if name and workflow is None and len(more) == len(project.problems):
        more.append(f"unknown workflow {name}: it has no steps")
    facts = _facts(project, workflow, more)
    mode = str(project.settings["work"]["mode"])
    data = overview(session, workflow, project.limits, mode, facts, what_follows(project, facts))
    attempt(partial(read_story, project.workspace, _task(session.get("task"))[1]), more)
    more += find_problems(project)
    building = data["step"] and data["state"] in BUILDING
    added = added_during(project.workspace) if building else {}
    return {**data, "stories_added": added, "problems": [*_newer(session), *dict.fromkeys(more)]}


def read_status(project: Project, conversation: str) -> dict[str, Any]:
    """Return the fields of a conversation's ``Continuation`` that the project's files tell.

    A file that cannot be read costs its own fields, and is named among the open questions.
    """
    problems: list[str] = []
    workspace = project.workspace
    session = attempt(lambda: project.session, problems) or {}
    found = find_in_force(session, read_state(workspace, conversation))
    task, story_id, executor = _task(found.task)
    story = attempt(partial(read_story, workspace, story_id), problems)
    workflow = attempt(lambda: project.workflow, problems) if session and found.follows_project else None
    known = session.get("project")
    name = known.get("name") if isinstance(known, dict) else ""
    return {
        "project": str(name or os.path.basename(workspace.root)),
        "mode": str(found.mode or project.settings["work"]["mode"]),
        "agent": found.agent,
        "workflow": found.workflow,
        "pipeline": pipeline_line(session, workflow, seals_of(workspace)) if workflow else "",
        "task": task or (story.title if story else ""),
        "story": story_id,
        "executor": executor or (story.executor if story else ""),
        **(_of_story(story) if story else {}),
        "questions": (*problems, *_waiting(session)),
        "pointers": tuple(_pointers(workspace, session, story_id)),
    }


def _facts(project: Project, workflow: Workflow | None, problems: list[str]) -> Facts:
    step = current_step(project.session, workflow) if workflow else None
    found = attempt(partial(facts_of, project, step.agent), problems) if step else None
    return found or seals_of(project.workspace)


def _newer(session: Mapping[str, Any]) -> list[str]:
    version = session.get("schema_version", SCHEMA_VERSION)
    newer = f"schema_version {version} is newer than this Limpet supports ({SCHEMA_VERSION})"
    problem = f"{NAME}: {newer}; the file is read-only"
    return [problem] if isinstance(version, int) and version > SCHEMA_VERSION else []


def _task(found: object) -> tuple[str, str, str]:
    if isinstance(found, dict):
        title, story, executor = (str(found.get(key) or "") for key in ("title", "id", "executor"))
        return title, story, executor
    return (found, "", "") if isinstance(found, str) else ("", "", "")


def _of_story(story: Story) -> dict[str, Any]:
    return {
        "progress": progress(story),
        "done": tuple(text for done, text in story.tasks if done),
        "left": tuple(text for done, text in story.tasks if not done),
        "acceptance": story.open_criteria,
        "end": end_command(story) if is_under_way(story) else "",
    }


def _waiting(project: Mapping[str, Any]) -> Iterator[str]:
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
        yield f"story: {FOLDER}/stories/{story_id}/ (limpet work story show {story_id})"
    if project.get("last_handoff"):
        yield f"handoff: {project['last_handoff']}"
    if os.path.isfile(workspace.path("manifest.yaml")):
        yield "specification: limpet spec status"
    yield "pipeline: limpet work status"
