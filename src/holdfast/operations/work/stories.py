"""Stories: added, begun, ticked, noted in, finished, found and listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.mirror import refresh
from holdfast.operations.work.actor import actor_of
from holdfast.operations.work.checks import failed_checks
from holdfast.operations.work.choices.choose import choose, refuse_new_task
from holdfast.work.in_force import find_in_force
from holdfast.work.project import read_project
from holdfast.work.session import read_state
from holdfast.work.stories import store
from holdfast.work.stories.checklist import read_check, read_file
from holdfast.work.stories.queue import Queue, read_queue
from holdfast.work.stories.story import Story

START, END, FINISH = "holdfast story start {}", "holdfast story done", "holdfast work finish -"

Checks = Callable[[], tuple[str, ...]]
"""Runs the project's checks and returns the reasons for which they fail, nothing where they succeed."""


def project_checks(workspace: Workspace, caller: Caller) -> Checks:
    """Return the checks that a story has to pass: those of the settings."""
    return lambda: failed_checks(workspace, caller)


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


def comes_next(workspace: Workspace) -> Following:
    """Return the story that comes next. Raises HoldfastError where the session cannot be read."""
    session, _ = read_project(workspace)
    queue = read_queue(workspace, _run_of(session))
    story = next(iter((*queue.under_way, *queue.ready, *queue.waiting)), None)
    if story is None:
        ended = queue.done and not queue.unreadable and find_in_force(session).workflow
        return Following(queue=queue, story=None, command=FINISH if ended else "")
    command = END if story in queue.under_way else START.format(story.id) if story in queue.ready else ""
    return Following(queue=queue, story=story, command=command)


def start(workspace: Workspace, caller: Caller, story_id: str, also: bool = False) -> Story:
    """Begin a story, or go on with it: it is in progress, and the task in force with its executor.

    ``also``: though another one is in progress.

    Raises HoldfastError, with nothing changed, for one that does not exist, cannot be read, is done, or has to wait,
    and where so little of the caller's window is left that a handoff is due.
    """
    session, _ = read_project(workspace)
    find(workspace, story_id)
    refuse_new_task(workspace, caller.conversation)
    others = [one.id for one in read_queue(workspace, _run_of(session)).under_way if one.id != story_id]
    if others and not also:
        hint = f"End it ({END}), or add --also to work on both."
        raise HoldfastError(f"Cannot start {story_id}: {', '.join(others)} is in progress", "", hint)
    story = store.start_story(workspace, story_id, actor_of(workspace, caller), _run_of(session))
    _choose_task(workspace, caller, {"id": story.id, "title": story.title, "executor": story.executor})
    return story


def finish(
    workspace: Workspace, caller: Caller, story_id: str = "", accepted: str = "", checks: Checks | None = None
) -> Story:
    """Call a story done, the one in progress without an id: nothing in it is open, and the project's checks succeed.

    ``accepted``: why a person takes it as it is; then nothing is asked.
    ``checks``: run in place of the project's.

    Raises HoldfastError with every reason against it; then nothing was changed.
    """
    name = story_id or _under_way(workspace, caller)
    story = find(workspace, name)
    if not accepted:
        where = store.shown_file(workspace, name)
        store.refuse_open(story, workspace.root, where)
        failed = (checks or project_checks(workspace, caller))()
        if failed:
            raise HoldfastError("; ".join(failed), where, f"Fix them, then run: {END}")
    done = store.finish_story(workspace, name, actor_of(workspace, caller), without_secrets(workspace, accepted))
    _choose_task(workspace, caller, None, name)
    return _changed(workspace, done)


def find(workspace: Workspace, story_id: str) -> Story:
    """Return the story of this id. Raises HoldfastError where there is none."""
    found = store.read_story(workspace, story_id)
    if found is None:
        raise store.unknown(workspace, story_id)
    return found


def resolve(workspace: Workspace, typed: str) -> str:
    """Return the id of the story that is typed, whole or as the beginning of this id alone. Raises HoldfastError."""
    return store.resolve_story(workspace, typed)


def list_stories(workspace: Workspace, status: str | None = None, limit: int = 20) -> Found:
    """Return the first ``limit`` stories, of all or with this status; no more are read than necessary."""
    wanted = (
        (name, found)
        for name, found in store.iterate_stories(workspace)
        if status is None or (isinstance(found, Story) and found.status.lower() == status.lower())
    )
    return Found(stories=tuple(islice(wanted, limit)), total=len(store.story_ids(workspace)))


def _under_way(workspace: Workspace, caller: Caller) -> str:
    """Return the id of the story in progress: the task in force where that is one, else the only one."""
    session, _ = read_project(workspace)
    begun = [story.id for story in read_queue(workspace, _run_of(session)).under_way]
    own = _story_of(find_in_force(session, read_state(workspace, caller.conversation)).task)
    if own in begun or len(begun) == 1:
        return own if own in begun else begun[0]
    if begun:
        raise HoldfastError(f"Several stories are in progress: {', '.join(begun)}", "", f"Run: {END} ID")
    raise HoldfastError("No story is in progress", "", "Run: holdfast story next")


def _choose_task(workspace: Workspace, caller: Caller, task: dict[str, Any] | None, ended: str = "") -> None:
    """Make ``task`` the project's, in place of one that the conversation chose for itself too; None clears the story
    ``ended`` where it is the task."""
    own = read_state(workspace, caller.conversation).get("task")
    if own and (task or _story_of(own) == ended):
        choose(workspace, "task", None, caller.conversation)
    if task or _story_of(read_project(workspace)[0].get("task")) == ended:
        choose(workspace, "task", task)


def _story_of(task: object) -> str:
    return str(task.get("id") or task.get("title") or "") if isinstance(task, dict) else str(task or "")


def _run_of(session: dict[str, Any]) -> str:
    return str(session.get("run") or "")


def _changed(workspace: Workspace, story: Story) -> Story:
    refresh(workspace)
    return story
