"""What shows that a story's criteria hold (a line for each in its Dev Agent Record, since a tick without one is only a
claim), what is open in it, and how it is told. Pure."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from limpet.ground.formats.markdown import plain_lines
from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import fold
from limpet.work.markdown_file import Reason
from limpet.work.outputs import lies_inside
from limpet.work.stories.story import Checks, Story

# Characters of a criterion in the line of its evidence, by which the line belongs to it.
_WIDTH = 80
FINISHED = ("done", "completed", "closed", "concluido", "concluida", "feito")
"""What the status of a story that is done may say, without case and accents."""
WRITE_CRITERIA = "list under acceptance: what shows that it is done"
# Lines of the record that are shown, the newest, and the characters of each.
_NOTED, _VIEW_WIDTH = 5, 200


def evidence_line(story: Story, number: int, evidence: str) -> str:
    return f"- Criterion {number}, {clip(story.acceptance[number - 1][1], _WIDTH)}: {evidence}"


def criterion_evidence_of(story: Story) -> dict[int, str]:
    """Return number from 1 -> its newest evidence; a line on a criterion that says something else now is none."""
    found, record = {}, "\n".join(line for _, line in plain_lines(story.dev_record))
    for number, (_, text) in enumerate(story.acceptance, 1):
        line = rf"^- Criterion \d+, {re.escape(clip(text, _WIDTH))}: (.*\S)"
        if lines := re.findall(line, record, re.MULTILINE):
            found[number] = lines[-1]
    return found


def count_claimed(story: Story) -> int:
    shown = criterion_evidence_of(story)
    return sum(done and number not in shown for number, (done, _) in enumerate(story.acceptance, 1))


def claimed_line(story: Story) -> str:
    claimed = count_claimed(story)
    if not claimed:
        return ""
    verb = "is" if claimed == 1 else "are"
    return f"{claimed} of {len(story.acceptance)} criteria {verb} claimed: no evidence was given"


def remarks(story: Story) -> tuple[str, ...]:
    return (f"added during {story.added_during}",) if story.added_during else ()


def check_story(story: Story, written_id: str, root: str, where: str) -> tuple[Reason, ...]:
    """Return the mistakes (grave) and what is open. ``written_id`` is the id in the file or ""."""
    return (
        *(Reason(what=problem, hint="correct it, or remove the key") for problem in story.problems),
        *_identity(story, written_id, where),
        *_completeness(story, where),
        *_files(story, root, where),
    )


def reasons_against_done(story: Story) -> tuple[Reason, ...]:
    """Return that the story has no criteria, or every criterion and task that is still open."""
    nothing = () if story.acceptance else (Reason(what="no acceptance criteria", hint=WRITE_CRITERIA),)
    return *nothing, *_what_is_open(story)


def absent_files(story: Story, root: str) -> tuple[Reason, ...]:
    found = []
    for path, change in story.files:
        is_there = os.path.lexists(os.path.join(root, path))
        if not lies_inside(root, path):
            found.append(f"file {path} is outside the project")
        elif change == "delete" and is_there:
            found.append(f"file {path} still exists")
        elif change != "delete" and not is_there:
            found.append(f"file {path} does not exist")
    return tuple(Reason(what=what, hint="create it, or remove it from the list") for what in found)


def says_done(story: Story) -> bool:
    return fold(story.status) in FINISHED


def is_done(story: Story) -> bool:
    """Its status says so, and nothing in it is open or a person accepted that."""
    return says_done(story) and bool(story.accepted or not reasons_against_done(story))


def task_lines(story: Story) -> tuple[str, ...]:
    """Return ``[TASK CONTEXT]`` and the lines below it, without the parts that the story does not have."""
    agent = f"{story.agent} ({story.executor_name})" if story.agent else story.executor_name
    lines = ["[TASK CONTEXT]", f"Active Task: {story.title}", f"Story: {story.id}", f"Executor: {agent}"]
    lines += _part("Pre-conditions:", [f"  [{_mark(done)}] {text}" for done, text in story.pre_conditions])
    lines += _part("Acceptance Criteria:", [f"  - [{_mark(done)}] {text}" for done, text in story.acceptance])
    lines += _part("File List:", [f"  - {file}" for file in _file_list(story)])
    return tuple(lines)


def whole_lines(story: Story) -> Iterator[str]:
    yield from (f"condition  [{_mark(done)}] {text}" for done, text in story.pre_conditions)
    if not story.acceptance:
        yield "criterion  none yet: add at least one under acceptance before completing it"
    yield from _numbered("criterion", story.acceptance)
    yield from _numbered("task", story.tasks)
    yield from (f"file       {file}" for file in _file_list(story))
    yield from (f"seen       {remark}" for remark in remarks(story))
    noted = [line for line in (*story.dev_record.splitlines(), *story.qa_results.splitlines()) if line.strip()]
    if len(noted) > _NOTED:
        yield f"noted      {len(noted) - _NOTED} more lines in the file"
    yield from (f"noted      {clip(line.strip(), _VIEW_WIDTH)}" for line in noted[-_NOTED:])


def end_command(story: Story) -> str:
    shown = (f' --shown "{number}: EVIDENCE"' for number, (done, _) in enumerate(story.acceptance, 1) if not done)
    return f"limpet work story done{''.join(shown)}{' --tasks' if story.open_tasks else ''}"


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
        yield Reason(what=f"waits for: {text}", where=where, grave=False)
    if says_done(story) and not story.accepted:
        for reason in _what_is_open(story):
            yield reason.replace(what=f"status is {story.status}, but {reason.what}", where=where)


def _files(story: Story, root: str, where: str) -> Iterator[Reason]:
    for path, change in story.files:
        if not lies_inside(root, path):
            yield Reason(what=f"file {path} is outside the project", where=where, hint="name it from the root")
        elif change == "modify" and not os.path.lexists(os.path.join(root, path)):
            yield Reason(what=f"file {path} is marked as modified, but does not exist", where=where, hint="is it new?")


def _what_is_open(story: Story) -> tuple[Reason, ...]:
    return *_open("acceptance criteria", story.open_criteria), *_open("tasks", story.open_tasks)


def _open(what: str, texts: Sequence[str]) -> Iterator[Reason]:
    if texts:
        more = f" and {len(texts) - 3} more" if len(texts) > 3 else ""
        yield Reason(what=f"open {what}: {'; '.join(texts[:3])}{more}")


def _numbered(name: str, checks: Checks) -> Iterator[str]:
    return (f"{name:9}  {number} [{_mark(done)}] {text}" for number, (done, text) in enumerate(checks, 1))


def _file_list(story: Story) -> list[str]:
    return [f"{path} ({change})" if change else path for path, change in story.files]


def _part(heading: str, items: list[str]) -> list[str]:
    return ["", heading, *items] if items else []


def _mark(done: bool) -> str:
    return "x" if done else " "
