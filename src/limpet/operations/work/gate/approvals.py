"""A person's approval of what a step made, asked when the first step that builds on it is to end."""

from __future__ import annotations

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.operations.approval import Obtain
from limpet.operations.project import Project
from limpet.operations.work.gate.outputs import output_digest, read_output, show_output
from limpet.work.pipeline import approvals
from limpet.work.pipeline.evidence import Seals
from limpet.work.pipeline.move import Move
from limpet.work.pipeline.outputs import output_path
from limpet.work.pipeline.view import SKIPPED, status_of
from limpet.work.pipeline.workflow import Step


class Unapproved(Value):
    """What a step made and nobody approved as it is now: who made it, and where it stands."""

    agent: str
    path: str


def find_unapproved(project: Project, step: Step, seals: Seals) -> tuple[Unapproved, ...]:
    """Return what waits for a person's approval before this step of the workflow under way can end."""
    session, workflow = project.session, project.workflow
    if workflow is None:
        return ()
    found = []
    for agent in approvals.waiting_agents(session, workflow, step, tuple(project.settings["work"]["approve"])):
        source = workflow.step_of(agent)
        path = output_path(session, source) if source else ""
        content = read_output(project.workspace, path)
        if not content and status_of(session, agent) == SKIPPED:
            continue
        if not approvals.is_approved(approvals.approved_content(session, agent, seals), content):
            found.append(Unapproved(agent=agent, path=path))
    return tuple(found)


def approve(project: Project, obtain: Obtain, waiting: tuple[Unapproved, ...], seals: Seals) -> tuple[Move, ...]:
    """Record a person's approval of each, after showing it to them. Raise LimpetError where they did not give it;
    what they approved before stays."""
    return tuple(_approve(project, obtain, one, seals) for one in waiting)


def _approve(project: Project, obtain: Obtain, one: Unapproved, seals: Seals) -> Move:
    content, lines = show_output(project.workspace, one.path)
    if not content:
        hint = f"Go back to its step: limpet work back {one.agent}"
        raise LimpetError("Nothing is there to approve", one.path, hint)
    # With the content's digest, so that a word that was given for another content is none for this one.
    word = obtain(f"Approve what {one.agent} made: {one.path} (version {output_digest(content)})", lines)
    now = project.caller.now
    return project.commit(
        lambda session: approvals.approve(session, one.agent, content, word.how, one.path, seals, now)
    )
