"""The pipeline in one line, with the progress of each agent and whether checks back it."""

from __future__ import annotations

from holdfast.work.pipeline.evidence import CLAIMED, VERIFIED, Seals, evidence_of
from holdfast.work.pipeline.move import Session, percent
from holdfast.work.pipeline.view import COMPLETED, score_of, status_of
from holdfast.work.pipeline.workflow import Workflow


def pipeline_line(session: Session, workflow: Workflow, seals: Seals) -> str:
    """Return the pipeline as ``WU(100%) -> Brief(in_progress, 45%) -> Detail(pending)`` (chati.dev V7.1 section 3.3);
    what completed without verified evidence is marked ``claimed``."""
    return " -> ".join(f"{step.label}({_progress(session, step.agent, seals)})" for step in workflow.steps)


def _progress(session: Session, agent: str, seals: Seals) -> str:
    status, score = status_of(session, agent), score_of(session, agent)
    parts = [] if score is None else [f"{percent(score)}%"]
    if status != COMPLETED:
        return ", ".join([status, *parts])
    mark = [] if evidence_of(session, agent, seals) == VERIFIED else [CLAIMED]
    return ", ".join([*(parts or [COMPLETED]), *mark])
