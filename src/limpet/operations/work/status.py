"""Tells where the work stands: for `work status`, and for the continuation of a conversation."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.trust.in_place import specs_home
from limpet.ground.workspace import FOLDER, Workspace
from limpet.operations.project import Project
from limpet.operations.work.facts import facts_of
from limpet.operations.work.situation import Situation, find_problems, read_situation
from limpet.work.in_force import find_modes
from limpet.work.pipeline.overview import overview
from limpet.work.project import NAME, SCHEMA_VERSION
from limpet.work.session import read_state
from limpet.work.stories.evidence import end_command
from limpet.work.stories.queue import is_under_way
from limpet.work.stories.store import added_during
from limpet.work.stories.story import Story, progress

# The states in which stories that were added since the plan stood are told of.
BUILDING = ("build", "validate")


def show_work(project: Project) -> dict[str, Any]:
    """``problems``: parts of the project's files that do not count. Raises LimpetError where the session cannot be
    read."""
    session, wrong = project.session, project.problems
    here = read_situation(project, find_facts=partial(facts_of, project))
    mode = find_modes(here.found, project.settings)[0]
    data = overview(session, here.workflow, project.limits, mode, here.facts, here.following)
    problems = [*_newer(session), *wrong, *_unknown_workflow(project), *here.problems, *find_problems(project)]
    building = here.step and data["state"] in BUILDING
    added = added_during(project.workspace) if building else {}
    return {**data, "stories_added": added, "problems": list(dict.fromkeys(problems))}


def read_status(project: Project, conversation: str) -> dict[str, Any]:
    """The fields of a ``Continuation``. A file that cannot be read costs its own, and is among the open questions."""
    workspace = project.workspace
    here = read_situation(project, read_state(workspace, conversation))
    known, story = here.session.get("project"), here.story
    name = known.get("name") if isinstance(known, dict) else ""
    story_id = str(here.task.get("id") or (story.id if story else ""))
    return {
        "project": str(name or os.path.basename(workspace.root)),
        "mode": find_modes(here.found, project.settings)[0],
        "agent": here.found.agent,
        "workflow": here.found.workflow,
        "pipeline": here.pipeline,
        "task": str(here.task.get("title") or (story.title if story else "")),
        "story": story_id,
        "executor": str(here.task.get("executor") or (story.executor if story else "")),
        **(_of_story(story) if story else {}),
        "questions": (*here.problems, *_waiting(here)),
        "pointers": tuple(_pointers(workspace, here.session, story_id)),
    }


def _unknown_workflow(project: Project) -> Iterator[str]:
    with suppress(LimpetError):
        name = project.in_force.workflow
        if name and project.workflow is None:
            yield f"unknown workflow {name}: it has no steps"


def _newer(session: Mapping[str, Any]) -> list[str]:
    version = session.get("schema_version", SCHEMA_VERSION)
    newer = f"schema_version {version} is newer than this Limpet supports ({SCHEMA_VERSION})"
    problem = f"{NAME}: {newer}; the file is read-only"
    return [problem] if isinstance(version, int) and version > SCHEMA_VERSION else []


def _of_story(story: Story) -> dict[str, Any]:
    return {
        "progress": progress(story),
        "done": tuple(text for done, text in story.tasks if done),
        "left": tuple(text for done, text in story.tasks if not done),
        "acceptance": story.open_criteria,
        "end": end_command(story) if is_under_way(story.status) else "",
    }


def _waiting(here: Situation) -> Iterator[str]:
    for name, record in (here.session.get("agents") or {}).items():
        if isinstance(record, dict) and record.get("escalated"):
            yield f"{name}: all rounds of correction are used, a person decides"
    for deviation in here.deviations:
        came, went, back = deviation.get("from_agent"), deviation.get("to_agent"), deviation.get("return_to") or {}
        about = deviation.get("reason") or deviation.get("type") or ""
        yield f"deviation from {came} to {went} is open ({about}); it returns to {back.get('agent') or came}"


def _pointers(workspace: Workspace, project: Mapping[str, Any], story_id: str) -> Iterator[str]:
    if story_id:
        yield f"story: {FOLDER}/stories/{story_id}/ (limpet work story show {story_id})"
    if project.get("last_handoff"):
        yield f"handoff: {project['last_handoff']}"
    if os.path.isfile(os.path.join(specs_home(workspace), "manifest.yaml")):
        yield "specification: limpet work spec status"
    yield "pipeline: limpet work status"
