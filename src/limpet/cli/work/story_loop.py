"""``limpet work story show|start|done``: the loop from one story to the next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.caller import learn_later, obtain_for, open_project, yes_option
from limpet.cli.completion import complete_story
from limpet.cli.output import emit, json_option
from limpet.cli.work.view import step_now
from limpet.operations.work import stories
from limpet.operations.work.briefing import Following, brief_on_story, comes_next
from limpet.work.pipeline.briefing import briefing_data, knowledge_lines, role_lines
from limpet.work.pipeline.gate import FINISH
from limpet.work.stories.evidence import claimed_line, count_claimed, end_command, whole_lines
from limpet.work.stories.store import Ending, resolve_story, shown_file
from limpet.work.stories.story import ADD, TICK, progress


def show_next(as_json: bool) -> None:
    project = open_project()
    following = comes_next(project)
    place = shown_file(project.workspace, following.story.id) if following.story else ""
    lines: list[str] = []
    if story := following.story:
        lines = [f"{story.id} {story.title} ({place})", *whole_lines(story)]
    emit({**_data(following), "file": place or None}, [*lines, *_ahead(following)], as_json)


@click.command("start")
@click.argument("story_id", metavar="ID", required=False, shell_complete=complete_story)
@click.option("--also", is_flag=True, help="Even if another story is in progress.")
@json_option
def start(story_id: str | None, also: bool, as_json: bool) -> None:
    """Start working on a story, and show it whole.

    It becomes the current task. Without ID, the story in progress, else the first that can begin.

    \b
    Examples:
      limpet work story start
      limpet work story start S-12
      limpet work story start S-13 --also
    """
    project = open_project()
    name = resolve_story(project.workspace, story_id) if story_id else ""
    story = stories.start_story(project, name, also)
    known = {"file": shown_file(project.workspace, story.id), "executor": story.executor, "agent": story.agent}
    head, *lines = stories.describe_story(project, story)
    step = brief_on_story(project, story)
    data = {"story": story.id, **known, "next": end_command(story), "step": briefing_data(step)}
    emit(data, [f"Started {head}", *role_lines(step), *knowledge_lines(step), *lines], as_json)


@click.command("done")
@click.argument("story_id", metavar="ID", required=False, shell_complete=complete_story)
@click.option(
    "--shown",
    multiple=True,
    metavar='"N: EVIDENCE"',
    help="Tick criterion N and keep what shows it: a file, a command, or words. May be repeated.",
)
@click.option("--tasks", is_flag=True, help="Tick all tasks too.")
@click.option("--anyway", is_flag=True, help="Complete it as it is, on a person's word. Needs --why.")
@click.option("--why", default="", metavar="TEXT", help="Reason, for the story's file and the audit log.")
@yes_option
@json_option
def done(
    story_id: str | None,
    shown: tuple[str, ...],
    tasks: bool,
    anyway: bool,
    why: str,
    agreed: bool,
    as_json: bool,
) -> None:
    """Complete a story after its checks succeed.

    Without ID, the story in progress. All criteria and tasks must hold: say so with --shown and --tasks, or tick them
    in its file. Its files must exist, and the checks must succeed. A criterion without evidence is only claimed.

    \b
    Examples:
      limpet work story done --shown "1: tests/test_export.py" --shown "2: python -m app export: 3 rows"
      limpet work story done S-12 --tasks
      limpet work story done S-12 --anyway --why "the last criterion moved to S-14"
    """
    reason = " ".join(why.split())
    if anyway != bool(reason):
        raise click.UsageError("--anyway needs --why TEXT, and --why needs --anyway")
    project = open_project()
    name = resolve_story(project.workspace, story_id) if story_id else ""
    if anyway:
        obtain_for(project.workspace, agreed)(f"Complete {name or 'the story in progress'} as it is ({reason})")
    ended = stories.finish_story(project, name, Ending(shown=tuple(map(_shown, shown)), tasks=tasks, accepted=reason))
    following, finished = comes_next(project), ended.story
    state = progress(finished)
    lines = [f"Completed {finished.id}" + (f"; {state}" if state else "")]
    lines += [f"record     {ended.note}"] if ended.note else []
    lines += [f"claimed    {line}" for line in (claimed_line(finished),) if line]
    for change in ended.learned:
        lines += [f"learned    {line.strip()}" for line in change.lines]
    lines += [f"story      {story.id} {story.title}" for story in (following.story,) if story]
    told = {"claimed": count_claimed(finished), "record": ended.note, "learned": list(map(str, ended.learned))}
    data = {"done": finished.id, **told, **_data(following)}
    more, step = step_now(project, known=True) if following.command == FINISH else ({"step": None}, ())
    emit({**data, **more}, [*lines, *_ahead(following), *step], as_json)
    learn_later(project)


def _shown(text: str) -> tuple[int, str]:
    found = re.fullmatch(r"\s*(\d+)\s*:\s*(\S.*)", text, re.DOTALL)
    if not found:
        raise click.UsageError(f'--shown {text}: use "N: EVIDENCE" with the number of a criterion')
    return int(found[1]), found[2]


def _ahead(following: Following) -> Iterator[str]:
    queue = following.queue
    yield from (f"error      {error}" for _, error in queue.unreadable)
    if following.story is None and not queue.unreadable:
        yield f"{stories.all_done(queue)}." + ("" if queue.done else f" Run: {ADD}")
    if following.command:
        yield f"next       {following.command}"
    elif following.story:
        yield f"next       {TICK.format(following.story.id)}, once it holds"


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
