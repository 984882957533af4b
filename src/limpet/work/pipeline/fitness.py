"""Judges whether a workflow fits what is known of the work."""

from __future__ import annotations

from collections.abc import Mapping

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.work.pipeline.move import Session, percent
from limpet.work.pipeline.view import state_of
from limpet.work.pipeline.workflow import Disqualifier, Workflow


def known_facts(session: Session, given: Mapping[str, bool | float]) -> dict[str, bool | float]:
    """Return the facts that were given, and those that the session knows: a greenfield project whose first work is not
    completed has no product yet."""
    project = session.get("project")
    kind = project.get("type") if isinstance(project, dict) else None
    is_new = kind == "greenfield" and state_of(session) != "completed"
    return ({"greenfield": is_new} if kind else {}) | dict(given)


def check_fitness(
    workflow: Workflow, facts: Mapping[str, bool | float], given: Mapping[str, bool | float], confidence: float | None
) -> None:
    """Raise LimpetError, with the reasons, where a fact disqualifies the workflow, the confidence (0 to 1) is below
    its requirement, or a fact is ``given`` that it does not ask for."""
    names = [one.fact for one in workflow.disqualifiers]
    for fact in given:
        if fact not in names:
            known = f"Its facts: {', '.join(names) or 'none'}{nearest(fact, names)}"
            raise LimpetError(f"Unknown fact {fact} for {workflow.name}", workflow.source, known)
    reasons = [_reason(one, facts[one.fact]) for one in workflow.disqualifiers if one.fact in facts]
    if confidence is not None and confidence < workflow.confidence:
        reasons.append(f"confidence {percent(confidence)} is below {percent(workflow.confidence)}")
    found = [reason for reason in reasons if reason]
    if found:
        hint = "Start greenfield or brownfield instead."
        raise LimpetError(f"{workflow.name} does not fit: {'; '.join(found)}", workflow.source, hint)


def questions(workflow: Workflow, facts: Mapping[str, bool | float]) -> list[str]:
    """Return what would disqualify the workflow and is not known, for the person who is to agree."""
    unknown = (one for one in workflow.disqualifiers if one.fact not in facts)
    return [
        f"{'' if one.answer or one.above is not None else 'not: '}{one.says}"
        + ("" if one.above is None else f", more than {percent(one.above)}")
        for one in unknown
    ]


def _reason(one: Disqualifier, value: bool | float) -> str:
    if one.above is not None:
        return f"{one.says}: {percent(float(value))}, at most {percent(one.above)}" if value > one.above else ""
    return (one.says if one.answer else f"not: {one.says}") if bool(value) == one.answer else ""
