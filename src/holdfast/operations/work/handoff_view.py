"""What handoffs mean for the active agent: the one to it, and whether its own waits to be taken up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.operations.work.facts import as_proven, is_of_run
from holdfast.work.handoffs.handoff import COMPLETE, Handoff, block_lines, score_text
from holdfast.work.handoffs.quoting import without_orders
from holdfast.work.handoffs.store import handoff_agents, read_handoff
from holdfast.work.in_force import find_in_force, name_agent
from holdfast.work.pipeline.evidence import Facts
from holdfast.work.pipeline.view import PENDING, REVALIDATE, status_of

Result = TypeVar("Result")


def view_handoff(
    workspace: Workspace, session: dict[str, Any], facts: Facts, problems: list[str]
) -> dict[str, Any] | None:
    """Return the newest handoff of this run that names the project's active agent as the one to continue; ``problems``
    gets a line for each that cannot be read."""
    in_force = find_in_force(session)
    agent, workflow, own = in_force.agent, in_force.workflow, in_force.own_agents
    if not agent:
        return None
    found = [attempt(partial(read_handoff, workspace, source), problems) for source in handoff_agents(workspace)]
    meant = [one for one in found if one and is_of_run(session, one) and name_agent(one.to, workflow, own) == agent]
    newest: Handoff | None = max(meant, key=lambda handoff: handoff.timestamp, default=None)
    if newest is None:
        return None
    score = score_text(as_proven(session, newest, facts))
    lines = without_orders(block_lines(newest), f"holdfast handoff show {newest.from_agent}")
    return {"from": newest.from_agent, "to": agent, "score": score, "lines": list(lines)}


def is_pending(workspace: Workspace, session: dict[str, Any], problems: list[str]) -> bool:
    """Return whether the active agent is done and has handed over to another, which has not begun yet."""
    in_force = find_in_force(session)
    agent = in_force.agent
    handoff = attempt(partial(read_handoff, workspace, agent), problems) if agent else None
    if handoff is None or handoff.status != COMPLETE or not is_of_run(session, handoff):
        return False
    after = name_agent(handoff.to, in_force.workflow, in_force.own_agents)
    return bool(after) and after != agent and status_of(session, after) in (PENDING, REVALIDATE)


def attempt(read: Callable[[], Result | None], problems: list[str]) -> Result | None:
    """Return the result, None for a file that cannot be read, which then is one of the problems."""
    try:
        return read()
    except (HoldfastError, OSError) as error:
        problems.append(str(error))
        return None
