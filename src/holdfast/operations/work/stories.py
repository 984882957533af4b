"""Stories: added, ticked, noted in, finished, found and listed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.mirror import refresh
from holdfast.operations.work.actor import actor_of
from holdfast.work.stories import store
from holdfast.work.stories.checklist import read_check, read_file
from holdfast.work.stories.story import Story


class Found(Value):
    """Stories of a list.

    ``stories``: (id, story), or the error where it cannot be read.
    ``total``: the number of all stories.
    """

    stories: tuple[tuple[str, Story | HoldfastError], ...]
    total: int


def add(
    workspace: Workspace,
    caller: Caller,
    story_id: str,
    title: str,
    *,
    acceptance: Sequence[str] = (),
    pre_conditions: Sequence[str] = (),
    tasks: Sequence[str] = (),
    files: Sequence[str] = (),
    executor: str = "",
    agent: str = "",
    workflow: str = "",
) -> Story:
    """Add a story; items are written as ``text`` or ``[x] text``, files as ``PATH (new)``. Raises HoldfastError."""
    name = agent.lstrip("@")
    story = Story(
        id=story_id,
        title=" ".join(title.split()),
        executor=executor or "agent",
        executor_name=executor or "agent",
        agent=f"@{name}" if name else "",
        workflow=workflow,
        status="draft",
        acceptance=tuple(map(read_check, acceptance)),
        pre_conditions=tuple(map(read_check, pre_conditions)),
        tasks=tuple(map(read_check, tasks)),
        files=tuple(map(read_file, files)),
    )
    return _changed(workspace, store.add_story(workspace, story, actor_of(workspace, caller)))


def add_text(workspace: Workspace, caller: Caller, story_id: str, text: str) -> Story:
    """Add a story from the text of a ``story.md``. Raises HoldfastError."""
    return _changed(workspace, store.add_story_text(workspace, story_id, text, actor_of(workspace, caller)))


def tick(workspace: Workspace, caller: Caller, story_id: str, field: str, which: str, done: bool = True) -> Story:
    """Tick or clear an item of ``field``: ``pre_conditions``, ``acceptance`` or ``tasks``.

    ``which``: its number, or words that only it has. Raises HoldfastError.
    """
    return _changed(workspace, store.tick_item(workspace, story_id, field, which, done, actor_of(workspace, caller)))


def note(workspace: Workspace, caller: Caller, story_id: str, field: str, text: str) -> Story:
    """Append a paragraph to the ``dev_record`` or the ``qa_results``. Raises HoldfastError."""
    return _changed(workspace, store.add_record(workspace, story_id, field, text, actor_of(workspace, caller)))


def finish(workspace: Workspace, caller: Caller, story_id: str, anyway: bool = False, why: str = "") -> Story:
    """Mark a story as done; with open criteria or tasks only if ``anyway``. Raises HoldfastError."""
    return _changed(workspace, store.finish_story(workspace, story_id, actor_of(workspace, caller), anyway, why))


def find(workspace: Workspace, story_id: str) -> Story:
    """Return the story of this id. Raises HoldfastError where there is none."""
    found = store.read_story(workspace, story_id)
    if found is None:
        raise store.unknown(story_id)
    return found


def list_stories(workspace: Workspace, status: str | None = None, limit: int = 20) -> Found:
    """Return the first ``limit`` stories, of all or with this status; no more are read than necessary."""
    wanted = (
        (name, found)
        for name, found in store.iterate_stories(workspace)
        if status is None or (isinstance(found, Story) and found.status.lower() == status.lower())
    )
    return Found(stories=tuple(islice(wanted, limit)), total=len(store.story_ids(workspace)))


def _changed(workspace: Workspace, story: Story) -> Story:
    refresh(workspace)
    return story
