"""``holdfast story next|start|done``: the loop from one story to the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from holdfast.cli.caller import obtain_for, open_project, yes_option
from holdfast.cli.completion import complete_story
from holdfast.cli.output import emit, json_option
from holdfast.cli.work.step import step_now
from holdfast.operations.work import stories
from holdfast.operations.work.briefing import brief_on_story
from holdfast.operations.work.stories import Following
from holdfast.work.pipeline.briefing import briefing_data, role_lines
from holdfast.work.pipeline.gate import FINISH
from holdfast.work.stories.queue import Queue
from holdfast.work.stories.store import resolve_story, shown_file
from holdfast.work.stories.story import Story, progress


@click.command("next")
@json_option
def next_story(as_json: bool) -> None:
    """Show the next story and what is open in it.

    \b
    Examples:
      holdfast story next
      holdfast story next --json
    """
    project = open_project()
    following = stories.comes_next(project)
    place = shown_file(project.workspace, following.story.id) if following.story else ""
    emit({**_data(following), "file": place or None}, [*_lines(following, place), *_ahead(following)], as_json)


@click.command("start")
@click.argument("story_id", metavar="ID", shell_complete=complete_story)
@click.option("--also", is_flag=True, help="Even if another story is in progress.")
@json_option
def start(story_id: str, also: bool, as_json: bool) -> None:
    """Start working on a story and make it the current task.

    \b
    Examples:
      holdfast story start S-12
      holdfast story start S-13 --also
    """
    project = open_project()
    story_id = resolve_story(project.workspace, story_id)
    story = stories.start(project, story_id, also)
    place = shown_file(project.workspace, story_id)
    data = {"story": story.id, "file": place, "executor": story.executor, "agent": story.agent, "next": stories.END}
    step = brief_on_story(project, story)
    head = f"Started {story.id}: {story.title} ({place})"
    end = f"next       {stories.END}, after ticking everything in the file"
    lines = [head, *role_lines(step), *_open_lines(story), end]
    emit({**data, "step": briefing_data(step)}, lines, as_json)


@click.command("done")
@click.argument("story_id", metavar="ID", required=False, shell_complete=complete_story)
@click.option("--anyway", is_flag=True, help="Complete it as it is, on a person's word. Needs --why.")
@click.option("--why", default="", metavar="TEXT", help="Reason, for the story's file and the audit log.")
@yes_option
@json_option
def done(story_id: str | None, anyway: bool, why: str, agreed: bool, as_json: bool) -> None:
    """Complete a story after its checks succeed.

    Without ID, the story in progress. All criteria and tasks must be ticked, its files must exist, and the checks must
    succeed.

    \b
    Examples:
      holdfast story done
      holdfast story done S-12 --anyway --why "the last criterion moved to S-14"
    """
    reason = " ".join(why.split())
    if anyway != bool(reason):
        raise click.UsageError("--anyway needs --why TEXT, and --why needs --anyway")
    project = open_project()
    name = resolve_story(project.workspace, story_id) if story_id else ""
    if anyway:
        obtain_for(project.workspace, agreed)(f"Complete {name or 'the story in progress'} as it is ({reason})")
    finished = stories.finish(project, name, reason)
    following = stories.comes_next(project)
    state = progress(finished)
    head = f"Completed {finished.id}" + (f"; {state}" if state else "")
    more, step = step_now(project) if following.command == FINISH else ({"step": None}, ())
    emit({"done": finished.id, **_data(following), **more}, [head, *_ahead(following), *step], as_json)


def _lines(following: Following, place: str) -> Iterator[str]:
    story, queue = following.story, following.queue
    if story:
        yield f"{story.id} {story.title} ({place})"
        yield from (f"waits for  {text}" for text in story.open_conditions if story in queue.waiting)
        yield from _open_lines(story)


def _open_lines(story: Story) -> Iterator[str]:
    if not story.acceptance:
        yield "criterion  none yet: add at least one under acceptance before completing it"
    yield from (f"criterion  {text}" for text in story.open_criteria)
    yield from (f"task       {text}" for text in story.open_tasks)
    yield from (f"file       {path}" for path, _ in story.files)


def _ahead(following: Following) -> Iterator[str]:
    """Yield what cannot be read, and the next command, or that there is nothing to do."""
    queue = following.queue
    yield from (f"error      {error}" for _, error in queue.unreadable)
    if following.story is None and not queue.unreadable:
        yield _all_done(queue)
    if following.command:
        yield f"next       {following.command}"
    elif following.story:
        yield f"next       holdfast story tick {following.story.id} --pre WHICH, once it holds"


def _all_done(queue: Queue) -> str:
    if not queue.done:
        return 'No stories yet. Run: holdfast story add ID "TITLE" --criterion TEXT'
    return f"All {queue.done} stories are done." if queue.done > 1 else "The only story is done."


def _data(following: Following) -> dict[str, Any]:
    story, queue = following.story, following.queue
    return {
        "story": story.id if story else None,
        "title": story.title if story else None,
        "status": story.status if story else None,
        "open_criteria": list(story.open_criteria) if story else [],
        "open_tasks": list(story.open_tasks) if story else [],
        "in_progress": [one.id for one in queue.under_way],
        "ready": [one.id for one in queue.ready],
        "waiting": {one.id: list(one.open_conditions) for one in queue.waiting},
        "unreadable": {name: str(error) for name, error in queue.unreadable},
        "done_stories": queue.done,
        "next": following.command or None,
    }
