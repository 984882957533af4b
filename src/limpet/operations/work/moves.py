"""Moves along the pipeline: override, back, and deviations from it and their end."""

from __future__ import annotations

from typing import NoReturn

from limpet.ground.errors import LimpetError
from limpet.ground.text.messages import say
from limpet.operations.approval import Obtain
from limpet.operations.project import Project, clean
from limpet.operations.work.gate.facts import facts_of
from limpet.operations.work.pipeline import agent_at, agent_id, known_agent, move, require_workflow
from limpet.work.pipeline import deviation, moves
from limpet.work.pipeline.deviation import OFF_TOPIC, ORDER
from limpet.work.pipeline.gate import missing, require_current, shut_gate
from limpet.work.pipeline.move import Move, refuse_open_deviation
from limpet.work.pipeline.view import task_title
from limpet.work.project import language_of
from limpet.work.stories.store import read_story, unknown


def refuse_advance(project: Project, agent: str = "") -> NoReturn:
    """Raise LimpetError with what keeps the current step's gate shut: what opens one is ``finish``, which goes on by
    itself. The step must be that of ``agent``, if given."""
    session, name = project.session, agent_at(project, agent)
    refuse_open_deviation(session)
    step = require_current(session, require_workflow(project), name)
    raise shut_gate(step, missing(session, step, project.limits, facts_of(project, name)))


def override(project: Project, obtain: Obtain, reason: str, agent: str = "", to: str = "") -> Move:
    """Go to the next agent, or to ``to``, past the gates, on a person's word. Raises LimpetError."""
    name, now = agent_at(project, agent), project.caller.now
    goal, why = agent_id(project, to) if to else "", clean(project, reason)
    obtain(f"Skip the gate of {name} and its work" + (f", on to {goal}" if goal else "") + f" ({why or 'no reason'})")
    return move(project, lambda session: moves.override(session, require_workflow(project), name, now, why, goal))


def back(project: Project, agent: str = "", issue: str = "", reason: str = "") -> Move:
    """Go back to an agent, or to the one that resolves this kind of issue. Raise LimpetError."""
    now, kind = project.caller.now, issue.strip().lower()
    name, why = agent_id(project, agent) if agent else "", clean(project, reason)
    return move(
        project, lambda session: moves.back(session, require_workflow(project), now, project.limits, name, kind, why)
    )


def deviate(
    project: Project,
    kind: str,
    reason: str,
    *,
    progress: str = "",
    to: str = "",
    has_impact: bool = True,
    first: str = "",
) -> Move:
    """Leave the current step of the pipeline for ``reason``, and record the point to return to.

    ``progress``: how far the interrupted work is.
    ``to``: the agent in charge meanwhile.
    ``has_impact``: whether later steps have to be validated again.
    ``first``: for a change of order the story that comes first.

    Raises LimpetError.
    """
    goal, task = known_agent(project, to) if to else "", _first(project, kind, first)
    why, done, now = clean(project, reason), clean(project, progress), project.caller.now
    made = move(
        project,
        lambda session: deviation.deviate(session, project.workflow, kind, why, now, done, goal, has_impact, task),
    )
    point = made.data["return_to"]
    name = task_title(point["task"]) or point["agent"]
    if kind != OFF_TOPIC or not name:
        return made
    question = say("off_topic.noted", language_of(project.session), task=name)
    return made.replace(message=f"{made.message}\n{question}")


def resolve(project: Project, name: str = "") -> Move:
    """Return from a deviation, the newest one if none is named. Raise LimpetError."""
    wanted, now = name.strip().upper(), project.caller.now
    return move(project, lambda session: deviation.resolve_deviation(session, project.workflow, now, wanted))


def _first(project: Project, kind: str, story_id: str) -> dict[str, str] | None:
    """Return the task of the story that comes first, None where none is named."""
    if not story_id:
        return None
    if kind != ORDER:
        raise LimpetError(f"--first does not apply to a {kind}", "", f"It applies to {ORDER}.")
    story = read_story(project.workspace, story_id)
    if story is None:
        raise unknown(project.workspace, story_id)
    return {"id": story.id, "title": story.title}
