"""Renders a story for the agent: as ADR-001 SYNAPSE has it (Task Context Injection Format), and whole, for who works on
it."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.ground.text.escaping import clip
from limpet.work.stories.evidence import remarks
from limpet.work.stories.story import Checks, Story

# Lines of the record that are shown, the newest, and the characters of each.
_NOTED, _WIDTH = 5, 200


def task_lines(story: Story) -> tuple[str, ...]:
    """Return ``[TASK CONTEXT]`` and the lines below it, without the parts that the story does not have."""
    agent = f"{story.agent} ({story.executor_name})" if story.agent else story.executor_name
    lines = ["[TASK CONTEXT]", f"Active Task: {story.title}", f"Story: {story.id}", f"Executor: {agent}"]
    lines += _part("Pre-conditions:", [f"  [{_mark(done)}] {text}" for done, text in story.pre_conditions])
    lines += _part("Acceptance Criteria:", [f"  - [{_mark(done)}] {text}" for done, text in story.acceptance])
    lines += _part("File List:", [f"  - {file}" for file in _files(story)])
    return tuple(lines)


def whole_lines(story: Story) -> Iterator[str]:
    """Yield all that is to be known to work on the story, a line each; criteria and tasks with their numbers."""
    yield from (f"condition  [{_mark(done)}] {text}" for done, text in story.pre_conditions)
    if not story.acceptance:
        yield "criterion  none yet: add at least one under acceptance before completing it"
    yield from _numbered("criterion", story.acceptance)
    yield from _numbered("task", story.tasks)
    yield from (f"file       {file}" for file in _files(story))
    yield from (f"seen       {remark}" for remark in remarks(story))
    noted = [line for line in (*story.dev_record.splitlines(), *story.qa_results.splitlines()) if line.strip()]
    if len(noted) > _NOTED:
        yield f"noted      {len(noted) - _NOTED} more lines in the file"
    yield from (f"noted      {clip(line.strip(), _WIDTH)}" for line in noted[-_NOTED:])


def end_command(story: Story) -> str:
    """Return the one command that ends the story, with a place for the evidence of each open criterion."""
    shown = (f' --shown "{number}: EVIDENCE"' for number, (done, _) in enumerate(story.acceptance, 1) if not done)
    return f"limpet story done{''.join(shown)}{' --tasks' if story.open_tasks else ''}"


def _numbered(name: str, checks: Checks) -> Iterator[str]:
    return (f"{name:9}  {number} [{_mark(done)}] {text}" for number, (done, text) in enumerate(checks, 1))


def _files(story: Story) -> list[str]:
    return [f"{path} ({change})" if change else path for path, change in story.files]


def _part(heading: str, items: list[str]) -> list[str]:
    return ["", heading, *items] if items else []


def _mark(done: bool) -> str:
    return "x" if done else " "
