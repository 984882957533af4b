"""A person's approvals of what steps made, sealed: each holds for the content that was shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.ground.clock import iso
from limpet.work.pipeline.evidence import Seals, holds_seal, seal_of
from limpet.work.pipeline.move import Move, Session
from limpet.work.pipeline.view import FINISHED, status_of
from limpet.work.pipeline.workflow import Step, Workflow

KEY = "approvals"


def approved_content(session: Session, agent: str, seals: Seals) -> dict[str, str]:
    """Return what a person approved of the agent's output in this run, name -> digest; empty where nobody did."""
    found = (session.get(KEY) or {}).get(agent)
    if not isinstance(found, dict) or not holds_seal(found, seals, *_bound(session, agent, found)):
        return {}
    return dict(found["content"])


def approve(
    session: Session, agent: str, content: Mapping[str, str], how: str, path: str, seals: Seals, now: float
) -> Move:
    """Record, sealed, that a person approved this content of the agent's output; ``how`` they said so."""
    record = {"content": dict(content), "how": how, "timestamp": iso(now)}
    sealed = {**record, "seal": seal_of(seals, *_bound(session, agent, record))}
    data = {"agent": agent, "path": path, "how": how}
    return Move({(KEY, agent): sealed}, "work.approved", data, f"{path} is approved")


def waiting_agents(session: Session, workflow: Workflow, step: Step, approving: tuple[str, ...]) -> tuple[str, ...]:
    """Return the agents of the steps before this one whose output a person is to approve, the skipped ones among
    them."""
    before = workflow.steps[: workflow.place_of(step.agent)]
    return tuple(
        one.agent
        for one in before
        if one.agent in approving and one.output and status_of(session, one.agent) in FINISHED
    )


def is_approved(approved: Mapping[str, str], content: Mapping[str, str]) -> bool:
    """Return whether the content is what was approved; what was added since needs no approval."""
    return bool(approved) and all(content.get(name) == digest for name, digest in approved.items())


def _bound(session: Session, agent: str, record: Mapping[str, Any]) -> tuple[object, ...]:
    content = record.get("content")
    items = sorted(content.items()) if isinstance(content, dict) else None
    return KEY, session.get("run") or "", agent, items, record.get("how"), record.get("timestamp")
