"""Renders a story for the agent, line by line as in ADR-001 SYNAPSE (Task Context Injection Format)."""

from __future__ import annotations

from holdfast.work.stories.story import Story


def task_lines(story: Story) -> tuple[str, ...]:
    """Return ``[TASK CONTEXT]`` and the lines below it, without the parts that the story does not have."""
    agent = f"{story.agent} ({story.executor_name})" if story.agent else story.executor_name
    lines = ["[TASK CONTEXT]", f"Active Task: {story.title}", f"Story: {story.id}", f"Executor: {agent}"]
    lines += _part("Pre-conditions:", [f"  [{_mark(done)}] {text}" for done, text in story.pre_conditions])
    lines += _part("Acceptance Criteria:", [f"  - [{_mark(done)}] {text}" for done, text in story.acceptance])
    lines += _part(
        "File List:", [f"  - {path} ({change})" if change else f"  - {path}" for path, change in story.files]
    )
    return tuple(lines)


def _part(heading: str, items: list[str]) -> list[str]:
    return ["", heading, *items] if items else []


def _mark(done: bool) -> str:
    return "x" if done else " "
