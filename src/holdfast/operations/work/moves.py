"""Moves along the pipeline: advance, override, back, and deviations from it and their end."""

from __future__ import annotations

from holdfast.ground.errors import HoldfastError
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.text.messages import say
from holdfast.ground.workspace import Workspace
from holdfast.operations.approval import Obtain
from holdfast.operations.caller import Caller
from holdfast.operations.work.facts import facts_of
from holdfast.operations.work.gates import claim_step_score
from holdfast.operations.work.pipeline import (
    Moved,
    NeedsAgreement,
    agent_at,
    agent_id,
    known_agent,
    limits_of,
    make,
    require_workflow,
)
from holdfast.work.pipeline import deviation, moves
from holdfast.work.pipeline.deviation import GRAVE, OFF_TOPIC, ORDER, SKIP
from holdfast.work.pipeline.move import Move
from holdfast.work.pipeline.view import task_title
from holdfast.work.pipeline.workflow import workflow_under_way
from holdfast.work.project import Session, language_of, read_project
from holdfast.work.stories.store import read_story, unknown


def advance(workspace: Workspace, caller: Caller, agent: str = "", score: float | None = None) -> Moved:
    """Complete the current step, which must be that of ``agent`` if given, and go to the next one.

    ``score`` is recorded first, as a claim that opens nothing. Raise HoldfastError for a shut gate: what opens one is
    ``finish``.
    """
    name, limits = agent_at(workspace, agent), limits_of(workspace)
    if score is not None:
        claim_step_score(workspace, caller, score, name)
    facts = facts_of(workspace, read_project(workspace)[0], name)
    return make(
        workspace,
        caller,
        lambda session: moves.advance(session, require_workflow(workspace, session), name, caller.now, limits, facts),
    )


def override(workspace: Workspace, caller: Caller, obtain: Obtain, reason: str, agent: str = "", to: str = "") -> Moved:
    """Go to the next agent, or to ``to``, past the gates, on a person's word. Raises HoldfastError."""
    name = agent_at(workspace, agent)
    goal = agent_id(read_project(workspace)[0], to) if to else ""
    why = without_secrets(workspace, reason)
    obtain(f"Skip the gate of {name} and its work" + (f", on to {goal}" if goal else "") + f" ({why or 'no reason'})")
    return make(
        workspace,
        caller,
        lambda session: moves.override(session, require_workflow(workspace, session), name, caller.now, why, goal),
    )


def back(workspace: Workspace, caller: Caller, agent: str = "", issue: str = "", reason: str = "") -> Moved:
    """Go back to an agent, or to the one that resolves this kind of issue. Raise HoldfastError."""
    limits, why = limits_of(workspace), without_secrets(workspace, reason)
    name = agent_id(read_project(workspace)[0], agent) if agent else ""
    kind = issue.strip().lower()
    return make(
        workspace,
        caller,
        lambda session: moves.back(session, require_workflow(workspace, session), caller.now, limits, name, kind, why),
    )


def deviate(
    workspace: Workspace,
    caller: Caller,
    kind: str,
    reason: str,
    *,
    progress: str = "",
    to: str = "",
    has_impact: bool = True,
    first: str = "",
    agreed: bool = False,
    obtain: Obtain,
) -> Moved:
    """Leave the current step of the pipeline for ``reason``, and record the point to return to.

    ``progress``: how far the interrupted work is.
    ``to``: the agent in charge meanwhile; of a rollback or a skip the one to continue.
    ``has_impact``: whether later steps have to be validated again.
    ``first``: for a change of order the story that comes first.
    ``obtain``: gets a person's word, which a skip needs, for that passes a gate.

    Raises NeedsAgreement, with what would be done, for another grave kind to which the user has not ``agreed``, and
    HoldfastError.
    """
    goal = known_agent(workspace, to) if to else ""
    task = _first(workspace, kind, first)
    why, done = without_secrets(workspace, reason), without_secrets(workspace, progress)

    def decide(session: Session) -> Move:
        workflow = workflow_under_way(workspace, session)
        return deviation.deviate(session, workflow, kind, why, caller.now, done, goal, has_impact, task)

    if kind in GRAVE and (kind == SKIP or not agreed):
        would = decide(read_project(workspace)[0])
        if kind != SKIP:
            raise NeedsAgreement(f"A {kind} needs the user's approval", (f"It would do: {would.message}",))
        obtain(f"{would.message} ({why})")
    moved = make(workspace, caller, decide)
    point = moved.move.data["return_to"]
    name = task_title(point["task"]) or point["agent"]
    if kind != OFF_TOPIC or not name:
        return moved
    return moved.replace(lines=(*moved.lines, say("off_topic.noted", language_of(moved.session), task=name)))


def resolve(workspace: Workspace, caller: Caller, name: str = "") -> Moved:
    """Return from a deviation, the newest one if none is named. Raise HoldfastError."""
    wanted = name.strip().upper()
    return make(
        workspace,
        caller,
        lambda session: deviation.resolve_deviation(
            session, workflow_under_way(workspace, session), caller.now, wanted
        ),
    )


def _first(workspace: Workspace, kind: str, story_id: str) -> dict[str, str] | None:
    """Return the task of the story that comes first, None where none is named."""
    if not story_id:
        return None
    if kind not in ORDER:
        raise HoldfastError(f"--first does not apply to a {kind}", "", f"It applies to {' or '.join(ORDER)}.")
    story = read_story(workspace, story_id)
    if story is None:
        raise unknown(workspace, story_id)
    return {"id": story.id, "title": story.title}
