"""Where the work stands, as one value: mirror, status, briefing and continuation are renderings of it.

Separate from what makes it of the project's files (``operations.work.situation``). Pure.
"""

from __future__ import annotations

from typing import Any

from limpet.ground.formats.markdown import one_line
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.work.in_force import InForce
from limpet.work.pipeline.briefing import ALONE, STORY_DONE, Next
from limpet.work.pipeline.deviation import open_deviations
from limpet.work.pipeline.gate import Facts
from limpet.work.pipeline.overview import pipeline_line
from limpet.work.pipeline.state import Session
from limpet.work.pipeline.workflow import Workflow, WorkflowStep
from limpet.work.stories.evidence import end_command
from limpet.work.stories.store import DONE
from limpet.work.stories.story import Story, current_task, progress


class Situation(Value):
    """Where the project's work stands, for the project itself or for one conversation.

    ``found``: what is in force.
    ``workflow``: the one whose steps are under way; None without one, and where the conversation follows its own.
    ``step``: the step that is due in it.
    ``task``: ``id``, ``title`` and ``executor``, as far as it has them; empty for none.
    ``story``: that of the task; ``unreadable``: why it cannot be read.
    ``facts``: what is known of the step's gate beside the session.
    ``following``: what comes next.
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
    problems: tuple[str, ...]

    @property
    def pipeline(self) -> str:
        return pipeline_line(self.session, self.workflow, self.facts) if self.workflow else ""

    @property
    def deviations(self) -> list[dict[str, Any]]:
        """Those that are open, the newest last."""
        return open_deviations(self.session)


def task_fields(task: object) -> dict[str, Any]:
    """Return a session's task as a mapping, whose title may be all of it; empty for none."""
    if isinstance(task, dict):
        return task
    return {"title": task} if isinstance(task, str) and task else {}


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
