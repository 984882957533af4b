"""What the session knows of an agent that hands over: its task, its phase, its score and whether that is backed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.work.handoff import Handoff
from holdfast.work.handoff_check import THRESHOLD


def known_handoff(session: Mapping[str, Any], agent: str, to: str, phase: str, score: float | None) -> Handoff:
    """The frontmatter as far as it is known. ``phase`` is the pipeline mode where the session names none, ``score``
    what was given in place of the gate's."""
    gate = _score_of(session, agent)
    counted = gate if score is None else score
    return Handoff(
        from_agent=agent,
        to=to,
        from_task=_task(session.get("task")),
        from_phase=str(session.get("mode") or phase),
        status="complete",
        score=counted,
        verified=counted is not None and is_backed(session, agent, counted),
    )


def is_backed(session: Mapping[str, Any], agent: str, score: float) -> bool:
    """Whether this is the score of the agent's gate, and every command that was run for it ended well."""
    evidence = _part(_part(session, "gates"), agent).get("evidence") or []
    return (
        score == _score_of(session, agent) and bool(evidence) and all(item.get("exit_code") == 0 for item in evidence)
    )


def threshold_of(session: Mapping[str, Any], agent: str) -> float:
    """Percent that this agent's gate asks for."""
    own = _part(_part(session, "agents"), agent).get("threshold")
    return THRESHOLD if own is None else float(own)


def _score_of(session: Mapping[str, Any], agent: str) -> float | None:
    score = _part(_part(session, "agents"), agent).get("score")
    return None if score is None else float(score)


def _task(found: object) -> str:
    if isinstance(found, Mapping):
        return " ".join(str(found[key]) for key in ("id", "title") if found.get(key))
    return str(found or "")


def _part(mapping: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = mapping.get(key)
    return found if isinstance(found, Mapping) else {}
