"""Checks a story: what prevents working on it, and what prevents calling it done."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from limpet.ground.text.words import fold
from limpet.work.outputs import lies_inside
from limpet.work.reason import Reason
from limpet.work.stories.story import Story

FINISHED = ("done", "completed", "closed", "concluido", "concluida", "feito")
"""What the status of a story that is done may say, without case and accents."""

WRITE_CRITERIA = "list under acceptance: what shows that it is done"


def check_story(story: Story, written_id: str, root: str, where: str) -> tuple[Reason, ...]:
    """Return the mistakes (grave) and what is open. ``written_id`` is the id in the file or "", ``root`` the
    project."""
    return (
        *(Reason(what=problem, hint="correct it, or remove the key") for problem in story.problems),
        *_identity(story, written_id, where),
        *_completeness(story, where),
        *_files(story, root, where),
    )


def reasons_against_done(story: Story) -> tuple[Reason, ...]:
    """Return that it has no criteria, or every criterion and task that is still open."""
    nothing = () if story.acceptance else (Reason(what="no acceptance criteria", hint=WRITE_CRITERIA),)
    return *nothing, *_what_is_open(story)


def absent_files(story: Story, root: str) -> tuple[Reason, ...]:
    """Return each file that the story names and that does not stand as it says: there, or deleted."""
    return tuple(
        Reason(what=what, hint="create it, or remove it from the list")
        for path, change in story.files
        if (what := _against_file(root, path, change))
    )


def says_done(story: Story) -> bool:
    """Return whether its status says that it is done."""
    return fold(story.status) in FINISHED


def is_done(story: Story) -> bool:
    """Return whether it is done: its status says so, and nothing in it is open or a person accepted that."""
    return says_done(story) and bool(story.accepted or not reasons_against_done(story))


def _identity(story: Story, written_id: str, where: str) -> Iterator[Reason]:
    if not written_id:
        yield Reason(what="no id", where=where, hint=f"write id: {story.id} into the frontmatter", grave=False)
    elif written_id != story.id:
        yield Reason(
            what=f"id is {written_id}, but the folder is {story.id}", where=where, hint="use the same id for both"
        )
    if story.title == story.id:
        yield Reason(what="no title", where=where, hint="write title: into the frontmatter")


def _completeness(story: Story, where: str) -> Iterator[Reason]:
    if not story.acceptance:
        yield Reason(what="no acceptance criteria", where=where, hint=WRITE_CRITERIA)
    for text in story.open_conditions:
        yield Reason(what=f"pre-condition not met: {text}", where=where, grave=False)
    if says_done(story) and not story.accepted:
        for reason in _what_is_open(story):
            yield reason.replace(what=f"status is {story.status}, but {reason.what}", where=where)


def _files(story: Story, root: str, where: str) -> Iterator[Reason]:
    for path, change in story.files:
        if not lies_inside(root, path):
            yield Reason(what=f"file {path} is outside the project", where=where, hint="name it from the root")
        elif change == "modify" and not os.path.lexists(os.path.join(root, path)):
            yield Reason(what=f"file {path} is marked as modified, but does not exist", where=where, hint="is it new?")


def _against_file(root: str, path: str, change: str) -> str:
    if not lies_inside(root, path):
        return f"file {path} is outside the project"
    is_there = os.path.lexists(os.path.join(root, path))
    if change == "delete":
        return f"file {path} still exists" if is_there else ""
    return "" if is_there else f"file {path} does not exist"


def _what_is_open(story: Story) -> tuple[Reason, ...]:
    return *_open("acceptance criteria", story.open_criteria), *_open("tasks", story.open_tasks)


def _open(what: str, texts: Sequence[str]) -> Iterator[Reason]:
    if texts:
        more = f" and {len(texts) - 3} more" if len(texts) > 3 else ""
        yield Reason(what=f"open {what}: {'; '.join(texts[:3])}{more}")
