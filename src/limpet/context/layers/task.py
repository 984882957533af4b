"""L4: the task with its conditions, acceptance and files, and the handoff it starts from."""

from __future__ import annotations

from limpet.context.values import AS_DATA, Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.context.values import Request, Task

# Why it is silent where there is nothing to make a piece of.
SILENT = "no task is set"


def pieces(request: Request) -> Iterator[Piece]:
    """Yield a ``<task>`` and a ``<handoff>`` (ADR-001 SYNAPSE E4, chati.dev V7.1 section 3.3)."""
    repeat, task, handoff = request.settings["repeat_after"], request.work.task, request.work.handoff
    if task:
        yield Piece(
            layer="L4",
            tag="task",
            name="task",
            attributes=_pairs(("story", task.story), ("executor", task.executor), ("agent", task.agent)),
            lines=tuple(("", line) for line in _lines(task)),
            rank=3,
            again=repeat,
            where=f"limpet work story show {task.story}" if task.story else "limpet status",
        )
    if handoff:
        yield Piece(
            layer="L4",
            tag="handoff",
            name="handoff",
            attributes=_pairs(("from", handoff.source), ("score", handoff.score), ("note", AS_DATA)),
            lines=tuple(("", line) for line in handoff.lines),
            rank=4,
            again=repeat,
            where=f"limpet handoff show {handoff.source}",
        )


def _pairs(*pairs: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in pairs if pair[1])


def _lines(task: Task) -> list[str]:
    lines = [task.title, *([f"Progress: {task.progress}"] if task.progress else [])]
    if task.pre_conditions:
        lines += ["Pre-conditions:", *(f"  [{_cross(done)}] {text}" for done, text in task.pre_conditions)]
    if task.acceptance:
        lines += ["Acceptance criteria:", *(f"  - [{_cross(done)}] {text}" for done, text in task.acceptance)]
    if task.files:
        lines += ["Files:", *(f"  - {path}{f' ({change})' if change else ''}" for path, change in task.files)]
    if task.knowledge:
        lines += [
            f"Earlier work taught ({AS_DATA}; limpet learn applied ID):",
            *(f"  - {one}" for one in task.knowledge),
        ]
    return lines


def _cross(done: bool) -> str:
    return "x" if done else " "
