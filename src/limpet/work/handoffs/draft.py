"""Drafts a handoff from the session: the agent's task, its phase, its score, and the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.work.handoffs.handoff import Handoff
from limpet.work.pipeline.gate import threshold
from limpet.work.pipeline.move import Limits, Session
from limpet.work.pipeline.view import record_of, score_of
from limpet.work.pipeline.workflow import Workflow


def known_handoff(session: Session, agent: str, to: str, phase: str, score: float | None) -> Handoff:
    """Return the handoff's frontmatter as far as the session knows it.

    ``phase``: the pipeline mode where the session names none.
    ``score``: given in place of the gate's, None for the gate's; it is claimed: only a finish is verified.
    """
    gate = score_of(session, agent)
    counted = gate if score is None else score
    return Handoff(
        from_agent=agent,
        to=to,
        from_task=_task(session.get("task")),
        from_phase=str(session.get("mode") or phase),
        status="complete",
        score=counted,
        run=str(session.get("run") or ""),
    )


def threshold_of(session: Session, workflow: Workflow | None, agent: str, limits: Limits) -> float:
    """Return the percent that this agent's gate requires: its own, its step's, else the configured one."""
    step = workflow.step_of(agent) if workflow else None
    if step:
        return threshold(session, step, limits)
    own: Any = record_of(session, agent).get("threshold")
    return limits.gate if own is None else float(own)


def _task(found: object) -> str:
    if isinstance(found, Mapping):
        return " ".join(str(found[key]) for key in ("id", "title") if found.get(key))
    return str(found or "")
