"""The work as the block has it: pipeline, specs, task, handoff and what comes next, of the mirror's view and of the
conversation's state."""

from __future__ import annotations

from limpet.context.values import Handoff, Task, Work
from limpet.engine.block.recovery import lines_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.event_context import EventContext


def find_work(context: EventContext) -> Work:
    """Return what is under way for the conversation."""
    found, session, view = context.in_force, context.session, context.mirror.work
    pipeline = text_of(view, "pipeline") if found.follows_project else ""
    following = _following(context)
    return Work(
        workflow=found.workflow if pipeline else "",
        pipeline=pipeline,
        spec=_spec(view, following is not None),
        continuation=lines_left(context),
        task=_task(session.get("task") or view.get("task") or context.mirror.session.get("task")),
        handoff=_handoff(view.get("handoff"), found.agent),
        following=following,
    )


def text_of(found: dict[str, Any], name: str) -> str:
    """Return the text in a field, "" for anything else."""
    value = found.get(name)
    return value if isinstance(value, str) else ""


def _following(context: EventContext) -> tuple[str, str] | None:
    """Return words and command of what comes next: for the conversation's own task, unless a deviation interrupts the
    project's work, else for the project."""
    own, ours = context.session.get("task"), context.in_force.follows_project
    mine = own.get("next") if isinstance(own, dict) else None
    found = context.mirror.work.get("next") if ours else None
    if isinstance(mine, dict) and not (isinstance(found, dict) and found.get("interrupts")):
        found = mine
    return (text_of(found, "words"), text_of(found, "command")) if isinstance(found, dict) else None


def _spec(view: dict[str, Any], follows: bool) -> tuple[str, ...]:
    """Return the lines on the specs; what is next is said by the work, where any is under way."""
    lines = _texts(view, "spec")
    return tuple(line for place, line in enumerate(lines) if not (follows and place and line.startswith("next: ")))


def _task(found: object) -> Task | None:
    if not isinstance(found, dict):
        return Task(title=found) if isinstance(found, str) and found else None
    title = str(found.get("title") or found.get("id") or "")
    if not title or found.get("problem"):  # whose story cannot be read
        return None
    return Task(
        title=title,
        story=text_of(found, "id"),
        executor=text_of(found, "executor") or "agent",
        agent=text_of(found, "agent"),
        progress=text_of(found, "progress"),
        pre_conditions=_checks(found, "pre_conditions"),
        acceptance=_checks(found, "acceptance"),
        files=tuple((str(pair[0]), str(pair[1])) for pair in _pairs(found, "files")),
        knowledge=_texts(found, "knowledge"),
    )


def _handoff(found: object, agent: str) -> Handoff | None:
    """Return what was handed over to the agent that is active here."""
    if not isinstance(found, dict) or found.get("to") != agent:
        return None
    return Handoff(source=text_of(found, "from"), score=text_of(found, "score"), lines=_texts(found, "lines"))


def _checks(found: dict[str, Any], name: str) -> tuple[tuple[bool, str], ...]:
    return tuple((bool(pair[0]), str(pair[1])) for pair in _pairs(found, name))


def _pairs(found: dict[str, Any], name: str) -> list[Any]:
    pairs = found.get(name)
    return [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2] if isinstance(pairs, list) else []


def _texts(found: dict[str, Any], name: str) -> tuple[str, ...]:
    values = found.get(name)
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()
