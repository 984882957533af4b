"""Stories: added, begun, ticked, noted in, finished, found and listed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value
from holdfast.operations.project import Project, clean
from holdfast.operations.work.checks import failed_checks
from holdfast.operations.work.choices import choose, refuse_new_task
from holdfast.operations.work.facts import run_of
from holdfast.operations.work.following import story_of
from holdfast.work.in_force import find_in_force
from holdfast.work.pipeline.gate import FINISH
from holdfast.work.stories import store
from holdfast.work.stories.checklist import read_check, read_file
from holdfast.work.stories.queue import Queue, read_queue
from holdfast.work.stories.story import Story

START, END = "holdfast story start {}", "holdfast story done"


class Following(Value):
    """The story that comes next.

    ``story``: the one in progress, else the first that can begin, else the first that waits; None for none.
    ``command``: the command that begins it, ends it where it is in progress, or ends the step where all are done; ""
    for none.
    """

    queue: Queue
    story: Story | None
    command: str


class Found(Value):
    """Stories of a list.

    ``stories``: (id, story), or the error where it cannot be read.
    ``total``: the number of all stories.
    """

    stories: tuple[tuple[str, Story | HoldfastError], ...]
    total: int


def add(
    project: Project,
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
    return _changed(project, store.add_story(project.workspace, story, project.actor))


def add_text(project: Project, story_id: str, text: str) -> Story:
    """Add a story from the text of a ``story.md``. Raises HoldfastError."""
    return _changed(project, store.add_story_text(project.workspace, story_id, text, project.actor))


def tick(project: Project, story_id: str, field: str, which: str, done: bool = True) -> Story:
    """Tick or clear an item of ``field``: ``pre_conditions``, ``acceptance`` or ``tasks``.

    ``which``: its number, or words that only it has. Raises HoldfastError.
    """
    return _changed(project, store.tick_item(project.workspace, story_id, field, which, done, project.actor))


def note(project: Project, story_id: str, field: str, text: str) -> Story:
    """Append a paragraph to the ``dev_record`` or the ``qa_results``. Raises HoldfastError."""
    return _changed(project, store.add_record(project.workspace, story_id, field, text, project.actor))


def comes_next(project: Project) -> Following:
    """Return the story that comes next. Raises HoldfastError where the session cannot be read."""
    queue = read_queue(project.workspace, run_of(project.session))
    story = next(iter((*queue.under_way, *queue.ready, *queue.waiting)), None)
    if story is None:
        ended = queue.done and not queue.unreadable and project.in_force.workflow
        return Following(queue=queue, story=None, command=FINISH if ended else "")
    command = END if story in queue.under_way else START.format(story.id) if story in queue.ready else ""
    return Following(queue=queue, story=story, command=command)


def start(project: Project, story_id: str, also: bool = False) -> Story:
    """Begin a story, or go on with it: it is in progress, and the task in force with its executor.

    ``also``: though another one is in progress.

    Raises HoldfastError, with nothing changed, for one that does not exist, cannot be read, is done, or has to wait,
    and where so little of the caller's window is left that a handoff is due.
    """
    workspace, run = project.workspace, run_of(project.session)
    find(project, story_id)
    refuse_new_task(project)
    others = [one.id for one in read_queue(workspace, run).under_way if one.id != story_id]
    if others and not also:
        hint = f"End it ({END}), or add --also to work on both."
        raise HoldfastError(f"Cannot start {story_id}: {', '.join(others)} is in progress", "", hint)
    story = store.start_story(workspace, story_id, project.actor, run)
    _choose_task(project, {"id": story.id, "title": story.title, "executor": story.executor})
    return story


def finish(project: Project, story_id: str = "", accepted: str = "") -> Story:
    """Call a story done, the one in progress without an id: nothing in it is open, and the project's checks succeed.

    ``accepted``: why a person takes it as it is; then nothing is asked.

    Raises HoldfastError with every reason against it; then nothing was changed.
    """
    workspace, name = project.workspace, story_id or _under_way(project)
    story = find(project, name)
    if not accepted:
        where = store.shown_file(workspace, name)
        store.refuse_open(story, workspace.root, where)
        failed = failed_checks(project)
        if failed:
            raise HoldfastError("; ".join(failed), where, f"Fix them, then run: {END}")
    done = store.finish_story(workspace, name, project.actor, clean(project, accepted))
    _choose_task(project, None, name)
    return done


def find(project: Project, story_id: str) -> Story:
    """Return the story of this id. Raises HoldfastError where there is none."""
    found = store.read_story(project.workspace, story_id)
    if found is None:
        raise store.unknown(project.workspace, story_id)
    return found


def list_stories(project: Project, status: str | None = None, limit: int = 20) -> Found:
    """Return the first ``limit`` stories, of all or with this status; no more are read than necessary."""
    wanted = (
        (name, found)
        for name, found in store.iterate_stories(project.workspace)
        if status is None or (isinstance(found, Story) and found.status.lower() == status.lower())
    )
    return Found(stories=tuple(islice(wanted, limit)), total=len(store.story_ids(project.workspace)))


def _under_way(project: Project) -> str:
    """Return the id of the story in progress: the task in force where that is one, else the only one."""
    begun = [story.id for story in read_queue(project.workspace, run_of(project.session)).under_way]
    own = story_of(find_in_force(project.session, project.conversation).task)
    if own in begun or len(begun) == 1:
        return own if own in begun else begun[0]
    if begun:
        raise HoldfastError(f"Several stories are in progress: {', '.join(begun)}", "", f"Run: {END} ID")
    raise HoldfastError("No story is in progress", "", "Run: holdfast story next")


def _choose_task(project: Project, task: dict[str, Any] | None, ended: str = "") -> None:
    """Make ``task`` the project's, in place of one that the conversation chose for itself too; None clears the story
    ``ended`` where it is the task."""
    own = project.conversation.get("task")
    if own and (task or story_of(own) == ended):
        choose(project, "task", None, project.caller.conversation)
    if task or story_of(project.session.get("task")) == ended:
        choose(project, "task", task)
    else:
        project.refresh()


def _changed(project: Project, story: Story) -> Story:
    project.refresh()
    return story
