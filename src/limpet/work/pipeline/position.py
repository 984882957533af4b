"""The position of the pipeline: what changes where it comes to a step, and the transition between two of its phases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from limpet.ground.clock import iso
from limpet.work.pipeline.gate import clear_evidence
from limpet.work.pipeline.move import Session, agent_changes
from limpet.work.pipeline.view import IN_PROGRESS
from limpet.work.pipeline.workflow import Step

AUTOMATIC, BACKWARD, OVERRIDDEN = "automatic", "backward", "override"
DONE = "completed"


def enter(session: Session, step: Step | None, **more: Any) -> dict[Any, Any]:
    """Return the changes with which a step's work begins, its score still open; None completes the project.

    ``more``: further fields of the agent's record.
    """
    if step is None:
        return {("project", "state"): DONE, "current_agent": None}
    fields = {"status": IN_PROGRESS, "score": None, "completed_at": None, **more}
    return agent_changes(session, step.agent, **fields) | clear_evidence(session, step.agent) | arrival(step)


def arrival(step: Step) -> dict[Any, Any]:
    """Return the changes that make the step the current one."""
    return {"current_agent": step.agent, "mode": step.mode, ("project", "state"): step.state}


def phase(step: Step | None) -> str:
    """Return a transition's name for a step: ``planning`` for discover and plan, else the state."""
    if step is None:
        return DONE
    return "planning" if step.state in ("discover", "plan") else step.state


def transition(
    session: Session,
    now: float,
    came: str | None,
    goes: str,
    kind: str,
    trigger: str,
    skipped: Iterable[str] | None = None,
    reason: str = "",
) -> dict[Any, Any]:
    """Return the change that records the transition.

    ``skipped``: the agents that it leaves out, None where it leaves out none by its kind.
    """
    record: dict[str, Any] = {"timestamp": iso(now), "from": came, "to": goes, "trigger": trigger, "type": kind}
    if skipped is not None:
        record["skipped_agents"] = list(skipped)
    if reason:
        record["reason"] = reason
    return {"mode_transitions": [*(session.get("mode_transitions") or ()), record]}
