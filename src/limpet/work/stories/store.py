"""The project's stories on disk: ``stories/<id>/story.md``, or a ``story.yml`` that is only read. One story is read
without a look at the others. Every function raises LimpetError where it cannot do what it says; then nothing was
changed."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping

from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor
from limpet.ground.recording import record
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.storage.files import read_text
from limpet.ground.text.lookup import did_you_mean, nearest_name, resolve_name
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.work.markdown_file import (
    LARGEST,
    Reason,
    is_safe_name,
    load_keys,
    read_inside,
    rewrite,
    sole_document_writer,
    split_document,
)
from limpet.work.outputs import absent_file
from limpet.work.stories.edit import append_record, set_fields, show_story, tick_box, write_story_text
from limpet.work.stories.evidence import (
    absent_files,
    check_story,
    criterion_evidence_of,
    end_command,
    is_done,
    reasons_against_done,
)
from limpet.work.stories.story import TICK, Story
from limpet.work.stories.text import key_names, read_story_text, read_story_yaml

STORIES = "stories"
MARKDOWN, YAML = "story.md", "story.yml"
DONE, IN_PROGRESS, DRAFT = "done", "in_progress", "draft"
EVIDENCE = "name a file of the project, the command that showed it, or say it in words"
ADDED, CHANGED = "story.added", "story.changed"

NOTHING: Mapping[str, str] = {}

_NUMBER = re.compile(r"\d+")
_ADDED = re.compile(r"^added_during:[ \t]*[\"']?([\w.-]+)", re.MULTILINE)


class Ending(Value):
    """How a story ends. ``shown``: (number of a criterion from 1, what shows that it holds). ``tasks``: all of them are
    done. ``note``: a line for its Dev Agent Record. ``accepted``: why a person takes it as it is, "" where nothing in
    it may be open."""

    shown: tuple[tuple[int, str], ...] = ()
    tasks: bool = False
    note: str = ""
    accepted: str = ""


TICKED = Ending()
"""How a story ends in whose file everything is ticked."""


def story_ids(workspace: Workspace) -> list[str]:
    """By their numbers (S-2 before S-10), then by name; no story is read."""
    try:
        with os.scandir(workspace.path(STORIES)) as entries:
            names = [entry.name for entry in entries if is_safe_name(entry.name) and entry.is_dir()]
    except FileNotFoundError:
        return []
    return sorted(names, key=_by_number)


def iterate_stories(workspace: Workspace) -> Iterator[tuple[str, Story | LimpetError]]:
    for story_id in story_ids(workspace):
        try:
            story = read_story(workspace, story_id)
        except LimpetError as error:
            yield story_id, error
        else:
            if story:
                yield story_id, story


def story_file(workspace: Workspace, story_id: str) -> str | None:
    """Whether it exists or not; None for an invalid id."""
    if not is_safe_name(story_id):
        return None
    markdown, yaml = (workspace.path(STORIES, story_id, name) for name in (MARKDOWN, YAML))
    return yaml if os.path.lexists(yaml) and not os.path.lexists(markdown) else markdown


def read_story(workspace: Workspace, story_id: str) -> Story | None:
    path = story_file(workspace, story_id)
    where = _where(story_id, path or "")
    text = read_inside(path, where) if path else None
    return None if text is None else _read(text, where, story_id)


def shown_file(workspace: Workspace, story_id: str) -> str:
    return _where(story_id, story_file(workspace, story_id) or "")


def add_story(workspace: Workspace, story: Story, actor: Actor) -> Story:
    with sole_document_writer(workspace, STORIES):
        if not story.id:
            numbers = (_by_number(name)[0][0] for name in story_ids(workspace))
            last = max((number for number in numbers if number < sys.maxsize), default=0)
            story = story.replace(id=f"S-{last + 1}")
        return _add(workspace, story.id, write_story_text(story), actor)


def add_story_text(
    workspace: Workspace, story_id: str, text: str, actor: Actor, fields: Mapping[str, str] = NOTHING
) -> Story:
    """The text stays unchanged but for its secrets and these ``fields`` of its frontmatter."""
    where = _place(workspace, story_id)[1]
    with sole_document_writer(workspace, STORIES):
        return _add(workspace, story_id, set_fields(text, fields, where) if fields else text, actor)


def tick_item(workspace: Workspace, story_id: str, field: str, which: str, done: bool, actor: Actor) -> Story:
    """``field``: one of ``CHECKLISTS``; ``which``: a number, or words that only one item has."""
    details = {"list": field, "item": which, "done": done}
    return _change(workspace, story_id, lambda text, where: tick_box(text, field, which, done, where), details, actor)


def start_story(workspace: Workspace, story_id: str, actor: Actor, run: str = "") -> Story:
    """Refuse one that is done, and one whose pre-conditions are not met."""

    def start(text: str, where: str) -> str:
        story = read_story_text(text, where, story_id)
        if is_done(story):
            raise LimpetError("Story is already done", where, "To reopen it, set its status to draft.")
        refuse_waiting(story, where)
        return set_fields(text, {"status": IN_PROGRESS, **({"run": run} if run else {})}, where)

    return _change(workspace, story_id, start, {"status": IN_PROGRESS}, actor)


def refuse_waiting(story: Story, where: str = "") -> None:
    if story.open_conditions:
        what = f"Pre-conditions are not met: {'; '.join(story.open_conditions)}"
        raise LimpetError(what, where or story.id, f"Once one is met, run: {TICK.format(story.id)}")


def set_story_fields(workspace: Workspace, story_id: str, fields: Mapping[str, object], actor: Actor) -> Story:
    return _change(workspace, story_id, lambda text, where: set_fields(text, fields, where), {**fields}, actor)


def finish_story(workspace: Workspace, story_id: str, actor: Actor, ending: Ending = TICKED) -> Story:
    """Only where nothing is open, or a person accepted it as it is."""
    accepted = ending.accepted

    def finish(text: str, where: str) -> str:
        text = show_story(text, ending.shown, ending.tasks, ending.note, where)
        if accepted:
            return set_fields(text, {"status": DONE, "accepted": accepted}, where)
        refuse_open(read_story_text(text, where, story_id), workspace.root, where)
        return set_fields(text, {"status": DONE}, where)

    details = {"status": DONE, "anyway": bool(accepted)}
    return _change(workspace, story_id, finish, details, actor.replace(why=accepted))


def try_finish(workspace: Workspace, story_id: str, ending: Ending) -> Story:
    """Return the story as ``finish_story`` would leave it, but for its status; nothing is written."""
    path, where = _place(workspace, story_id)
    text = read_inside(path, where)
    if text is None:
        raise unknown_story(workspace, story_id)
    story = read_story_text(show_story(text, ending.shown, ending.tasks, "", where), where, story_id)
    refuse_open(story, workspace.root, where)
    return story


def refuse_open(story: Story, root: str, where: str) -> None:
    """Open are pre-conditions, criteria, tasks, files that are not as it says, and evidence that is not there."""
    mend = f"once they hold, run: {TICK.format(story.id)}"
    waits = Reason(what=f"open pre-conditions: {'; '.join(story.open_conditions)}", hint=mend)
    absent = {number: absent_file(root, evidence) for number, evidence in criterion_evidence_of(story).items()}
    evidence = tuple(
        Reason(what=f"evidence of criterion {number} is no file of the project: {path}", hint=EVIDENCE)
        for number, path in absent.items()
        if path
    )
    conditions = (waits,) if story.open_conditions else ()
    reasons = (*conditions, *reasons_against_done(story), *absent_files(story, root), *evidence)
    if reasons:
        hints = dict.fromkeys(reason.hint for reason in reasons if reason.hint)
        end = f"Once it is done, run: {end_command(story)}" if story.open_criteria or story.open_tasks else ""
        what = f"Story is not done ({'; '.join(reason.what for reason in reasons)})"
        raise LimpetError(what, where, "; ".join(filter(None, (end, *hints))))


def add_record(workspace: Workspace, story_id: str, field: str, words: str, actor: Actor) -> Story:
    clean = without_secrets(workspace, words)
    details = {"section": field, "characters": len(clean)}
    return _change(workspace, story_id, lambda text, where: append_record(text, field, clean, where), details, actor)


def verify_story(workspace: Workspace, story_id: str) -> tuple[Reason, ...]:
    path = story_file(workspace, story_id)
    where = _where(story_id, path or "")
    text = read_inside(path, where) if path else None
    if text is None or path is None:
        raise unknown_story(workspace, story_id)
    parts = split_document(f"---\n{text}\n---\n" if where.endswith(YAML) else text, where)
    data = load_keys(parts, where)
    written = data.get(key_names(data).get("id", "id"), "")
    if not isinstance(written, str):  # a number is no text, and YAML may have changed its spelling
        written = "" if written is None else story_id
    return check_story(_read(text, where, story_id), written.strip(), workspace.root, where)


def resolve_story(workspace: Workspace, typed: str) -> str:
    """Return the id that is typed, whole or as the beginning of this id alone. Raise LimpetError."""
    return resolve_name(typed, story_ids(workspace), lambda: unknown_story(workspace, typed))


def unknown_story(workspace: Workspace, story_id: str) -> LimpetError:
    meant = did_you_mean(story_id, story_ids(workspace))
    return LimpetError("No story with this ID", story_id, meant or "Run: limpet work story list")


def nearest_story(workspace: Workspace, story_id: str) -> str:
    return nearest_name(story_id, story_ids(workspace), cutoff=0.0)


def added_during(workspace: Workspace) -> dict[str, str]:
    """Return id -> agent, for stories of a build step: by a look at each file, because there may be a thousand."""
    files = ((name, story_file(workspace, name)) for name in story_ids(workspace))
    found = ((name, _ADDED.search(read_text(path, LARGEST) or "") if path else None) for name, path in files)
    return {name: match[1] for name, match in found if match}


def _add(workspace: Workspace, story_id: str, text: str, actor: Actor) -> Story:
    path, where = _place(workspace, story_id)
    text = without_secrets(workspace, text)
    story = read_story_text(text, where, story_id)

    def put(found: str | None) -> str:
        if found is not None or os.path.lexists(path):
            raise LimpetError("Story already exists", where, "Use another id.")
        return text

    rewrite(path, where, put)
    during = {"during": story.added_during} if story.added_during else {}
    record(workspace, actor, ADDED, {"story": story_id, **during})
    return story


def _change(
    workspace: Workspace,
    story_id: str,
    change: Callable[[str, str], str],
    details: dict[str, object],
    actor: Actor,
) -> Story:
    path, where = _place(workspace, story_id)
    kept: list[Story] = []

    def apply(text: str | None) -> str:
        if text is None:
            raise unknown_story(workspace, story_id)
        changed = change(text, where)
        kept[:] = [read_story_text(changed, where, story_id)]
        return changed

    with sole_document_writer(workspace, STORIES):
        if rewrite(path, where, apply):
            record(workspace, actor, CHANGED, {"story": story_id, **details})
    return kept[0]


def _place(workspace: Workspace, story_id: str) -> tuple[str, str]:
    """Return (path, name in messages). Raise LimpetError for a bad id, and for a ``story.yml``."""
    path = story_file(workspace, story_id)
    if path is None:
        hint = "Use letters, digits, dots, dashes and underscores, at most 80, starting with a letter or digit."
        raise LimpetError(f"Invalid story id {story_id!r}", hint=hint)
    where = _where(story_id, path)
    if path.endswith(YAML):
        raise LimpetError("File is read-only", where, f"Convert it to {MARKDOWN}: its keys become the frontmatter.")
    return path, where


def _where(story_id: str, path: str) -> str:
    return f"{FOLDER}/{STORIES}/{story_id}/{os.path.basename(path) or MARKDOWN}"


def _read(text: str, where: str, story_id: str) -> Story:
    return (read_story_yaml if where.endswith(YAML) else read_story_text)(text, where, story_id)


def _by_number(name: str) -> tuple[list[int], str]:
    """The key by which ids are in order: the numbers in them, then the name; those without come last."""
    return [int(number) for number in _NUMBER.findall(name)] or [sys.maxsize], name.lower()
