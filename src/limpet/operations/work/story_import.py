"""Stories of other tools' files: taken over once, and traced to where they came from."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from shlex import quote

from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import iterate_items, set_box
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.approval import Obtain
from limpet.operations.binding import permit_story
from limpet.operations.commit import refresh
from limpet.operations.project import Project
from limpet.work.documents.project_files import ProjectFiles
from limpet.work.markdown_file import is_safe_name, read_inside, rewrite, sole_document_writer
from limpet.work.outputs import lies_inside
from limpet.work.stories import store
from limpet.work.stories.evidence import is_done, says_done
from limpet.work.stories.imported import StoryPart, difference, read_parts
from limpet.work.stories.story import Story

TASK_LIST, ENDING = "tasks.md", ".md"
MOST_FILES = 500
# Folders whose lists are no work to do: what is over, forms, questions to a text.
_SKIPPED = frozenset(("archive", "templates", "checklists", "node_modules", "vendor"))
_NO_NAME, _LONGEST_NAME = re.compile(r"[^A-Za-z0-9._-]+"), 40
_NO_STORIES = ("readme", "index", "template", "changelog")


class ImportedStories(Value):
    """``added``: stories with their part of a file. ``known``: ids of those that were taken over before; ``moved``: id
    and new file; ``changed``: id and what its file says otherwise now. ``problems``: lines on what cannot be read."""

    added: tuple[tuple[Story, StoryPart], ...] = ()
    known: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    changed: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()


def import_stories(project: Project, path: str, obtain: Obtain | None = None) -> ImportedStories:
    """``path``: of a file or folder, from the root. Raise LimpetError where it holds nothing to do."""
    workspace, problems = project.workspace, list[str]()
    found: list[tuple[str, StoryPart]] = []
    for file in _files(workspace.root, path):
        try:
            found += [(file, part) for part in _read_parts(workspace, file)]
        except LimpetError as error:
            problems.append(str(error))
    if any(part.text for _, part in found):  # beside stories, what else has boxes is about them
        found = [each for each in found if each[1].text or os.path.basename(each[0]) == TASK_LIST]
    if not found and not problems:
        raise LimpetError("No story and no task found", path, "A task is a line with a box: - [ ] TEXT")
    permit_story(project, obtain, f"Import stories from {path}")
    known = [one for _, one in store.iterate_stories(workspace) if isinstance(one, Story) and one.imported_from]
    done = ImportedStories(problems=tuple(problems))
    for file, part in found:
        done = _take(project, known, file, part, done)
    refresh(project)
    return done


def trace_source(workspace: Workspace, story: Story) -> tuple[str, str]:
    """Return where it came from, as ``file:line``, and what is no longer as it was, "" for nothing."""
    file = story.imported_from
    try:
        parts = _read_parts(workspace, file)
    except LimpetError as error:
        return file, f"cannot be read: {error.what}"
    part = _find(story, parts)
    if part:
        return f"{file}:{part.line}", difference(story, part)
    name = os.path.basename(file)
    for path in ProjectFiles(workspace.root).paths:
        if os.path.basename(path) == name and path != file:
            with suppress(LimpetError):
                if any(part.says == story.imported_as for part in _read_parts(workspace, path)):
                    return path, f"moved: run limpet work story import {quote(path)}"
    return file, "this part is gone" if parts else "is gone"


def tick_source(project: Project, story: Story, field: str, words: str, done: bool) -> str:
    """Tick it in the file that the story came from, every other byte kept; return its ``file:line``. ``words``: of the
    item. Raise LimpetError where the file does not have them."""
    workspace, place = project.workspace, list[str]()
    file, name = story.imported_from, field.replace("_", " ")
    if not file:
        raise LimpetError("Story was not imported", story.id, "Only an imported story has a file to write back to.")

    def change(text: str | None) -> str:
        part = _find(story, _parts_of(text or "", file))
        items = iterate_items(text or "", part.start, part.end) if part and text else iter(())
        item = next((each for each in items if each.text == words), None)
        if text is None or item is None:
            raise LimpetError(f"No item of {name} with these words", file, "Tick it there by hand.")
        place[:] = [f"{file}:{text.count(chr(10), 0, item.words) + 1}"]
        return set_box(text, item, done)

    with sole_document_writer(workspace, store.STORIES):
        rewrite(_place(workspace, file), file, change)
    return place[0]


def _take(project: Project, known: list[Story], file: str, part: StoryPart, done: ImportedStories) -> ImportedStories:
    workspace = project.workspace
    before = next((one for one in known if one.imported_from == file and _find(one, (part,))), None)
    if before:
        what = difference(before, part)
        changed = (*done.changed, (before.id, what)) if what else done.changed
        return done.replace(known=(*done.known, before.id), changed=changed)
    gone = (one for one in known if not os.path.lexists(os.path.join(workspace.root, one.imported_from)))
    moved = next((one for one in gone if one.imported_as == part.says), None)
    if moved:
        store.set_story_fields(workspace, moved.id, {"imported_from": file}, project.actor)
        return done.replace(moved=(*done.moved, (moved.id, file)))
    try:
        added = _add(project, file, part)
    except LimpetError as error:
        return done.replace(problems=(*done.problems, str(error)))
    known.append(added)
    return done.replace(added=(*done.added, (added, part)))


def _add(project: Project, file: str, part: StoryPart) -> Story:
    workspace = project.workspace
    fields = {"imported_from": file, "imported_part": part.heading, "imported_as": part.says}
    finished = part.text and says_done(part.story) and not is_done(part.story)
    is_said_done = finished or (not part.text and says_done(part.story))
    if is_said_done and project.caller.reader.person:  # an agent can tick a file, and import it
        fields["accepted"] = f"done in {file}"
    if part.text and part.heading:
        fields["title"] = part.heading
    given = {name: value for name, value in fields.items() if value}
    if not part.text:
        return store.add_story(workspace, part.story.replace(**given), project.actor)
    name = _NO_NAME.sub("-", part.heading or os.path.basename(file).removesuffix(ENDING).removesuffix(".story"))
    name = name.strip("-.")[:_LONGEST_NAME].rstrip("-.")
    ids = (name, *(f"{name}-{number}" for number in range(2, 100)))
    free = next((one for one in ids if is_safe_name(one) and store.read_story(workspace, one) is None), "")
    return store.add_story_text(workspace, free or f"S-{part.says}", part.text, project.actor, given)


def _read_parts(workspace: Workspace, file: str) -> tuple[StoryPart, ...]:
    return _parts_of(read_inside(_place(workspace, file), file) or "", file)


def _place(workspace: Workspace, file: str) -> str:
    """A story's file may name any."""
    if not lies_inside(workspace.root, file):
        raise LimpetError("File is outside the project", file, "Correct imported_from in the story.")
    return os.path.join(workspace.root, file)


def _parts_of(text: str, file: str) -> tuple[StoryPart, ...]:
    folder, name = os.path.split(file)
    return read_parts(text, file, os.path.basename(folder) if name == TASK_LIST else "")


def _find(story: Story, parts: tuple[StoryPart, ...]) -> StoryPart | None:
    named = (part for part in parts if part.heading == story.imported_part)
    return next(named, None) or next((part for part in parts if part.says == story.imported_as), None)


def _files(root: str, path: str) -> Iterator[str]:
    """From the root. Where a folder has a list of tasks, the other files in it and below are about those."""
    full = os.path.join(root, path)
    if not lies_inside(root, path) or not os.path.exists(full):
        raise LimpetError("No file or folder of the project", path, "Copy it into the project first.")
    if os.path.isfile(full):
        yield os.path.relpath(full, root).replace(os.sep, "/")
    count = 0
    for folder, folders, names in os.walk(full):
        has_list = TASK_LIST in names
        folders[:] = sorted(each for each in folders if not (has_list or each in _SKIPPED or each.startswith(".")))
        for name in [TASK_LIST] if has_list else sorted(names):
            count += 1
            if name.endswith(ENDING) and not name.lower().startswith(_NO_STORIES) and count <= MOST_FILES:
                yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
