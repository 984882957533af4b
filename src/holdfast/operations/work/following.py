"""What comes next in the work, with what the stories say: the same for status, block and continuation."""

from __future__ import annotations

import re
from typing import Any

from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.storage.files import read_text
from holdfast.ground.workspace import Workspace
from holdfast.work.in_force import find_in_force
from holdfast.work.pipeline.evidence import Facts
from holdfast.work.pipeline.move import read_limits
from holdfast.work.pipeline.next_command import Next, StoryInHand, next_command
from holdfast.work.pipeline.view import current_step
from holdfast.work.pipeline.workflow import Workflow
from holdfast.work.stories.store import DONE, read_story, story_file, story_ids
from holdfast.work.stories.story import Story, current_task, progress

_STATUS = re.compile(r"^status:[ \t]*[\"']?([\w-]+)", re.MULTILINE)


def what_follows(workspace: Workspace, session: dict[str, Any], workflow: Workflow | None, facts: Facts) -> Next:
    """Return what comes next for the project, as far as ``facts`` about its gate are known. A story that cannot be read
    counts as none."""
    story = in_hand(_story(workspace, find_in_force(session).task))
    waiting = story is None and _builds(session, workflow) and _has_open_stories(workspace)
    return next_command(session, workflow, read_limits(load_settings(workspace)[0]), facts, story, waiting)


def in_hand(story: Story | None) -> StoryInHand | None:
    """Return what is open in a story; None for one that is done."""
    if story is None or story.status.lower() == DONE:
        return None
    is_open = bool(current_task(story)[0])
    return StoryInHand(id=story.id, progress=progress(story), is_open=is_open, criteria=story.open_criteria)


def _story(workspace: Workspace, task: object) -> Story | None:
    name = str((task.get("id") or task.get("title") or "") if isinstance(task, dict) else task or "")
    try:
        return read_story(workspace, name) if name else None
    except (HoldfastError, OSError):
        return None


def _builds(session: dict[str, Any], workflow: Workflow | None) -> bool:
    step = current_step(session, workflow) if workflow else None
    return step is not None and step.state == "build"


def _has_open_stories(workspace: Workspace) -> bool:
    """Return whether any story is not done, by its status alone: there may be a thousand of them."""
    for story_id in reversed(story_ids(workspace)):
        path = story_file(workspace, story_id)
        text = read_text(path, STATE_BYTES) if path else None
        if text is None:
            continue
        status = _STATUS.search(text)
        if status is None or status[1].lower() != DONE:
            return True
    return False
