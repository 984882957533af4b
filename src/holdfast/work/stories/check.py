"""Checks a story: what prevents working on it, and what prevents calling it done."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from holdfast.work.outputs import lies_inside
from holdfast.work.reason import Reason
from holdfast.work.stories.story import Story

FINISHED = ("done", "completed", "closed", "concluido", "concluida", "feito")


def check_story(story: Story, written_id: str, root: str, where: str) -> tuple[Reason, ...]:
    """Return the mistakes (grave) and what is open. ``written_id`` is the id in the file or "", ``root`` the
    project."""
    return (
        *(Reason(what=problem, hint="correct it, or take the key out") for problem in story.problems),
        *_identity(story, written_id, where),
        *_completeness(story, where),
        *_files(story, root, where),
    )


def reasons_against_done(story: Story) -> tuple[Reason, ...]:
    """Return every criterion and task that is still open."""
    return (
        *_open("acceptance criteria", story.open_criteria),
        *_open("tasks", [text for done, text in story.tasks if not done]),
    )


def _identity(story: Story, written_id: str, where: str) -> Iterator[Reason]:
    if not written_id:
        yield Reason(what="says no id", where=where, hint=f"write id: {story.id} into the frontmatter", grave=False)
    elif written_id != story.id:
        yield Reason(what=f"says id {written_id}, and lies in the folder {story.id}", where=where, hint="make them one")
    if story.title == story.id:
        yield Reason(what="has no title", where=where, hint="write title: into the frontmatter")


def _completeness(story: Story, where: str) -> Iterator[Reason]:
    if not story.acceptance:
        hint = "say under acceptance: how anybody can see that it is done"
        yield Reason(what="has no acceptance criteria", where=where, hint=hint)
    for text in story.open_conditions:
        yield Reason(what=f"pre-condition not met: {text}", where=where, grave=False)
    if story.status.lower() in FINISHED:
        for reason in reasons_against_done(story):
            yield reason.replace(what=f"says {story.status}, but {reason.what}", where=where)


def _files(story: Story, root: str, where: str) -> Iterator[Reason]:
    for path, change in story.files:
        if not lies_inside(root, path):
            yield Reason(what=f"file {path} lies outside the project", where=where, hint="name it from the root")
        elif change == "modify" and not os.path.lexists(os.path.join(root, path)):
            yield Reason(what=f"file {path} is to be modified, and is not there", where=where, hint="is it new?")


def _open(what: str, texts: Sequence[str]) -> Iterator[Reason]:
    if texts:
        more = f" and {len(texts) - 3} more" if len(texts) > 3 else ""
        yield Reason(what=f"open {what}: {'; '.join(texts[:3])}{more}")
