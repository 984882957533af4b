"""The terms of a run: written when it begins, held against those of now when a step is to end, and renewed only on a
person's word where they ask for less."""

from __future__ import annotations

import os
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.trust.consent import find_consent
from limpet.operations.approval import Obtain
from limpet.operations.project import Project, clean
from limpet.operations.work.gate.facts import checks_of, seals_of
from limpet.operations.work.gate.outputs import output_digest, read_output
from limpet.operations.work.pipeline import require_workflow
from limpet.work.checks.environment import agreed_environment, keep_environment
from limpet.work.checks.tree import tree_digest
from limpet.work.pipeline.agreement import (
    Agreement,
    agreement_changes,
    agreement_of,
    thresholds_of,
    weakened,
    workflow_digest,
)
from limpet.work.pipeline.evidence import Seals
from limpet.work.pipeline.move import Move, Session
from limpet.work.pipeline.outputs import WORK, folder_of, new_folder, output_path
from limpet.work.pipeline.workflow import Workflow


def begin_agreement(project: Project, session: Session, workflow: Workflow) -> dict[Any, Any]:
    """Return the changes that give a run that begins its terms; ``session`` names the run. Checks for which no
    environment was kept when the user agreed to them get that of now."""
    workspace, folder = project.workspace, new_folder(session)
    if project.settings["work"]["checks"] and not agreed_environment(workspace, os.environ).since:
        keep_environment(workspace, os.environ, project.caller.now)
    outputs = {
        step.agent: output_digest(read_output(workspace, output_path(session, step)))
        for step in workflow.steps
        if step.output and WORK not in step.output
    }
    terms = _terms(project, session, workflow, folder).replace(
        tree=tree_digest(workspace.root, folder), outputs={agent: one for agent, one in outputs.items() if one}
    )
    return agreement_changes(session["run"], terms, seals_of(workspace))


def hold_agreement(project: Project, obtain: Obtain) -> None:
    """See to it that the run under way goes on under the terms that were agreed to: what asks for less now, and terms
    that are missing or were written by hand, count on a person's word only; what asks for more counts from now on.

    Raises LimpetError without that word, and where nothing can be sealed.
    """
    session, workflow, seals = project.session, require_workflow(project), seals_of(project.workspace)
    if not seals.key:
        hint = "Run it where your state folder is readable. For details, run: limpet doctor"
        raise LimpetError("Cannot read the key that signs evidence", "", hint)
    agreed = agreement_of(session, seals)
    now = _terms(project, session, workflow, folder_of(session))
    if agreed is None:
        obtain(
            f"Go on with this run of {workflow.name}, whose terms are not on record, under those of now: {_told(now)}"
        )
        _renew(project, now, seals, "terms of the run were not on record")
        return
    less = weakened(agreed.replace(checks={**agreed.checks, **_consented(project)}), now)
    if less:
        obtain(f"Go on with this run of {workflow.name} though it asks for less than when it began: {'; '.join(less)}")
    if less or _content(now) != _content(agreed):
        _renew(project, now.replace(tree=agreed.tree, outputs=agreed.outputs), seals, "; ".join(less))


def _terms(project: Project, session: Session, workflow: Workflow, folder: str) -> Agreement:
    return Agreement(
        folder=folder,
        workflow=workflow_digest(workflow),
        checks=checks_of(project),
        thresholds=thresholds_of(session, workflow, project.limits),
        approve=tuple(project.settings["work"]["approve"]),
        timestamp=iso(project.caller.now),
    )


def _consented(project: Project) -> dict[str, str]:
    """Return the checks whose present command line the user agreed to as a setting of the project."""
    consent = find_consent(project.workspace)
    lines = project.settings["work"]["checks"].items()
    return {
        name: clean(project, line) for name, line in lines if consent and consent.covers(f"work.checks.{name}", line)
    }


def _renew(project: Project, terms: Agreement, seals: Seals, reason: str) -> None:
    def decide(session: Session) -> Move:
        data = {"reason": reason, "checks": dict(terms.checks), "approve": list(terms.approve)}
        return Move(agreement_changes(str(session.get("run") or ""), terms, seals), "work.agreed", data)

    project.commit(decide)


def _content(terms: Agreement) -> tuple[object, ...]:
    return terms.workflow, dict(terms.checks), dict(terms.thresholds), terms.approve


def _told(terms: Agreement) -> str:
    checks = "; ".join(f"check {name}: {line}" for name, line in terms.checks.items()) or "no checks"
    return f"{checks}; approved by you: {', '.join(terms.approve) or 'nothing'}"
