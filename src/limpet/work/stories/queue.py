"""The stories that are not done, in order: which is under way, which can begin, which wait."""

from __future__ import annotations

from limpet.ground.errors import LimpetError
from limpet.ground.text.folding import fold
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.work.stories.evidence import is_done
from limpet.work.stories.store import iterate_stories
from limpet.work.stories.story import Story

START_STORY = "limpet work story start {}"
UNDER_WAY = ("in_progress", "em_andamento", "en_curso", "en_cours")
"""What the status of a story that is in progress may say, without case and accents, and with ``_`` for spaces."""


class Queue(Value):
    """The stories that are not done, in the order of their ids: under way, and the others by whether their
    pre-conditions are met. ``unreadable``: (id, why). ``done``: the number of those that are done."""

    under_way: tuple[Story, ...]
    ready: tuple[Story, ...]
    waiting: tuple[Story, ...]
    unreadable: tuple[tuple[str, LimpetError], ...]
    done: int


def read_queue(workspace: Workspace) -> Queue:
    """Whatever run of a workflow they were begun in, here or in another clone."""
    found = tuple(iterate_stories(workspace))
    stories = [story for _, story in found if isinstance(story, Story)]
    todo = [story for story in stories if not is_done(story)]
    begun = tuple(story for story in todo if is_under_way(story.status))
    rest = [story for story in todo if story not in begun]
    return Queue(
        under_way=begun,
        ready=tuple(story for story in rest if not story.open_conditions),
        waiting=tuple(story for story in rest if story.open_conditions),
        unreadable=tuple((name, error) for name, error in found if isinstance(error, LimpetError)),
        done=len(stories) - len(todo),
    )


def open_stories(workspace: Workspace) -> tuple[str, ...]:
    """Return the ids of the stories that are not done, in order; one that cannot be read counts as open."""
    return tuple(
        name for name, story in iterate_stories(workspace) if isinstance(story, LimpetError) or not is_done(story)
    )


def is_under_way(status: str) -> bool:
    return fold(status).replace("-", "_").replace(" ", "_") in UNDER_WAY
