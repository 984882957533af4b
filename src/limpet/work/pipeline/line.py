"""The pipeline in one line, with the progress of each agent and whether checks back it."""

from __future__ import annotations

from limpet.work.pipeline.approvals import approved_content
from limpet.work.pipeline.evidence import CLAIMED, CLAIMS, VERIFIED, WORD, Seals, evidence_of, finish_of
from limpet.work.pipeline.move import Session, percent
from limpet.work.pipeline.view import COMPLETED, score_of, status_of
from limpet.work.pipeline.workflow import Workflow


def pipeline_line(session: Session, workflow: Workflow, seals: Seals) -> str:
    """Return the pipeline as ``WU(100%) -> Brief(in_progress, 45%) -> Detail(pending)`` (chati.dev V7.1 section 3.3),
    what completed with the marks of ``standing``."""
    return " -> ".join(f"{step.label}({_progress(session, step.agent, seals)})" for step in workflow.steps)


def _progress(session: Session, agent: str, seals: Seals) -> str:
    status, score = status_of(session, agent), score_of(session, agent)
    parts = [] if score is None else [f"{percent(score)}%"]
    if status != COMPLETED:
        return ", ".join([status, *parts])
    return ", ".join([*(parts or [COMPLETED]), *standing(session, agent, seals)])


def standing(session: Session, agent: str, seals: Seals) -> list[str]:
    """Return what a completed step stands on, nothing where checks ran and every criterion was shown: how much
    of it is claimed, that no check ran, that a person approved what it made."""
    finish, evidence = finish_of(session, agent, seals), evidence_of(session, agent, seals)
    claims = finish.get(CLAIMS)
    marks = [f"{claims} {CLAIMED}"] if claims else []
    marks += [CLAIMED] if claims is None and evidence != VERIFIED else []
    marks += ["no check"] if finish.get(WORD) else []
    return [*marks, *(["approved"] if approved_content(session, agent, seals) else [])]
