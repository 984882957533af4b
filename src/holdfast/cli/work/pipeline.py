"""What the commands of the pipeline share: who acts, the workflow under way, and a move made and told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdfast.cli.caller import caller_of
from holdfast.cli.output import emit
from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.append import Actor
from holdfast.ground.formats.schema import nearest
from holdfast.ground.workspace import Workspace
from holdfast.operations.mirror import refresh
from holdfast.roles.roster import ROLES, resolve
from holdfast.work.journal import make_move
from holdfast.work.pipeline.move import Limits, Move
from holdfast.work.pipeline.view import current_step
from holdfast.work.pipeline.workflow import Workflow, agent_name, read_workflow, workflow_names
from holdfast.work.project import read_project

Session = dict[str, Any]


def move(
    workspace: Workspace,
    decide: Callable[[Session], Move],
    as_json: bool,
    lines: Callable[[Move], list[str]] | None = None,
) -> Move:
    """Make the move, refresh the mirror, and print what was done. Raises HoldfastError, with nothing changed."""
    session, made = make_move(workspace, decide, actor_of(workspace))
    refresh(workspace)
    data = {"did": made.kind, **made.data, "revision": session.get("revision", 0)}
    emit(data, lines(made) if lines else [made.told], as_json)
    return made


def actor_of(workspace: Workspace) -> Actor:
    """Who calls: a person, or the agent of the conversation around the command."""
    settings, _ = load_settings(workspace)
    caller = caller_of(workspace)
    return Actor(caller.writer, caller.now, settings["retention"], caller.conversation)


def limits_of(workspace: Workspace) -> Limits:
    """The configured gate and rounds of correction."""
    work = load_settings(workspace)[0]["work"]
    return Limits(gate=float(work["gate"]), loops=int(work["loops"]))


def workflow_of(workspace: Workspace, session: Session) -> Workflow:
    """The workflow under way. Raises HoldfastError where there is none, or none of its name."""
    name = session.get("workflow")
    if not name:
        names = ", ".join(workflow_names(workspace))
        raise HoldfastError("no workflow is under way", "workflow", f"`holdfast work start WORKFLOW`: {names}")
    found = read_workflow(workspace, name)
    if found is None:
        names = ", ".join(workflow_names(workspace))
        raise HoldfastError(
            f"there is no workflow {name}", "workflow", f"known are {names}, or write .holdfast/workflows/"
        )
    return found


def agent_at(workspace: Workspace, name: str | None) -> str:
    """The agent that an id or alias stands for; without one the agent of the current step, so that a move made by
    somebody else meanwhile is noticed. Raises HoldfastError where nothing is under way."""
    session = read_project(workspace)[0]
    if name:
        return agent_id(session, name)
    workflow = workflow_of(workspace, session)
    step = current_step(session, workflow)
    if step is None:
        mend = "begin the next with `holdfast work start WORKFLOW`"
        raise HoldfastError("the work is completed", workflow.name, mend)
    return step.agent


def agent_id(session: Session, name: str) -> str:
    """The agent that an id or alias stands for in this session's workflow, whose own names come first."""
    plain, brownfield = agent_name(name), str(session.get("workflow") or "").startswith("brownfield")
    known = session.get("agents") or {}
    return plain if plain in known else resolve(name, brownfield) or plain


def known_agent(workspace: Workspace, name: str) -> str:
    """The same. Raises HoldfastError for one that is neither shipped nor in the workflow under way."""
    session = read_project(workspace)[0]
    found = agent_id(session, name)
    workflow = read_workflow(workspace, str(session.get("workflow") or ""))
    if found not in ROLES and not (workflow and workflow.step_of(found)):
        raise HoldfastError(f"there is no agent {name}{nearest(found, ROLES)}", "", "see `holdfast agent list`")
    return found
