"""``limpet work story``: units of work with their pre-conditions, tasks and criteria."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.caller import obtain_for, open_project
from limpet.cli.completion import complete_agent, complete_story
from limpet.cli.groups import Commands, SuggestingChoice
from limpet.cli.output import emit, json_option, table, tell
from limpet.cli.screen import Line
from limpet.cli.work.handoff import end_with, read_given, reason_data, reason_lines
from limpet.cli.work.story_import import import_command
from limpet.cli.work.story_loop import done, show_next, start
from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.ground.workspace import Workspace
from limpet.operations.work import stories
from limpet.operations.work.story_import import tick_source, trace_source
from limpet.work.markdown_file import Reason
from limpet.work.stories.edit import find_number
from limpet.work.stories.evidence import claimed_line, count_claimed, remarks, task_lines
from limpet.work.stories.store import read_story, resolve_story, verify_story
from limpet.work.stories.story import KINDS, Story, progress

SHOWN = 70
LISTS = {"pre": "pre_conditions", "criterion": "acceptance", "task": "tasks"}

id_argument = click.argument("story_id", metavar="ID", shell_complete=complete_story)


@click.group(
    cls=Commands,
    sections={
        "See": ("list", "show"),
        "Work": ("start", "tick", "done"),
        "Plan": ("add", "import"),
    },
)
def story() -> None:
    """Plan stories and track their progress.

    \b
    Examples:
      limpet work story add "Add the export" --criterion "A CSV file is downloaded"
      limpet work story start
      limpet work story done --shown "1: tests/test_export.py"
    """


@story.command()
@click.argument("words", metavar='[ID] "TITLE"', nargs=-1, required=True)
@click.option("--from", "path", metavar="FILE", help="Read the text of a story.md (- for stdin) instead of options.")
@click.option(
    "--criterion", "acceptance", multiple=True, metavar="TEXT", help="An acceptance criterion. May be repeated."
)
@click.option("--pre", "pre_conditions", multiple=True, metavar="TEXT", help="A pre-condition. May be repeated.")
@click.option("--task", "tasks", multiple=True, metavar="TEXT", help="A task. May be repeated.")
@click.option(
    "--file",
    "--touches",
    "files",
    multiple=True,
    metavar='PATH or "PATH (new)"',
    help="A file to change: new, modify or delete. May be repeated.",
)
@click.option("--executor", type=SuggestingChoice(KINDS), help="Who works on it.  [default: agent]")
@click.option("--agent", metavar="AGENT", shell_complete=complete_agent, help="Agent that works on it.")
@click.option("--workflow", metavar="NAME", help="Workflow it belongs to.")
@json_option
def add(words: tuple[str, ...], path: str | None, as_json: bool, **content: Any) -> None:
    """Add a story.

    One argument is the title, and the story gets the next free ID: S-1, S-2, and so on. Two are ID and title. With
    --from, the one argument is the ID.

    \b
    Examples:
      limpet work story add "Add the export" --criterion "A CSV file is downloaded" --file src/export.py
      limpet work story add S-12 "Add the import" --criterion "The file is read" --file "src/import.py (new)"
      limpet work story add S-13 --from draft.md
    """
    if len(words) > (1 if path else 2) or (path and any(content.values())):
        raise click.UsageError("give TITLE in quotes, or ID and TITLE, with options; or ID with --from")
    # A title of one word that looks like this is an id whose title was forgotten.
    is_id = len(words) == 1 and re.fullmatch(r"[A-Za-z]+-?\d[\w.-]*", words[0])
    if not path and (is_id or not words[-1].strip()):
        raise click.UsageError(f'give a title too: limpet work story add {words[0]} "TITLE"')
    project = open_project()
    obtain = obtain_for(project.workspace)
    if path:
        made = stories.add_text(project, words[0], read_given(path), obtain)
    else:
        given = {key: value for key, value in content.items() if value is not None}
        made = stories.add_story(project, words[0] if len(words) == 2 else "", words[-1], **given, obtain=obtain)
    state = progress(made)
    lines = [f"Added {made.id}: .limpet/stories/{made.id}/story.md" + (f"; {state}" if state else "")]
    lines += [f"seen       {remark}" for remark in remarks(made)]
    following = stories.after_adding(project, made)
    emit({**_describe(made), "next": following}, [*lines, f"next       {following}"], as_json)


@story.command()
@click.argument("story_id", metavar="[ID]", default="", shell_complete=complete_story)
@click.option("--check", "checks", is_flag=True, help="Check the story's file. Exit code 1 if it has an error.")
@json_option
def show(story_id: str, checks: bool, as_json: bool) -> None:
    """Show a story as agents see it, and its progress.

    Without ID, the one in progress, else the next one, with all that is open in it.

    \b
    Examples:
      limpet work story show
      limpet work story show S-12
      limpet work story show S-12 --check
    """
    if not story_id:
        if checks:
            raise click.UsageError("--check needs ID")
        show_next(as_json)
        return
    project = open_project()
    story_id = resolve_story(project.workspace, story_id)
    if checks:
        _check(project.workspace, story_id, as_json)
        return
    found = stories.find_story(project, story_id)
    source = _source_line(project.workspace, found)
    claimed = claimed_line(found)
    state = [found.status and f"Status: {found.status}", progress(found), claimed and f"Claimed: {claimed}", source]
    state = [line for line in (*state, *remarks(found)) if line]
    lines = [*task_lines(found), *([""] if state else []), *state]
    emit(_describe(found) | {"source": source}, lines, as_json)
    tell(*found.problems)


@story.command("list")
@click.option("--status", metavar="WORD", help="Only stories with this status.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Maximum number of results.")
@json_option
def list_stories(status: str | None, limit: int, as_json: bool) -> None:
    """List the stories.

    \b
    Examples:
      limpet work story list
      limpet work story list --status in_progress --limit 100
    """
    project = open_project()
    found = stories.listed_stories(project, status, limit)
    changed = {}
    for story_id, one in found.stories:
        if isinstance(one, Story) and one.imported_from and (what := trace_source(project.workspace, one)[1]):
            changed[story_id] = f"{one.imported_from} {what}"
    listed = [_listed(*pair) | {"source": changed.get(pair[0], "")} for pair in found.stories]
    data = {"total": found.total, "stories": listed}
    told = (f"{story_id}: its source says otherwise: {what}" for story_id, what in changed.items())
    emit(data, [*_list_lines(found, status), *told], as_json)


def _check(workspace: Workspace, story_id: str, as_json: bool) -> None:
    found, reasons = read_story(workspace, story_id), verify_story(workspace, story_id)
    place, what = trace_source(workspace, found) if found and found.imported_from else ("", "")
    if what:
        reasons = (*reasons, Reason(what=f"source {what}", where=place, hint="compare the two", grave=False))
    wrong = any(reason.grave for reason in reasons)
    data = {"story": story_id, "ok": not wrong, "reasons": reason_data(reasons)}
    emit(data, reason_lines(reasons) if reasons else [f"ok     {story_id}"], as_json)
    end_with(wrong)


@story.command()
@id_argument
@click.option("--criterion", metavar="WHICH", help="Acceptance criterion, by number or unique words.")
@click.option("--task", metavar="WHICH", help="Task, by number or unique words.")
@click.option("--pre", metavar="WHICH", help="Pre-condition, by number or unique words.")
@click.option("--undo", is_flag=True, help="Clear the tick.")
@click.option("--note", metavar="TEXT", help="Append this to its Dev Agent Record, and tick nothing.")
@click.option("--qa", is_flag=True, help="With --note: append it to the QA Results.")
@click.option("--source", "in_source", is_flag=True, help="Tick it in the file that it was imported from, too.")
@json_option
def tick(
    story_id: str, undo: bool, note: str | None, qa: bool, in_source: bool, as_json: bool, **which: str | None
) -> None:
    """Tick a criterion or task, or append a note.

    \b
    Examples:
      limpet work story tick S-12 --criterion 2
      limpet work story tick S-12 --task "rate limiting"
      limpet work story tick S-12 --note "Rate limits live in src/auth/limits.ts."
      limpet work story tick S-12 --note "PASS: all criteria shown by tests." --qa
    """
    given = [(LISTS[name], words) for name, words in which.items() if words]
    if len(given) + (note is not None) != 1 or (note is None and qa) or (note is not None and (undo or in_source)):
        raise click.UsageError("give one of --criterion, --task, --pre and --note (with --qa)")
    if note is not None:
        _note(story_id, note, qa, as_json)
        return
    project = open_project()
    story_id, (field, words) = resolve_story(project.workspace, story_id), given[0]
    back = ""
    if in_source:
        before = stories.find_story(project, story_id)
        texts = [text for _, text in getattr(before, field)]
        item = texts[find_number(texts, words, field, story_id)]
        back = f"; {tick_source(project, before, field, item, not undo)} too"
    changed = stories.tick_criterion(project, story_id, field, words, not undo)
    checks = getattr(changed, field)
    count = f"{sum(done for done, _ in checks)} of {len(checks)}"
    names = {"pre_conditions": "pre-conditions", "acceptance": "acceptance criteria", "tasks": "tasks"}
    after = (f"next       {stories.after_adding(project, changed)}",) if field == LISTS["pre"] and not undo else ()
    _tell(changed, f"{story_id}: {count} {names[field]} done{back}", as_json, after)


def _source_line(workspace: Workspace, found: Story) -> str:
    place, what = trace_source(workspace, found) if found.imported_from else ("", "")
    return f"Source: {place}{f' ({what})' if what else ''}" if place else ""


def _note(story_id: str, text: str, qa: bool, as_json: bool) -> None:
    if not text.strip():
        raise click.UsageError("TEXT is empty")
    project = open_project()
    story_id = resolve_story(project.workspace, story_id)
    changed = stories.note_on_story(project, story_id, "qa_results" if qa else "dev_record", text)
    _tell(changed, f"Added to the {'QA Results' if qa else 'Dev Agent Record'} of {story_id}", as_json)


for command in (start, done, import_command):
    story.add_command(command)


def _tell(changed: Story, line: str, as_json: bool, after: tuple[str, ...] = ()) -> None:
    state = progress(changed)
    emit(_describe(changed), [f"{line}; {state}" if state else line, *after], as_json)


def _describe(found: Story) -> dict[str, Any]:
    lists: dict[str, list[Any]] = {}
    for key in LISTS.values():
        lists[key] = [{"done": done, "text": text} for done, text in getattr(found, key)]
    lists["files"] = [{"path": path, "change": change} for path, change in found.files]
    lists["problems"] = list(found.problems)
    texts = {key: getattr(found, key) for key in Story.fields if key not in lists and key != "executor_name"}
    return {**texts, **lists, "progress": progress(found), **_seen(found)}


def _seen(found: Story) -> dict[str, Any]:
    return {"claimed": count_claimed(found), "remarks": list(remarks(found))}


def _listed(story_id: str, found: Story | LimpetError) -> dict[str, Any]:
    if isinstance(found, LimpetError):
        return {"id": story_id, "error": str(found)}
    keys = ("id", "title", "status", "executor", "agent", "workflow")
    return {**{key: getattr(found, key) for key in keys}, "progress": progress(found), **_seen(found)}


def _list_lines(found: stories.FoundStory, status: str | None) -> Iterator[Line]:
    if not found.stories:
        yield "No stories." if status is None else f"No stories with status {status} ({found.total} in total)."
        return
    yield from table([("id", "status", "criteria", "title"), *(_row(*pair) for pair in found.stories)], heading=True)
    if len(found.stories) < found.total:
        yield f"{len(found.stories)} of {found.total} stories"


def _row(story_id: str, found: Story | LimpetError) -> tuple[object, ...]:
    if isinstance(found, LimpetError):
        return story_id, "?", "", clip(str(found), SHOWN)
    met = len(found.acceptance) - len(found.open_criteria)
    title = "; ".join((clip(found.title, SHOWN), *remarks(found)))
    return story_id, found.status or "-", f"{met}/{len(found.acceptance)}", title
