"""``limpet work story import``: stories of other tools' files, and where a story came from."""

from __future__ import annotations

from collections.abc import Iterator

import click

from limpet.cli.caller import obtain_for, open_project
from limpet.cli.output import counted, emit, json_option, tell
from limpet.cli.screen import show_progress
from limpet.operations.caller import from_root
from limpet.operations.work.story_import import ImportedStories, import_stories
from limpet.work.stories.evidence import says_done
from limpet.work.stories.queue import START_STORY


@click.command("import")
@click.argument("path", metavar="PATH", type=click.Path())
@json_option
def import_command(path: str, as_json: bool) -> None:
    """Import stories and tasks from other tools' files.

    PATH is a file or folder: tasks.md of spec-kit or OpenSpec, stories of BMAD or AIOS, or any list with boxes. Each
    part of a list becomes a story. They keep where they came from; a second import adds only what is new. Exit code 1
    if something could not be imported.

    \b
    Examples:
      limpet work story import specs/001-album/tasks.md
      limpet work story import docs/stories
    """
    project = open_project()
    with show_progress("Importing stories"):
        done = import_stories(project, from_root(project.workspace, path), obtain_for(project.workspace))
    added = []
    for story, part in done.added:
        about = {"id": story.id, "title": story.title, "tasks": len(story.tasks)}
        added.append({**about, "file": story.imported_from, "line": part.line})
    first = next((story.id for story, _ in done.added if not says_done(story)), "")
    following = START_STORY.format(first) if first else ""
    data = {"added": added, "known": list(done.known), "problems": list(done.problems), "next": following}
    data |= {"moved": [{"id": name, "file": file} for name, file in done.moved]}
    data |= {"changed": [{"id": name, "what": what} for name, what in done.changed]}
    emit(data, [*_lines(done), *([f"next       {following}"] if following else [])], as_json)
    tell(*done.problems)
    raise SystemExit(1 if done.problems else 0)


def _lines(done: ImportedStories) -> Iterator[str]:
    yield f"Imported {counted(len(done.added), 'story')}; {len(done.known)} imported before"
    for story, part in done.added:
        yield f"{story.id}  {story.imported_from}:{part.line}  {story.title}"
    yield from (f"{name}  moved to {file}" for name, file in done.moved)
    yield from (f"{name}  its file says otherwise: {what}" for name, what in done.changed)
