"""What comes next in the work, with what the stories say: the same for status, block and continuation."""

from __future__ import annotations

import re
from functools import partial

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.markdown import one_line
from limpet.ground.storage.files import read_text
from limpet.ground.text.escaping import clip
from limpet.ground.workspace import Workspace
from limpet.operations.project import Project
from limpet.operations.work.problems import attempt
from limpet.work.pipeline.briefing import ALONE, STORY_DONE, Next, next_command
from limpet.work.pipeline.gate import BUILD, Facts
from limpet.work.pipeline.state import current_step
from limpet.work.stories.evidence import end_command
from limpet.work.stories.store import DONE, read_story, story_file, story_ids
from limpet.work.stories.story import Story, current_task, progress

_STATUS = re.compile(r"^status:[ \t]*[\"']?([\w-]+)", re.MULTILINE)


def what_follows(project: Project, facts: Facts) -> Next:
    """Return what comes next for the project, as far as ``facts`` about its gate are known. A workflow and a story that
    cannot be read count as none."""
    session = project.session
    workflow = attempt(lambda: project.workflow, [])
    step = current_step(session, workflow) if workflow else None
    story = next_of_story(attempt(partial(read_story, project.workspace, story_of(project.in_force.task)), []))
    waiting = story is None and step is not None and step.state == BUILD and _has_open_stories(project.workspace)
    return next_command(session, workflow, project.limits, facts, story, waiting)


def next_of_story(story: Story | None) -> Next | None:
    """Return what comes next for a story: its open task, else its open criterion, and its end; None for one that is
    done. A long command has no place in a block, where the short one names it."""
    if story is None or story.status.lower() == DONE:
        return None
    words, now = story.id, progress(story)
    if story.open_criteria and not current_task(story)[0]:
        words += f", open criterion: {story.open_criteria[0]}"
    elif now:
        words += f", {now}"
    command = end_command(story) if len(story.open_criteria) < 2 else STORY_DONE
    return Next(words=clip(one_line(words), ALONE), command=command)


def story_of(task: object) -> str:
    """Return the id of the story that a task stands for, or would: its own id, else its title; "" for no task."""
    return str(task.get("id") or task.get("title") or "") if isinstance(task, dict) else str(task or "")


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
